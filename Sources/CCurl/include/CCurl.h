#ifndef CCURL_H
#define CCURL_H

// Types and constants only: no symbol of libcurl is linked, all are looked up by `ccurl_load`.
#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

/// Receives a piece of a header or a body; gives how much of it was taken.
typedef size_t (*ccurl_sink)(char *data, size_t size, size_t count, void *context);

/// Loads libcurl, once; any thread may call it. Gives nil, or what is missing.
const char *ccurl_load(void);

/// The version of the loaded library, such as `7.88.1`.
const char *ccurl_version(void);

void *ccurl_easy_init(void);
void ccurl_easy_cleanup(void *easy);
void ccurl_easy_reset(void *easy);
const char *ccurl_easy_strerror(int code);
int ccurl_set_long(void *easy, int option, long value);
int ccurl_set_text(void *easy, int option, const char *value);
int ccurl_set_pointer(void *easy, int option, void *value);
int ccurl_set_sink(void *easy, int option, ccurl_sink value);
int ccurl_set_body(void *easy, const void *bytes, size_t count);
long ccurl_get_long(void *easy, int info);
int64_t ccurl_get_offset(void *easy, int info);
void *ccurl_get_private(void *easy);

void *ccurl_list_append(void *list, const char *text);
void ccurl_list_free(void *list);

void *ccurl_multi_init(void);
void ccurl_multi_cleanup(void *multi);
int ccurl_multi_set_long(void *multi, int option, long value);
int ccurl_multi_add(void *multi, void *easy);
int ccurl_multi_remove(void *multi, void *easy);
int ccurl_multi_perform(void *multi, int *running);
int ccurl_multi_poll(void *multi, int milliseconds);
int ccurl_multi_wakeup(void *multi);

/// The next finished transfer with its result, or nil.
void *ccurl_multi_finished(void *multi, int *result);

/// What a decoder takes: gzip and zlib streams, raw deflate, Brotli, zstd.
enum { CCURL_ZLIB, CCURL_RAW_DEFLATE, CCURL_BROTLI, CCURL_ZSTD };

/// A decoder; nil when its library is missing or memory is short.
void *ccurl_decoder_new(int kind);
void ccurl_decoder_free(void *decoder);

/// Decodes some input; the counts come back as what was read and written.
/// Gives 0 when there may be more, 1 at the end of the stream, -1 for malformed input.
int ccurl_decode(void *decoder, const void *in, size_t *in_count, void *out, size_t *out_count);

/// Prepares for what follows the stream that ended and begins with the byte `next`.
/// Gives 1 for a further stream, 0 for what is to be ignored, -1 when that fails.
int ccurl_decoder_restart(void *decoder, int next);

#endif
