// Records to cells: the reader behind JSONRecordReader.

#include "recordsReader.hpp"

#include <new>

using namespace records;

namespace {

/// A key as it stood at one position of an object in the record before.
struct Remembered {
  uint64_t head;
  uint32_t length;
  int32_t child;
  const uint8_t *bytes;
};

/// What one reader knows of a node of the plan; the parts that every value asks for come first.
struct NodeState {
  /// The first column that wants the value, or -1.
  int32_t column = -1;
  bool hasMoreColumns = false;
  bool hasChildren = false;
  bool hasElements = false;
  /// The object in which this node was last seen.
  uint64_t stamp = 0;
  std::vector<Remembered> keys;
  const Node *node = nullptr;
};

/// A top-level key that the schema does not name, and its value.
struct Surplus {
  size_t key, keyLength, value, valueLength;
};

inline uint64_t load(const uint8_t *p) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  return word;
}

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the first bytes of keys are compared as little-endian words"
#endif

inline uint64_t headOf(const uint8_t *p, size_t length) {
  return length >= 8 ? load(p) : load(p) & ((uint64_t(1) << (length * 8)) - 1);
}

/// Whether two keys of more than eight bytes, the first eight being equal, are equal.
inline bool sameTail(const uint8_t *a, const uint8_t *b, size_t length) {
  if (length > 16) return std::memcmp(a + 8, b + 8, length - 8) == 0;
  return load(a + length - 8) == load(b + length - 8);
}

inline uint64_t cell(Kind kind, size_t offset, size_t length) {
  return uint64_t(offset) | uint64_t(length) << 32 | uint64_t(kind) << 60;
}

}  // namespace

struct CSimdjsonReader : Walker {
  explicit CSimdjsonReader(const CSimdjsonPlan *plan) : plan(plan), states(plan->nodes.size()) {
    for (size_t i = 0; i < states.size(); ++i) {
      const Node &node = plan->nodes[i];
      states[i].node = &node;
      states[i].column = node.columns.empty() ? -1 : int32_t(node.columns[0]);
      states[i].hasMoreColumns = node.columns.size() > 1;
      states[i].hasChildren = !node.children.empty();
      states[i].hasElements = !node.elements.empty();
    }
  }

  void begin(const uint8_t *buffer, size_t start, size_t end, CSimdjsonSeparator separator,
             bool isLast, bool isSameBuffer);
  size_t read(uint64_t *cells, size_t stride, size_t maxRows);

  CSimdjsonStatus status{};
  std::string overflow;

private:
  const CSimdjsonPlan *plan;
  std::vector<NodeState> states;
  size_t offset = 0;
  CSimdjsonSeparator separator = CSIMDJSON_WHITESPACE;
  bool isFirst = true;
  Cursor cursor = nullptr;
  uint64_t objects = 0;
  uint64_t *row = nullptr;
  size_t stride = 0;
  std::vector<Surplus> surplus;
  std::unordered_map<std::string, size_t> surplusIndex;
  std::string unescaped;

  bool separate();
  void stop();
  bool put(const NodeState &state, Kind kind, size_t start, size_t length);
  int32_t find(int32_t node, size_t key, size_t length, bool isEscaped);
  void repeat(int32_t node, size_t key, size_t length);
  Cursor walkObject(Cursor at, int32_t node);
  Cursor walkArray(Cursor at, int32_t node);
  Cursor walkValue(Cursor at, int32_t node);
  Cursor walkRecord(Cursor at);
  void addSurplus(size_t key, size_t length, size_t value, size_t valueLength);
  void writeSurplus();
};

void CSimdjsonReader::begin(const uint8_t *buffer, size_t start, size_t end,
                            CSimdjsonSeparator newSeparator, bool isLast,
                            bool isSameBuffer) {
  offset = start;
  separator = newSeparator;
  isFirst = true;
  status = CSimdjsonStatus{
      CSIMDJSON_MORE, CSIMDJSON_NO_ERROR, start, start, 0, SIZE_MAX};
  // What is remembered of keys points into the buffer before.
  if (!isSameBuffer) {
    for (auto &state : states) state.keys.clear();
  }
  if (end > UINT32_MAX || !structurals.index(buffer + start, end - start, isLast)) {
    status.state = CSIMDJSON_FAILED;
    status.error = end > UINT32_MAX ? CSIMDJSON_TOO_LONG : CSIMDJSON_NO_MEMORY;
    return;
  }
  Walker::start();
  cursor = structurals.begin;
}

