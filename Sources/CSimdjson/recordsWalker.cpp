#include "recordsReader.hpp"

#include <algorithm>
#include <new>

namespace records {

bool Structurals::run(size_t length, bool &isSound) {
  if (!parser || capacity < length) {
    size_t wanted = std::max<size_t>(length, 64 * 1024);
    parser.reset();
    capacity = 0;
    auto failure = simdjson::get_active_implementation()->create_dom_parser_implementation(
        wanted, 1, parser);
    if (failure != simdjson::SUCCESS || !parser) return false;
    capacity = wanted;
  }
  auto outcome = parser->stage1(base, length, simdjson::stage1_mode::regular);
  isSound = outcome == simdjson::SUCCESS || outcome == simdjson::EMPTY;
  begin = parser->structural_indexes.get();
  end = begin + (outcome == simdjson::SUCCESS ? parser->n_structural_indexes : 0);
  return outcome != simdjson::CAPACITY && outcome != simdjson::MEMALLOC;
}

bool Structurals::index(const uint8_t *bytes, size_t length, bool isLast) {
  base = bytes;
  count = length;
  endError = CSIMDJSON_EARLY_END;
  endPosition = length;
  isOpen = !isLast;
  begin = end = nullptr;
  if (length == 0) return true;
  bool isSound = false;
  if (!run(length, isSound)) return false;
  if (isSound) return true;
  // Something is wrong somewhere: the records before it must come out all the same.
  LexicalError found = findLexicalError(bytes, length);
  endError = found.error == CSIMDJSON_NO_ERROR ? CSIMDJSON_EXPECTED_VALUE : found.error;
  endPosition = found.position;
  isOpen = !isLast && found.error == CSIMDJSON_UNCLOSED_STRING;
  count = std::min(found.tokenStart, length - 1);
  begin = end = nullptr;
  if (count == 0) return true;
  if (!run(count, isSound)) return false;
  if (!isSound) begin = end = nullptr;
  return true;
}

bool Walker::checkEscapes(size_t open, size_t close, bool &isEscaped) {
  const uint8_t *closing = base + close;
  const uint8_t *first = nextBackslash;
  if (first < base + open) {
    const void *found = std::memchr(base + open, '\\', close - open);
    first = found ? static_cast<const uint8_t *>(found) : closing;
  }
  isEscaped = first < closing;
  if (isEscaped) {
    if (const uint8_t *bad = findBadEscape(first, closing)) {
      fail(CSIMDJSON_BAD_ESCAPE, size_t(bad - base));
      return false;
    }
  }
  const void *found = std::memchr(closing, '\\', size_t(limit - closing));
  nextBackslash = found ? static_cast<const uint8_t *>(found) : limit;
  return true;
}

// The scalars that the fast path gave up on: malformed ones, and the last one of the range.
size_t Walker::lastScalar(size_t position, Kind &kind) {
  const uint8_t *p = base + position;
  const uint8_t *stop = p;
  while (stop < limit && !endsScalar(*stop)) ++stop;
  if (stop == limit && (structurals.isOpen || structurals.endError != CSIMDJSON_EARLY_END)) {
    // What is there may be cut off; that it is wrong shows when the rest has come.
    failAtEnd();
    return 0;
  }
  size_t length = size_t(stop - p);
  auto is = [&](const char *word) {
    return length == std::strlen(word) && std::memcmp(p, word, length) == 0;
  };
  if (isDigit(*p) || *p == '-') {
    bool isReal;
    const uint8_t *numberEnd = scanNumber(p, stop, isReal);
    if (numberEnd != stop) {
      fail(CSIMDJSON_BAD_NUMBER, position);
      return 0;
    }
    kind = isReal ? real : integer;
  } else if (is("true")) {
    kind = yes;
  } else if (is("false")) {
    kind = no;
  } else if (is("null")) {
    kind = null;
  } else {
    bool isWord = (*p | 0x20) >= 'a' && (*p | 0x20) <= 'z';
    fail(isWord ? CSIMDJSON_BAD_LITERAL : CSIMDJSON_EXPECTED_VALUE, position);
    return 0;
  }
  return size_t(stop - base);
}

Cursor Walker::skipValue(Cursor at) {
  if (at >= end) return failAtEnd();
  switch (base[*at]) {
  case '"': {
    bool isEscaped;
    size_t close = closeOfString(*at, at + 1, isEscaped);
    if (!close) return nullptr;
    valueEnd = close + 1;
    return at + 1;
  }
  case '{':
  case '[':
    return skipContainer(at);
  default: {
    Kind kind;
    size_t scalarEnd = endOfScalar(*at, kind);
    if (!scalarEnd) return nullptr;
    valueEnd = scalarEnd;
    return at + 1;
  }
  }
}

Cursor Walker::skipContainer(Cursor at) {
  // One bit per level says whether it is an object; the depth is the caller's input to bound.
  uint64_t levels[maximumDepth / 64 + 1];
  const uint32_t outer = depth;
  uint32_t level = depth;
  bool isEscaped, isObject;
  Kind kind;
  Cursor cursor = at;

open:
  isObject = base[*cursor] == '{';
  if (level == maximumDepth) return fail(CSIMDJSON_TOO_DEEP, *cursor);
  ++level;
  if (isObject) {
    levels[level / 64] |= uint64_t(1) << (level % 64);
  } else {
    levels[level / 64] &= ~(uint64_t(1) << (level % 64));
  }
  ++cursor;
  if (__builtin_expect(cursor >= end, 0)) return failAtEnd();
  if (isObject) {
    if (base[*cursor] == '}') goto close;
    goto key;
  }
  if (base[*cursor] == ']') goto close;
  goto value;

key:
  if (__builtin_expect(cursor + 1 >= end, 0)) {
    if (cursor < end && base[*cursor] != '"') return fail(CSIMDJSON_EXPECTED_KEY, *cursor);
    return failAtEnd();
  }
  if (base[*cursor] != '"') return fail(CSIMDJSON_EXPECTED_KEY, *cursor);
  if (!closeOfString(*cursor, cursor + 1, isEscaped)) return nullptr;
  ++cursor;
  if (base[*cursor] != ':') return fail(CSIMDJSON_EXPECTED_COLON, *cursor);
  ++cursor;

value:
  if (__builtin_expect(cursor >= end, 0)) return failAtEnd();
  switch (base[*cursor]) {
  case '"':
    if (!closeOfString(*cursor, cursor + 1, isEscaped)) return nullptr;
    ++cursor;
    break;
  case '{':
  case '[':
    goto open;
  default:
    if (!endOfScalar(*cursor, kind)) return nullptr;
    ++cursor;
  }

after:
  if (__builtin_expect(cursor >= end, 0)) return failAtEnd();
  if (base[*cursor] == ',') {
    ++cursor;
    if (isObject) goto key;
    goto value;
  }
  if (base[*cursor] != (isObject ? '}' : ']')) {
    return fail(
        isObject ? CSIMDJSON_EXPECTED_COMMA_OR_BRACE : CSIMDJSON_EXPECTED_COMMA_OR_BRACKET,
        *cursor);
  }

close:
  ++cursor;
  --level;
  if (level == outer) {
    valueEnd = cursor[-1] + 1;
    return cursor;
  }
  isObject = levels[level / 64] >> (level % 64) & 1;
  goto after;
}

}  // namespace records
