#pragma once

#include "CSimdjsonDocument.h"

// The hot path of JSON reading: simdjson finds the structural characters, the walker here checks the
// grammar and writes cells. See records.cpp.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The paths that are looked for in each record; immutable once built, so threads may share it.
typedef struct CSimdjsonPlan CSimdjsonPlan;
/// What one thread needs to read records; reused from chunk to chunk.
typedef struct CSimdjsonReader CSimdjsonReader;
/// Collects the keys or the leaf paths of many values.
typedef struct CSimdjsonPaths CSimdjsonPaths;

typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} CSimdjsonBytes;

/// How records follow each other.
typedef enum {
  CSIMDJSON_WHITESPACE = 0,
  CSIMDJSON_COMMA = 1,
  CSIMDJSON_SINGLE = 2,
} CSimdjsonSeparator;

/// Where reading stands.
typedef enum {
  /// The batch is full; there may be more.
  CSIMDJSON_MORE = 0,
  /// The range ended behind a whole record.
  CSIMDJSON_END = 1,
  /// The range ended inside a record and is not the last one.
  CSIMDJSON_INSIDE = 2,
  /// A record is malformed.
  CSIMDJSON_FAILED = 3,
} CSimdjsonState;

/// What is wrong with a record.
typedef enum {
  CSIMDJSON_NO_ERROR = 0,
  CSIMDJSON_EARLY_END,
  CSIMDJSON_EXPECTED_VALUE,
  CSIMDJSON_EXPECTED_KEY,
  CSIMDJSON_EXPECTED_COLON,
  CSIMDJSON_EXPECTED_COMMA_OR_BRACE,
  CSIMDJSON_EXPECTED_COMMA_OR_BRACKET,
  CSIMDJSON_EXPECTED_COMMA,
  CSIMDJSON_EXPECTED_END,
  CSIMDJSON_BAD_NUMBER,
  CSIMDJSON_BAD_LITERAL,
  CSIMDJSON_BAD_ESCAPE,
  CSIMDJSON_BAD_UTF8,
  CSIMDJSON_CONTROL_CHARACTER,
  CSIMDJSON_UNCLOSED_STRING,
  CSIMDJSON_TOO_DEEP,
  CSIMDJSON_TOO_LONG,
  CSIMDJSON_NO_MEMORY,
} CSimdjsonError;

typedef struct {
  CSimdjsonState state;
  CSimdjsonError error;
  /// Offset in the buffer of what is wrong.
  size_t position;
  /// Offset in the buffer behind the last whole record.
  size_t consumed;
  /// The raw key that was first seen twice in one object, as offset and length; length is SIZE_MAX when none.
  size_t duplicate_offset;
  size_t duplicate_length;
} CSimdjsonStatus;

CSimdjsonPlan *_Nullable csimdjson_plan_create(void);
void csimdjson_plan_destroy(CSimdjsonPlan *_Nonnull plan);
/// Wants the value at a path in a column; an empty path is the whole record.
void csimdjson_plan_add(CSimdjsonPlan *_Nonnull plan, uint32_t column,
                        const CSimdjsonBytes *_Nullable elements, size_t count);
/// Gathers top-level keys that no path begins with in a column, as JSON objects.
void csimdjson_plan_set_overflow(CSimdjsonPlan *_Nonnull plan, uint32_t column);

/// Says that records that are no objects have no field `value`.
void csimdjson_plan_set_no_value_field(CSimdjsonPlan *_Nonnull plan);

/// The plan must outlive the reader.
CSimdjsonReader *_Nullable csimdjson_reader_create(const CSimdjsonPlan *_Nonnull plan);
void csimdjson_reader_destroy(CSimdjsonReader *_Nonnull reader);
/// Starts reading `start..<end` of `buffer`, behind which 64 more bytes can be read.
///
/// `same_buffer` says that the call before was on the same bytes, so that keys seen there still count.
void csimdjson_reader_begin(CSimdjsonReader *_Nonnull reader, const uint8_t *_Nonnull buffer,
                            size_t start, size_t end, CSimdjsonSeparator separator, bool is_last,
                            bool same_buffer);
/// Writes up to `max_rows` rows; column c begins at cells + c * stride. Returns how many were written.
size_t csimdjson_reader_read(CSimdjsonReader *_Nonnull reader, uint64_t *_Nonnull cells,
                             size_t stride, size_t max_rows);
CSimdjsonStatus csimdjson_reader_status(const CSimdjsonReader *_Nonnull reader);
/// The bytes that the overflow cells of the last batch point into.
CSimdjsonBytes csimdjson_reader_overflow(const CSimdjsonReader *_Nonnull reader);

CSimdjsonPaths *_Nullable csimdjson_paths_create(void);
void csimdjson_paths_destroy(CSimdjsonPaths *_Nonnull paths);
/// Notes the top-level keys of up to `max_records` records; returns the number of whole records seen.
size_t csimdjson_paths_add_keys(CSimdjsonPaths *_Nonnull paths, const uint8_t *_Nonnull buffer,
                                size_t start, size_t end, CSimdjsonSeparator separator,
                                size_t max_records);
/// Notes the leaf paths of one object.
void csimdjson_paths_add_leaves(CSimdjsonPaths *_Nonnull paths, const uint8_t *_Nonnull buffer,
                                size_t start, size_t end);
/// The number of paths noted, in first-seen order.
size_t csimdjson_paths_count(const CSimdjsonPaths *_Nonnull paths);
/// The number of elements of path `path`.
size_t csimdjson_paths_depth(const CSimdjsonPaths *_Nonnull paths, size_t path);
/// One element of path `path`, unescaped.
CSimdjsonBytes csimdjson_paths_element(const CSimdjsonPaths *_Nonnull paths, size_t path,
                                       size_t element);

/// Scans bytes for the places where a document, or an element of the top-level array, ends.
typedef struct {
  uint32_t depth;
  bool in_string;
  bool escaped;
} CSimdjsonScan;

/// Scans on from `start` to the next cut; returns the offset behind it, or `end` when not `found`.
///
/// Without `commas` a cut is where a document may end: a bracket that closes to depth 0, a closing
/// quote or a line end at depth 0. With it, a comma at depth 0, or the bracket that closes the array.
/// Cuts before `accept` do not count, except for the close of the array.
size_t csimdjson_scan(CSimdjsonScan *_Nonnull scan, const uint8_t *_Nonnull bytes, size_t start,
                      size_t end, bool commas, size_t accept, bool *_Nonnull found);

/// The offset of the first `byte`, or SIZE_MAX.
size_t csimdjson_first(const uint8_t *_Nonnull bytes, size_t count, uint8_t byte);
/// The offset of the last `byte`, or SIZE_MAX.
size_t csimdjson_last(const uint8_t *_Nonnull bytes, size_t count, uint8_t byte);

/// Reads a decimal number that fills `bytes`; false when it is none. Overflow gives an infinity.
bool csimdjson_parse_double(const uint8_t *_Nonnull bytes, size_t count, double *_Nonnull result);

#ifdef __cplusplus
}
#endif