inline bool CSimdjsonReader::put(const NodeState &state, Kind kind, size_t start, size_t length) {
  if (state.column < 0) return true;
  if (__builtin_expect(length > maximumLength, 0)) {
    fail(CSIMDJSON_TOO_LONG, start);
    return false;
  }
  uint64_t bits = cell(kind, offset + start, length);
  row[size_t(state.column) * stride] = bits;
  if (__builtin_expect(state.hasMoreColumns, 0)) {
    for (uint32_t column : state.node->columns) row[column * stride] = bits;
  }
  return true;
}

int32_t CSimdjsonReader::find(int32_t node, size_t key, size_t length, bool isEscaped) {
  const auto &children = plan->nodes[size_t(node)].children;
  std::string_view view(reinterpret_cast<const char *>(base + key), length);
  if (isEscaped) {
    unescaped.clear();
    unescape(base + key, base + key + length, unescaped);
    view = unescaped;
  }
  auto found = children.find(view);
  return found == children.end() ? -1 : found->second;
}

// The last of several equal keys counts, so nothing may stay of those before.
void CSimdjsonReader::repeat(int32_t node, size_t key, size_t length) {
  for (uint32_t column : plan->nodes[size_t(node)].subtree) row[column * stride] = 0;
  if (status.duplicate_length == SIZE_MAX) {
    status.duplicate_offset = offset + key;
    status.duplicate_length = length;
  }
}

Cursor CSimdjsonReader::walkObject(Cursor at, int32_t node) {
  if (depth == maximumDepth) return fail(CSIMDJSON_TOO_DEEP, *at);
  ++depth;
  const uint64_t object = ++objects;
  std::vector<Remembered> &remembered = states[size_t(node)].keys;
  const bool gathers = node == 0 && plan->overflow >= 0;
  size_t position = 0;
  Cursor next = at + 1;
  if (next < end && base[*next] == '}') {
    ++next;
  } else {
    for (;;) {
      if (__builtin_expect(next + 1 >= end, 0)) {
        if (next < end && base[*next] != '"') return fail(CSIMDJSON_EXPECTED_KEY, *next);
        return failAtEnd();
      }
      if (base[*next] != '"') return fail(CSIMDJSON_EXPECTED_KEY, *next);
      bool isEscaped;
      size_t key = *next + 1;
      size_t close = closeOfString(*next, next + 1, isEscaped);
      if (!close) return nullptr;
      size_t length = close - key;
      if (base[next[1]] != ':') return fail(CSIMDJSON_EXPECTED_COLON, next[1]);
      next += 2;

      int32_t child;
      uint64_t head = headOf(base + key, length);
      if (position < remembered.size() && remembered[position].head == head &&
          remembered[position].length == length &&
          (length <= 8 || sameTail(base + key, remembered[position].bytes, length))) {
        child = remembered[position].child;
      } else {
        child = find(node, key, length, isEscaped);
        if (length <= UINT32_MAX && position < maximumRemembered) {
          if (position == remembered.size()) remembered.emplace_back();
          if (position < remembered.size()) {
            remembered[position] = {head, uint32_t(length), child, base + key};
          }
        }
      }
      ++position;

      if (child < 0) {
        size_t value = next < end ? *next : 0;
        next = skipValue(next);
        if (!next) return nullptr;
        if (gathers) addSurplus(key, length, value, valueEnd - value);
      } else {
        NodeState &state = states[size_t(child)];
        if (__builtin_expect(state.stamp == object, 0)) repeat(child, key, length);
        state.stamp = object;
        next = walkValue(next, child);
        if (!next) return nullptr;
      }
      if (__builtin_expect(next >= end, 0)) return failAtEnd();
      uint8_t c = base[*next++];
      if (c == ',') continue;
      if (c == '}') break;
      return fail(CSIMDJSON_EXPECTED_COMMA_OR_BRACE, next[-1]);
    }
  }
  --depth;
  valueEnd = next[-1] + 1;
  return next;
}

