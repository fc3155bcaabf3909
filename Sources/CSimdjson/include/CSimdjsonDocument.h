#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One value, or one key of an object, in document order.
typedef struct {
  /// Offset (32 bits), length (28 bits) and kind (4 bits), as `AggregateCore.Cell` has them.
  uint64_t cell;
  /// The index of the node behind this one and all that is inside it.
  uint32_t next;
  /// How many elements or members an array or object has.
  uint32_t count;
} CSimdjsonNode;

/// The name of a member, without escapes.
typedef struct {
  const uint8_t *_Nonnull bytes;
  size_t length;
} CSimdjsonName;

/// How building a tape ended.
typedef enum {
  CSimdjsonTapeGood = 0,
  /// The text is not a JSON document.
  CSimdjsonTapeInvalid = 1,
  /// Memory is exhausted.
  CSimdjsonTapeMemory = 2,
} CSimdjsonTapeStatus;

/// Nests of objects and arrays deeper than this are invalid.
#define CSIMDJSON_MAXIMUM_DEPTH 1024

/// Builds the tape of the `length` bytes at `text`, which lie at `offset` of their buffer.
///
/// An object is followed by key, value, key, value …; an array by its elements. `length` must be
/// less than 2^28 and `offset + length` less than 2^32. Nothing behind `text + length` is read.
/// With `names`, members of the root that have another name are checked and left out.
/// The tape is to be freed with `csimdjson_tape_free`.
CSimdjsonTapeStatus csimdjson_tape_build(
    const uint8_t *_Nonnull text, size_t length, size_t offset,
    const CSimdjsonName *_Nullable names, size_t name_count,
    CSimdjsonNode *_Nullable *_Nonnull tape, size_t *_Nonnull count);
void csimdjson_tape_free(CSimdjsonNode *_Nullable tape);

#ifdef __cplusplus
}
#endif
