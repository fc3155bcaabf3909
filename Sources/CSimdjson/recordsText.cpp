#include "recordsText.hpp"

namespace records {

namespace {

void appendScalar(uint32_t value, std::string &out) {
  if (value < 0x80) {
    out.push_back(char(value));
  } else if (value < 0x800) {
    out.push_back(char(0xC0 | value >> 6));
    out.push_back(char(0x80 | (value & 63)));
  } else if (value < 0x10000) {
    out.push_back(char(0xE0 | value >> 12));
    out.push_back(char(0x80 | (value >> 6 & 63)));
    out.push_back(char(0x80 | (value & 63)));
  } else {
    out.push_back(char(0xF0 | value >> 18));
    out.push_back(char(0x80 | (value >> 12 & 63)));
    out.push_back(char(0x80 | (value >> 6 & 63)));
    out.push_back(char(0x80 | (value & 63)));
  }
}

// The length of the well-formed UTF-8 sequence at p (which begins with a byte above 0x7F), or 0.
size_t sequenceLength(const uint8_t *p, size_t available) {
  uint8_t lead = p[0];
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || available < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((p[i] & 0xC0) != 0x80) return 0;
  }
  if (lead == 0xE0 && p[1] < 0xA0) return 0;
  if (lead == 0xED && p[1] > 0x9F) return 0;
  if (lead == 0xF0 && p[1] < 0x90) return 0;
  if (lead == 0xF4 && p[1] > 0x8F) return 0;
  return length;
}

// Whether the bytes up to the end may be the beginning of a sequence.
bool isCut(const uint8_t *p, size_t available) {
  size_t length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
  if (p[0] < 0xC2 || p[0] > 0xF4 || available >= length) return false;
  for (size_t i = 1; i < available; ++i) {
    if ((p[i] & 0xC0) != 0x80) return false;
  }
  return true;
}

}  // namespace

void unescape(const uint8_t *p, const uint8_t *end, std::string &out) {
  while (p < end) {
    const void *found = std::memchr(p, '\\', size_t(end - p));
    const uint8_t *slash = found ? static_cast<const uint8_t *>(found) : end;
    out.append(reinterpret_cast<const char *>(p), size_t(slash - p));
    if (end - slash < 2) return;
    p = slash + 2;
    switch (slash[1]) {
    case 'b': out.push_back('\b'); break;
    case 'f': out.push_back('\f'); break;
    case 'n': out.push_back('\n'); break;
    case 'r': out.push_back('\r'); break;
    case 't': out.push_back('\t'); break;
    case 'u': {
      int unit = hexUnit(p, end);
      if (unit < 0) return;
      p += 4;
      uint32_t value = uint32_t(unit);
      if (value >= 0xD800 && value < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
        int low = hexUnit(p + 2, end);
        if (low >= 0xDC00 && low < 0xE000) {
          value = 0x10000 + ((value - 0xD800) << 10) + uint32_t(low - 0xDC00);
          p += 6;
        }
      }
      appendScalar(value >= 0xD800 && value < 0xE000 ? 0xFFFD : value, out);
      break;
    }
    default: out.push_back(char(slash[1]));
    }
  }
}

LexicalError findLexicalError(const uint8_t *bytes, size_t count) {
  bool inString = false;
  size_t stringStart = 0;
  for (size_t i = 0; i < count;) {
    uint8_t c = bytes[i];
    size_t token = inString ? stringStart : i;
    if (c >= 0x80) {
      size_t length = sequenceLength(bytes + i, count - i);
      if (length == 0) {
        if (inString && isCut(bytes + i, count - i)) break;
        return {CSIMDJSON_BAD_UTF8, i, token};
      }
      i += length;
      continue;
    }
    if (c == '"') {
      if (!inString) stringStart = i;
      inString = !inString;
    } else if (c == '\\') {
      // Outside of strings a backslash is never valid, and would hide the quote behind it.
      if (!inString) return {CSIMDJSON_EXPECTED_VALUE, i, i};
      if (i + 1 < count && bytes[i + 1] < 0x80 && bytes[i + 1] >= 0x20) ++i;
    } else if (inString && c < 0x20) {
      return {CSIMDJSON_CONTROL_CHARACTER, i, token};
    }
    ++i;
  }
  if (inString) return {CSIMDJSON_UNCLOSED_STRING, stringStart, stringStart};
  return {CSIMDJSON_NO_ERROR, count, count};
}

}  // namespace records
