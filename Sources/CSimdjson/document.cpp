// Tapes of whole documents, built in one pass over simdjson's structural indexes.
//
// simdjson finds where strings, scalars and punctuation begin, checks the UTF-8 and refuses control
// characters in strings. All the rest of the grammar is checked here.

#include <simdjson.h>

#include <cstdlib>
#include <cstring>
#include <memory>

#include "CSimdjsonDocument.h"

namespace {

// The values of AggregateCore.CellKind.
enum Kind : uint64_t {
  kNull = 1,
  kText = 2,
  kEscapedText = 3,
  kInteger = 4,
  kReal = 5,
  kTrue = 6,
  kFalse = 7,
  kObject = 8,
  kArray = 9,
};

using Implementation = simdjson::internal::dom_parser_implementation;

// Finding structure needs four bytes for each byte of text, and the nodes have sixteen for each
// place of structure; a thread keeps both for its next document, unless they are so large that
// they had better go back.
constexpr size_t kKeptCapacity = size_t(16) << 20;
constexpr size_t kKeptNodes = size_t(1) << 17;

struct Scratch {
  std::unique_ptr<Implementation> parser;
  size_t capacity = 0;

  bool reserve(size_t length) {
    if (parser && capacity >= length) return true;
    const size_t wanted = length < 65536 ? 65536 : length;
    parser.reset();
    capacity = 0;
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(
            wanted, 1, parser)) {
      parser.reset();
      return false;
    }
    capacity = wanted;
    return true;
  }

  // Room for `count` nodes; null when memory is exhausted.
  CSimdjsonNode *nodes(size_t count) {
    if (kept && room >= count) return kept.get();
    kept.reset(static_cast<CSimdjsonNode *>(std::malloc(count * sizeof(CSimdjsonNode))));
    room = kept ? count : 0;
    return kept.get();
  }

  // The first `count` nodes, for the caller to free; null when memory is exhausted.
  CSimdjsonNode *take(size_t count) {
    const size_t size = count * sizeof(CSimdjsonNode);
    if (room > kKeptNodes) {
      room = 0;
      auto *nodes = kept.release();
      auto *fitting = static_cast<CSimdjsonNode *>(std::realloc(nodes, size));
      return fitting == nullptr ? nodes : fitting;
    }
    auto *copy = static_cast<CSimdjsonNode *>(std::malloc(size));
    if (copy != nullptr) std::memcpy(copy, kept.get(), size);
    return copy;
  }

  void shrink() {
    if (capacity > kKeptCapacity) {
      parser.reset();
      capacity = 0;
    }
    if (room > kKeptNodes) {
      kept.reset();
      room = 0;
    }
  }

 private:
  struct Free {
    void operator()(CSimdjsonNode *nodes) const { std::free(nodes); }
  };

  std::unique_ptr<CSimdjsonNode, Free> kept;
  size_t room = 0;
};

thread_local Scratch scratch;

inline bool is_digit(uint8_t byte) { return uint8_t(byte - '0') < 10; }
inline bool is_space(uint8_t byte) {
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}
inline bool is_hex(uint8_t byte) {
  return is_digit(byte) || uint8_t((byte | 0x20) - 'a') < 6;
}

// Whether a word or number may end before this byte.
inline bool ends_scalar(uint8_t byte) {
  return byte == ',' || byte == '}' || byte == ']' || is_space(byte);
}

// How a byte changes the depth.
struct Nesting {
  int8_t step[256] = {};

  constexpr Nesting() {
    step['{'] = step['['] = 1;
    step['}'] = step[']'] = -1;
  }
};

constexpr Nesting nesting;

struct Walker {
  const uint8_t *text;
  size_t length;
  const uint32_t *structure;
  size_t structure_count;

  Walker(const uint8_t *text, size_t length, const uint32_t *structure, size_t structure_count)
      : text(text), length(length), structure(structure), structure_count(structure_count) {
    find_backslash(0);
  }

  uint8_t at(size_t position) const { return position < length ? text[position] : 0; }

