// Walks the structural characters that simdjson's first stage found.
//
// Every function that walks takes the cursor (the next structural) and returns the cursor behind
// what it read, or nullptr after `fail`. The cursor travels in a register: kept in the object, each
// store of a cell would force it through memory.

#pragma once

#include "recordsPlan.hpp"
#include "recordsText.hpp"

#include <simdjson.h>

#include <memory>

namespace records {

constexpr uint32_t maximumDepth = 1024;
constexpr size_t maximumLength = (size_t(1) << 28) - 1;
/// How many keys of an object are remembered for the next record.
constexpr size_t maximumRemembered = 1024;

/// The kinds of Cell.swift.
enum Kind : uint64_t { absent, null, text, escapedText, integer, real, yes, no, object, array };

using Cursor = const uint32_t *;

/// What simdjson's first stage says of a range of bytes.
class Structurals {
public:
  /// Indexes `count` bytes; false when that needs more memory than there is.
  bool index(const uint8_t *bytes, size_t count, bool isLast);

  const uint8_t *base = nullptr;
  size_t count = 0;
  Cursor begin = nullptr;
  Cursor end = nullptr;
  /// What the end of the structurals means when a record has not ended there.
  CSimdjsonError endError = CSIMDJSON_EARLY_END;
  size_t endPosition = 0;
  /// Whether more bytes may follow.
  bool isOpen = false;

private:
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  size_t capacity = 0;
  bool run(size_t length, bool &isSound);
};

/// Checks values without keeping anything of them.
class Walker {
public:
  Structurals structurals;
  CSimdjsonError error = CSIMDJSON_NO_ERROR;
  size_t errorPosition = 0;
  /// Where the last value ended, relative to the base.
  size_t valueEnd = 0;

  Cursor fail(CSimdjsonError code, size_t position) {
    if (error == CSIMDJSON_NO_ERROR) {
      error = code;
      errorPosition = position;
    }
    return nullptr;
  }

  [[gnu::noinline]] Cursor failAtEnd() {
    return fail(structurals.endError, structurals.endPosition);
  }

  [[gnu::noinline]] Cursor unexpected(CSimdjsonError code, Cursor at) {
    return at >= end ? failAtEnd() : fail(code, *at);
  }

  /// Starts on the range that was just indexed.
  void start() {
    base = structurals.base;
    end = structurals.end;
    limit = base + structurals.count;
    error = CSIMDJSON_NO_ERROR;
    depth = 0;
    const void *found =
        structurals.count ? std::memchr(base, '\\', structurals.count) : nullptr;
    nextBackslash = found ? static_cast<const uint8_t *>(found) : limit;
  }

  /// The closing quote of the string that opens at `open`; `next` is the structural behind it.
  ///
  /// Sets `isEscaped`; returns 0 after `fail`.
  inline size_t closeOfString(size_t open, Cursor next, bool &isEscaped) {
    size_t close = *next - 1;
    while (base[close] != '"' && close > open) --close;
    if (__builtin_expect(close <= open, 0)) {
      failAtEnd();
      return 0;
    }
    isEscaped = nextBackslash < base + close;
    if (__builtin_expect(isEscaped, 0)) return checkEscapes(open, close, isEscaped) ? close : 0;
    return close;
  }

  /// Checks a number or a literal at `position`; returns its end or 0 after `fail`.
  [[gnu::always_inline]] inline size_t endOfScalar(size_t position, Kind &kind) {
    const uint8_t *p = base + position;
    const uint8_t *scalarEnd;
    uint8_t c = *p;
    if (isDigit(c) || c == '-') {
      bool isReal;
      scalarEnd = scanNumberFast(p, isReal);
      if (__builtin_expect(!scalarEnd || scalarEnd >= limit, 0)) return lastScalar(position, kind);
      kind = isReal ? real : integer;
    } else if (c == 't' && std::memcmp(p, "true", 4) == 0) {
      scalarEnd = p + 4;
      kind = yes;
    } else if (c == 'f' && std::memcmp(p, "false", 5) == 0) {
      scalarEnd = p + 5;
      kind = no;
    } else if (c == 'n' && std::memcmp(p, "null", 4) == 0) {
      scalarEnd = p + 4;
      kind = null;
    } else {
      return lastScalar(position, kind);
    }
    if (__builtin_expect(scalarEnd >= limit || !endsScalar(*scalarEnd), 0)) {
      return lastScalar(position, kind);
    }
    return size_t(scalarEnd - base);
  }

  /// Checks the value whose first structural is `at`; sets `valueEnd`.
  Cursor skipValue(Cursor at);

protected:
  const uint8_t *base = nullptr;
  const uint8_t *limit = nullptr;
  Cursor end = nullptr;
  uint32_t depth = 0;
  const uint8_t *nextBackslash = nullptr;

  bool checkEscapes(size_t open, size_t close, bool &isEscaped);
  size_t lastScalar(size_t position, Kind &kind);
  Cursor skipContainer(Cursor at);
};

}  // namespace records
