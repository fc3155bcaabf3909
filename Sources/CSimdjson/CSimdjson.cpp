// Small byte tools: number conversion and byte search.

#include "CSimdjson.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

// strtod depends on the locale, but this program never leaves the "C" locale.
double slowDouble(const uint8_t *bytes, size_t count) {
  std::string copy(reinterpret_cast<const char *>(bytes), count);
  return std::strtod(copy.c_str(), nullptr);
}

bool isDigit(uint8_t byte) { return uint8_t(byte - '0') < 10; }

// Digits, an optional fraction and an optional exponent, nothing else.
bool looksDecimal(const uint8_t *p, size_t count) {
  size_t i = count > 0 && p[0] == '-' ? 1 : 0;
  if (i == count || !isDigit(p[i])) return false;
  for (; i < count; ++i) {
    uint8_t c = p[i];
    if (!isDigit(c) && c != '.' && c != 'e' && c != 'E' && c != '+' && c != '-') return false;
  }
  return isDigit(p[count - 1]);
}

}  // namespace

bool csimdjson_parse_double(const uint8_t *bytes, size_t count, double *result) {
  if (!looksDecimal(bytes, count)) return false;
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
  const char *first = reinterpret_cast<const char *>(bytes);
  double value = 0;
  auto [end, error] = std::from_chars(first, first + count, value);
  if (end != first + count) return false;
  if (error == std::errc::result_out_of_range) value = slowDouble(bytes, count);
  *result = value;
  return true;
#else
  std::string copy(reinterpret_cast<const char *>(bytes), count);
  char *end = nullptr;
  *result = std::strtod(copy.c_str(), &end);
  return end == copy.c_str() + count;
#endif
}

size_t csimdjson_first(const uint8_t *bytes, size_t count, uint8_t byte) {
  const void *found = std::memchr(bytes, byte, count);
  return found ? size_t(static_cast<const uint8_t *>(found) - bytes) : SIZE_MAX;
}

size_t csimdjson_last(const uint8_t *bytes, size_t count, uint8_t byte) {
#if defined(__linux__)
  const void *found = memrchr(bytes, byte, count);
  return found ? size_t(static_cast<const uint8_t *>(found) - bytes) : SIZE_MAX;
#else
  while (count > 0) {
    if (bytes[--count] == byte) return count;
  }
  return SIZE_MAX;
#endif
}
