#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled pattern; matching it from several threads is safe.
typedef struct CRE2Pattern CRE2Pattern;

/// A part of the text, or `start < 0` for a group that took no part in the match.
typedef struct {
  ptrdiff_t start;
  ptrdiff_t end;
} CRE2Span;

/// Compiles `pattern`; never null unless memory is exhausted. Ask `cre2_error` whether it is good.
CRE2Pattern *_Nullable cre2_new(
    const char *_Nullable pattern, size_t length, bool ignore_case, bool dot_matches_newline,
    bool multi_line);
void cre2_free(CRE2Pattern *_Nonnull pattern);

/// RE2's error code, 0 when the pattern is good.
int cre2_error(const CRE2Pattern *_Nonnull pattern);
/// RE2's words for the error; they live as long as the pattern.
const char *_Nonnull cre2_error_text(const CRE2Pattern *_Nonnull pattern);
/// The part of the pattern that is wrong; it lives as long as the pattern.
const char *_Nonnull cre2_error_part(
    const CRE2Pattern *_Nonnull pattern, size_t *_Nonnull length);

/// How many groups the pattern has, the whole match not counted.
int cre2_group_count(const CRE2Pattern *_Nonnull pattern);

/// Whether the pattern matches the text from `start` on; fills `count` spans (0: the whole match).
bool cre2_match(
    const CRE2Pattern *_Nonnull pattern, const char *_Nullable text, size_t length, size_t start,
    bool whole, CRE2Span *_Nullable spans, int count);

/// What is wrong with a template for replacing, into `message` (cut to `capacity`); true when good.
bool cre2_check_template(
    const CRE2Pattern *_Nonnull pattern, const char *_Nullable text, size_t length,
    char *_Nonnull message, size_t capacity);

/// Replaces the first or all matches; `result` is then to be freed with `cre2_free_text`.
///
/// Returns how many were replaced; `result` is null when that is none, or when it is negative
/// because memory is exhausted.
int cre2_replace(
    const CRE2Pattern *_Nonnull pattern, const char *_Nullable text, size_t length,
    const char *_Nullable with, size_t with_length, bool all, char *_Nullable *_Nonnull result,
    size_t *_Nonnull result_length);
void cre2_free_text(char *_Nullable text);

#ifdef __cplusplus
}
#endif