  // The end of the number at `start`, or 0.
  size_t number_end(size_t start, Kind &kind) const {
    size_t i = start;
    kind = kInteger;
    if (at(i) == '-') i++;
    if (at(i) == '0') {
      i++;
    } else {
      if (!is_digit(at(i))) return 0;
      while (is_digit(at(i))) i++;
    }
    if (at(i) == '.') {
      kind = kReal;
      i++;
      if (!is_digit(at(i))) return 0;
      while (is_digit(at(i))) i++;
    }
    if ((at(i) | 0x20) == 'e') {
      kind = kReal;
      i++;
      if (at(i) == '+' || at(i) == '-') i++;
      if (!is_digit(at(i))) return 0;
      while (is_digit(at(i))) i++;
    }
    return i == length || ends_scalar(text[i]) ? i : 0;
  }

  size_t word_end(size_t start, const char *word, size_t count) const {
    if (length - start < count || std::memcmp(text + start, word, count) != 0) return 0;
    const size_t i = start + count;
    return i == length || ends_scalar(text[i]) ? i : 0;
  }

  // The place of the closing quote of the string that `structure[index]` opens, or 0.
  //
  // Between it and the next structural place there is nothing but white space.
  size_t string_end(size_t index, Kind &kind) {
    const size_t start = structure[index] + size_t(1);
    size_t end = index + 1 < structure_count ? structure[index + 1] : length;
    while (end > start && is_space(text[end - 1])) end--;
    if (end <= start || text[end - 1] != '"') return 0;
    end--;
    kind = kText;
    if (next_backslash < start) find_backslash(start);
    if (next_backslash >= end) return end;
    size_t i = next_backslash;
    while (i < end) {
      if (text[i] != '\\') {
        i++;
        continue;
      }
      kind = kEscapedText;
      if (i + 1 >= end) return 0;
      switch (text[i + 1]) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
          i += 2;
          break;
        case 'u':
          if (end - i < 6 || !is_hex(text[i + 2]) || !is_hex(text[i + 3]) ||
              !is_hex(text[i + 4]) || !is_hex(text[i + 5])) {
            return 0;
          }
          i += 6;
          break;
        default:
          return 0;
      }
    }
    find_backslash(end);
    return end;
  }

  // The index behind the value whose colon is at `index`, or 0.
  size_t skip_value(size_t index) const {
    if (index + 1 >= structure_count || text[structure[index]] != ':') return 0;
    // Most of what is skipped lies inside of objects and lists, where only brackets matter: no branch
    // but the one that tells that the value has ended.
    int64_t depth = 0;
    for (size_t i = index + 1; i < structure_count; i++) {
      const uint8_t byte = text[structure[i]];
      depth += nesting.step[byte];
      if (depth <= 0 && (depth < 0 || byte == ',')) return i > index + 1 ? i : 0;
    }
    return 0;
  }

 private:
  // The first backslash that no string so far has, or `length`: most strings have none, and are
  // not looked through.
  size_t next_backslash;

  void find_backslash(size_t from) {
    const void *found = std::memchr(text + from, '\\', length - from);
    next_backslash = found ? size_t(static_cast<const uint8_t *>(found) - text) : length;
  }
};

// Whether the root is to keep the member with this key; of keys with escapes all are kept.
struct Members {
  const CSimdjsonName *names;
  size_t count;

  bool keeps(const uint8_t *key, size_t length, Kind kind) const {
    if (names == nullptr || kind == kEscapedText) return true;
    for (size_t i = 0; i < count; i++) {
      if (names[i].length == length && std::memcmp(names[i].bytes, key, length) == 0) return true;
    }
    return false;
  }
};

inline uint64_t cell(Kind kind, size_t offset, size_t length) {
  return uint64_t(offset) | uint64_t(length) << 32 | uint64_t(kind) << 60;
}