Cursor CSimdjsonReader::walkArray(Cursor at, int32_t node) {
  if (depth == maximumDepth) return fail(CSIMDJSON_TOO_DEEP, *at);
  ++depth;
  const auto &elements = plan->nodes[size_t(node)].elements;
  auto wanted = elements.begin();
  Cursor next = at + 1;
  if (next < end && base[*next] == ']') {
    ++next;
  } else {
    for (uint64_t index = 0;; ++index) {
      if (wanted != elements.end() && wanted->first == index) {
        next = walkValue(next, wanted->second);
        ++wanted;
      } else {
        next = skipValue(next);
      }
      if (!next) return nullptr;
      if (__builtin_expect(next >= end, 0)) return failAtEnd();
      uint8_t c = base[*next++];
      if (c == ',') continue;
      if (c == ']') break;
      return fail(CSIMDJSON_EXPECTED_COMMA_OR_BRACKET, next[-1]);
    }
  }
  --depth;
  valueEnd = next[-1] + 1;
  return next;
}

Cursor CSimdjsonReader::walkValue(Cursor at, int32_t node) {
  if (__builtin_expect(at >= end, 0)) return failAtEnd();
  size_t start = *at;
  const NodeState &state = states[size_t(node)];
  switch (base[start]) {
  case '"': {
    bool isEscaped;
    size_t close = closeOfString(start, at + 1, isEscaped);
    if (!close) return nullptr;
    valueEnd = close + 1;
    if (!put(state, isEscaped ? escapedText : text, start + 1, close - start - 1)) return nullptr;
    return at + 1;
  }
  case '{': {
    bool isInner = state.hasChildren;
    Cursor next = isInner ? walkObject(at, node) : skipContainer(at);
    if (!next || !put(state, object, start, valueEnd - start)) return nullptr;
    return next;
  }
  case '[': {
    bool isInner = state.hasElements;
    Cursor next = isInner ? walkArray(at, node) : skipContainer(at);
    if (!next || !put(state, array, start, valueEnd - start)) return nullptr;
    return next;
  }
  default: {
    Kind kind;
    size_t scalarEnd = endOfScalar(start, kind);
    if (!scalarEnd) return nullptr;
    valueEnd = scalarEnd;
    if (!put(state, kind, start, scalarEnd - start)) return nullptr;
    return at + 1;
  }
  }
}

Cursor CSimdjsonReader::walkRecord(Cursor at) {
  size_t start = *at;
  if (base[start] == '{') {
    Cursor next = walkObject(at, 0);
    if (!next || !put(states[0], object, start, valueEnd - start)) return nullptr;
    return next;
  }
  // Anything else is a record with the one field `value`.
  Cursor next = nullptr;
  int32_t valueNode = plan->valueNode();
  if (base[start] == '[' && !plan->nodes[0].elements.empty()) {
    next = walkValue(at, 0);
    if (!next) return nullptr;
    nextBackslash = base;
  } else if (!plan->nodes[0].columns.empty()) {
    next = walkValue(at, 0);
    if (!next) return nullptr;
    nextBackslash = base;
  }
  if (valueNode >= 0) {
    next = walkValue(at, valueNode);
  } else if (!next) {
    next = skipValue(at);
  }
  if (!next) return nullptr;
  if (valueNode < 0 && plan->overflow >= 0) {
    surplus.push_back({SIZE_MAX, 0, start, valueEnd - start});
  }
  return next;
}

void CSimdjsonReader::addSurplus(size_t key, size_t length, size_t value, size_t valueLength) {
  auto equal = [&](const Surplus &other) {
    return other.keyLength == length && std::memcmp(base + other.key, base + key, length) == 0;
  };
  auto meaning = [&](size_t start, size_t count) {
    std::string text;
    unescape(base + start, base + start + count, text);
    return text;
  };
  Surplus *same = nullptr;
  bool hasEscape = std::memchr(base + key, '\\', length) != nullptr;
  if (!hasEscape && surplus.size() < 16 && surplusIndex.empty()) {
    for (Surplus &other : surplus) {
      if (equal(other)) same = &other;
    }
  } else {
    if (surplusIndex.empty()) {
      for (size_t i = 0; i < surplus.size(); ++i) {
        surplusIndex.emplace(meaning(surplus[i].key, surplus[i].keyLength), i);
      }
    }
    auto [entry, isNew] = surplusIndex.emplace(meaning(key, length), surplus.size());
    if (!isNew) same = &surplus[entry->second];
  }
  if (!same) {
    surplus.push_back({key, length, value, valueLength});
    return;
  }
  same->value = value;
  same->valueLength = valueLength;
  if (status.duplicate_length == SIZE_MAX) {
    status.duplicate_offset = offset + key;
    status.duplicate_length = length;
  }
}

