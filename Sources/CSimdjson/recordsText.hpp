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

/// Scans a number in JSON's form that ends before `end`; nullptr when it is none.
///
/// Without `Bounded` a byte that is no part of a number must stand somewhere behind it.
template <bool Bounded>
inline const uint8_t *scanNumber(const uint8_t *p, const uint8_t *end, bool &isReal) {
  auto digit = [&](const uint8_t *q) { return (!Bounded || q < end) && isDigit(*q); };
  isReal = false;
  if (*p == '-') ++p;
  if (!digit(p)) return nullptr;
  if (*p == '0') {
    ++p;
  } else {
    do ++p;
    while (digit(p));
  }
  if ((!Bounded || p < end) && *p == '.') {
    isReal = true;
    ++p;
    if (!digit(p)) return nullptr;
    do ++p;
    while (digit(p));
  }
  if ((!Bounded || p < end) && (*p | 0x20) == 'e') {
    isReal = true;
    ++p;
    if ((!Bounded || p < end) && (*p == '+' || *p == '-')) ++p;
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