// Fills `tape`, which has room for as many nodes as there are structural places; the number of
// nodes, or 0 when the text is not a document.
//
// Of a member of the root that is not kept only the nesting is checked, besides what simdjson does.
size_t walk(Walker &in, size_t offset, const Members &members, CSimdjsonNode *tape) {
  uint32_t open[CSIMDJSON_MAXIMUM_DEPTH];
  size_t depth = 0;
  size_t used = 0;
  size_t i = 0;
  const size_t n = in.structure_count;

value:
  if (i >= n) return 0;
  {
    const size_t start = in.structure[i];
    Kind kind = kNull;
    size_t end = 0;
    switch (in.text[start]) {
      case '{':
      case '[': {
        const bool object = in.text[start] == '{';
        if (depth == CSIMDJSON_MAXIMUM_DEPTH || i + 1 >= n) return 0;
        open[depth++] = uint32_t(used);
        tape[used++] = {cell(object ? kObject : kArray, offset + start, 0), 0, 0};
        i++;
        if (in.text[in.structure[i]] == (object ? '}' : ']')) goto close;
        if (object) goto key;
        goto value;
      }
      case '"':
        end = in.string_end(i, kind);
        if (end == 0) return 0;
        tape[used] = {cell(kind, offset + start + 1, end - start - 1), uint32_t(used + 1), 0};
        break;
      case 't':
        kind = kTrue;
        end = in.word_end(start, "true", 4);
        break;
      case 'f':
        kind = kFalse;
        end = in.word_end(start, "false", 5);
        break;
      case 'n':
        kind = kNull;
        end = in.word_end(start, "null", 4);
        break;
      default:
        end = in.number_end(start, kind);
        break;
    }
    if (end == 0) return 0;
    if (in.text[start] != '"') {
      tape[used] = {cell(kind, offset + start, end - start), uint32_t(used + 1), 0};
    }
    used++;
    i++;
    goto after;
  }

key:
  if (i >= n || in.text[in.structure[i]] != '"') return 0;
  {
    Kind kind;
    const size_t start = in.structure[i] + size_t(1);
    const size_t end = in.string_end(i, kind);
    if (end == 0) return 0;
    if (depth == 1 && !members.keeps(in.text + start, end - start, kind)) {
      i = in.skip_value(i + 1);
      if (i == 0) return 0;
      goto behind;
    }
    tape[used] = {cell(kind, offset + start, end - start), uint32_t(used + 1), 0};
    used++;
    i++;
    if (i >= n || in.text[in.structure[i]] != ':') return 0;
    i++;
    goto value;
  }

after:
  if (depth == 0) return i == n ? used : 0;
  tape[open[depth - 1]].count++;

behind:
  if (i >= n) return 0;
  {
    const bool object = tape[open[depth - 1]].cell >> 60 == kObject;
    const uint8_t byte = in.text[in.structure[i]];
    if (byte == ',') {
      i++;
      if (object) goto key;
      goto value;
    }
    if (byte == (object ? '}' : ']')) goto close;
    return 0;
  }

close: {
  CSimdjsonNode &node = tape[open[--depth]];
  const size_t start = size_t(node.cell & 0xFFFFFFFF);
  node.cell |= uint64_t(offset + in.structure[i] + 1 - start) << 32;
  node.next = uint32_t(used);
  i++;
  goto after;
}
}

}  // namespace

CSimdjsonTapeStatus csimdjson_tape_build(
    const uint8_t *text, size_t length, size_t offset, const CSimdjsonName *names,
    size_t name_count, CSimdjsonNode **tape, size_t *count) {
  *tape = nullptr;
  *count = 0;
  if (length == 0) return CSimdjsonTapeInvalid;
  if (!scratch.reserve(length)) return CSimdjsonTapeMemory;
  Implementation &parser = *scratch.parser;
  const auto error = parser.stage1(text, length, simdjson::stage1_mode::regular);
  CSimdjsonTapeStatus status = CSimdjsonTapeInvalid;
  if (error == simdjson::MEMALLOC || error == simdjson::CAPACITY) status = CSimdjsonTapeMemory;
  if (!error && parser.n_structural_indexes > 0) {
    const size_t room = parser.n_structural_indexes;
    CSimdjsonNode *nodes = scratch.nodes(room);
    if (nodes == nullptr) {
      status = CSimdjsonTapeMemory;
    } else {
      Walker walker(text, length, parser.structural_indexes.get(), room);
      const size_t used = walk(walker, offset, {names, name_count}, nodes);
      if (used > 0) {
        *tape = scratch.take(used);
        *count = used;
        status = *tape == nullptr ? CSimdjsonTapeMemory : CSimdjsonTapeGood;
      }
    }
  }
  scratch.shrink();
  return status;
}

void csimdjson_tape_free(CSimdjsonNode *tape) { std::free(tape); }