void CSimdjsonReader::writeSurplus() {
  size_t start = overflow.size();
  for (const Surplus &field : surplus) {
    overflow.push_back(overflow.size() == start ? '{' : ',');
    overflow.push_back('"');
    if (field.key == SIZE_MAX) {
      overflow.append("value");
    } else {
      overflow.append(reinterpret_cast<const char *>(base + field.key), field.keyLength);
    }
    overflow.append("\":");
    overflow.append(reinterpret_cast<const char *>(base + field.value), field.valueLength);
  }
  overflow.push_back('}');
  if (overflow.size() - start > maximumLength) {
    fail(CSIMDJSON_TOO_LONG, surplus[0].value);
    overflow.resize(start);
    return;
  }
  row[size_t(plan->overflow) * stride] = cell(object, start, overflow.size() - start);
}

// Says why reading ends here, after `fail` or behind the last structural.
void CSimdjsonReader::stop() {
  bool isAtEnd = error == CSIMDJSON_EARLY_END || error == CSIMDJSON_UNCLOSED_STRING;
  if (isAtEnd && structurals.isOpen) {
    status.state = CSIMDJSON_INSIDE;
  } else {
    status.state = CSIMDJSON_FAILED;
    status.error = error;
  }
  status.position = offset + errorPosition;
}

// Reads what stands between two records; false when there is no further record.
bool CSimdjsonReader::separate() {
  if (cursor >= end) {
    if (structurals.endError == CSIMDJSON_EARLY_END) {
      status.state = CSIMDJSON_END;
      status.position = offset + structurals.count;
    } else {
      failAtEnd();
      stop();
    }
    return false;
  }
  if (isFirst) return true;
  if (separator == CSIMDJSON_SINGLE) {
    fail(CSIMDJSON_EXPECTED_END, *cursor);
    stop();
    return false;
  }
  if (separator == CSIMDJSON_COMMA) {
    if (base[*cursor] != ',') {
      fail(CSIMDJSON_EXPECTED_COMMA, *cursor);
      stop();
      return false;
    }
    ++cursor;
    if (cursor >= end) {
      if (structurals.isOpen || structurals.endError != CSIMDJSON_EARLY_END) {
        failAtEnd();
      } else {
        fail(CSIMDJSON_EXPECTED_VALUE, structurals.endPosition);
      }
      stop();
      return false;
    }
  }
  return true;
}

size_t CSimdjsonReader::read(uint64_t *cells, size_t newStride, size_t maxRows) {
  stride = newStride;
  overflow.clear();
  size_t rows = 0;
  const size_t columnCount = plan->columnCount;
  while (rows < maxRows && status.state == CSIMDJSON_MORE && separate()) {
    row = cells + rows;
    for (size_t column = 0; column < columnCount; ++column) row[column * stride] = 0;
    depth = 0;
    surplus.clear();
    if (!surplusIndex.empty()) surplusIndex.clear();
    Cursor next = walkRecord(cursor);
    if (next && !surplus.empty()) {
      writeSurplus();
      if (error != CSIMDJSON_NO_ERROR) next = nullptr;
    }
    if (!next) {
      stop();
      break;
    }
    cursor = next;
    status.consumed = offset + valueEnd;
    isFirst = false;
    ++rows;
  }
  return rows;
}

CSimdjsonReader *csimdjson_reader_create(const CSimdjsonPlan *plan) {
  return new (std::nothrow) CSimdjsonReader(plan);
}

void csimdjson_reader_destroy(CSimdjsonReader *reader) { delete reader; }

void csimdjson_reader_begin(CSimdjsonReader *reader, const uint8_t *buffer, size_t start,
                            size_t end, CSimdjsonSeparator separator, bool is_last,
                            bool same_buffer) {
  reader->begin(buffer, start, end, separator, is_last, same_buffer);
}

size_t csimdjson_reader_read(CSimdjsonReader *reader, uint64_t *cells, size_t stride,
                             size_t max_rows) {
  return reader->read(cells, stride, max_rows);
}

CSimdjsonStatus csimdjson_reader_status(const CSimdjsonReader *reader) { return reader->status; }

CSimdjsonBytes csimdjson_reader_overflow(const CSimdjsonReader *reader) {
  return {reinterpret_cast<const uint8_t *>(reader->overflow.data()), reader->overflow.size()};
}
