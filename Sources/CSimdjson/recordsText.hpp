// Byte-level rules of JSON that the walkers share: strings, numbers, literals, lexical errors.

#pragma once

#include "CSimdjson.h"

#include <cstring>
#include <string>

namespace records {

inline bool isDigit(uint8_t byte) { return uint8_t(byte - '0') < 10; }
inline bool isSpace(uint8_t c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Whether a number or a literal may end before `c`.
inline bool endsScalar(uint8_t c) {
  switch (c) {
  case ' ':
  case '\n':
  case '\r':
  case '\t':
  case ',':
  case ':':
  case '[':
  case ']':
  case '{':
  case '}':
    return true;
  default:
    return false;
  }
}

inline int hexValue(uint8_t c) {
  if (isDigit(c)) return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// The value of four hexadecimal digits, or -1.
inline int hexUnit(const uint8_t *p, const uint8_t *end) {
  if (end - p < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    int digit = hexValue(p[i]);
    if (digit < 0) return -1;
    value = value << 4 | digit;
  }
  return value;
}

/// How many of the eight bytes at `p` are digits, from the first on.
inline size_t leadingDigits(const uint8_t *p) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  uint64_t digits = word ^ 0x3030303030303030ull;
  uint64_t others = (digits | (digits + 0x7676767676767676ull)) & 0x8080808080808080ull;
  return others ? size_t(__builtin_ctzll(others)) >> 3 : 8;
}

/// Scans a number in JSON's form; nullptr when it is none.
///
/// A byte that is no part of a number must stand somewhere behind it. Eight digits at a time,
/// because a loop over digits is mispredicted at the end of nearly every number.
inline const uint8_t *scanNumberFast(const uint8_t *p, bool &isReal) {
  auto skipDigits = [](const uint8_t *q) {
    size_t digits = leadingDigits(q);
    q += digits;
    while (__builtin_expect(digits == 8, 0)) {
      digits = leadingDigits(q);
      q += digits;
    }
    return q;
  };
  isReal = false;
  p += *p == '-';
  const uint8_t *end = skipDigits(p);
  if (__builtin_expect(end == p || (*p == '0' && end != p + 1), 0)) return nullptr;
  p = end;
  if (*p == '.') {
    isReal = true;
    end = skipDigits(p + 1);
    if (__builtin_expect(end == p + 1, 0)) return nullptr;
    p = end;
  }
  if (__builtin_expect((*p | 0x20) == 'e', 0)) {
    isReal = true;
    ++p;
    if (*p == '+' || *p == '-') ++p;
    end = skipDigits(p);
    if (end == p) return nullptr;
    p = end;
  }
  return p;
}

/// Scans a number in JSON's form that ends before `end`; nullptr when it is none.
inline const uint8_t *scanNumber(const uint8_t *p, const uint8_t *end, bool &isReal) {
  auto digit = [&](const uint8_t *q) { return q < end && isDigit(*q); };
  isReal = false;
  if (p < end && *p == '-') ++p;
  if (!digit(p)) return nullptr;
  if (*p == '0') {
    ++p;
  } else {
    do ++p;
    while (digit(p));
  }
  if (p < end && *p == '.') {
    isReal = true;
    ++p;
    if (!digit(p)) return nullptr;
    do ++p;
    while (digit(p));
  }
  if (p < end && (*p | 0x20) == 'e') {
    isReal = true;
    ++p;
    if (p < end && (*p == '+' || *p == '-')) ++p;
    if (!digit(p)) return nullptr;
    do ++p;
    while (digit(p));
  }
  return p;
}

/// The first malformed escape between `p`, a backslash, and `end`; nullptr when there is none.
inline const uint8_t *findBadEscape(const uint8_t *p, const uint8_t *end) {
  while (p < end) {
    if (*p != '\\') {
      p = static_cast<const uint8_t *>(std::memchr(p, '\\', size_t(end - p)));
      if (!p) return nullptr;
    }
    if (end - p < 2) return p;
    switch (p[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      p += 2;
      break;
    case 'u':
      if (hexUnit(p + 2, end) < 0) return p;
      p += 6;
      break;
    default:
      return p;
    }
  }
  return nullptr;
}

/// Appends what the inside of a valid JSON string means; a lone surrogate becomes U+FFFD.
void unescape(const uint8_t *p, const uint8_t *end, std::string &out);

/// The first byte that can be in no JSON text, whatever the grammar says.
struct LexicalError {
  CSimdjsonError error;
  /// Where the error is.
  size_t position;
  /// Where the token with the error begins: all before it is lexically sound.
  size_t tokenStart;
};

/// Finds the first lexical error; byte by byte, for chunks that are known to have one.
LexicalError findLexicalError(const uint8_t *bytes, size_t count);

}  // namespace records
