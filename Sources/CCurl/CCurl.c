#include "CCurl.h"

#include <CLoading.h>
#include <pthread.h>
#include <stdlib.h>
#include <zlib.h>

// The macros of the header check argument types of the functions that are looked up here by name.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static struct {
  CURLcode (*global_init)(long);
  curl_version_info_data *(*version_info)(CURLversion);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  void (*easy_reset)(CURL *);
  const char *(*easy_strerror)(CURLcode);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  CURLM *(*multi_init)(void);
  CURLMcode (*multi_cleanup)(CURLM *);
  CURLMcode (*multi_setopt)(CURLM *, CURLMoption, ...);
  CURLMcode (*multi_add_handle)(CURLM *, CURL *);
  CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
  CURLMcode (*multi_perform)(CURLM *, int *);
  CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd *, unsigned int, int, int *);
  CURLMcode (*multi_wakeup)(CURLM *);
  CURLMsg *(*multi_info_read)(CURLM *, int *);
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *problem;

static const char *const names[] = {
    "libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib", "libcurl.dylib",
    "/opt/homebrew/opt/curl/lib/libcurl.4.dylib", "/usr/local/opt/curl/lib/libcurl.4.dylib",
};

#define SYMBOL(name) {"curl_" #name, &api.name}

static void load(void) {
  static const cloading_symbol symbols[] = {
      SYMBOL(global_init),
      SYMBOL(version_info),
      SYMBOL(easy_init),
      SYMBOL(easy_cleanup),
      SYMBOL(easy_reset),
      SYMBOL(easy_strerror),
      SYMBOL(easy_setopt),
      SYMBOL(easy_getinfo),
      SYMBOL(slist_append),
      SYMBOL(slist_free_all),
      SYMBOL(multi_init),
      SYMBOL(multi_cleanup),
      SYMBOL(multi_setopt),
      SYMBOL(multi_add_handle),
      SYMBOL(multi_remove_handle),
      SYMBOL(multi_perform),
      SYMBOL(multi_poll),
      SYMBOL(multi_wakeup),
      SYMBOL(multi_info_read),
  };
  problem =
      cloading_load("libcurl", names, CLOADING_COUNT(names), symbols, CLOADING_COUNT(symbols));
  if (problem) return;
  if (api.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) problem = "libcurl could not be started";
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return problem;
}

const char *ccurl_version(void) { return api.version_info(CURLVERSION_NOW)->version; }

void *ccurl_easy_init(void) { return api.easy_init(); }
void ccurl_easy_cleanup(void *easy) { api.easy_cleanup(easy); }
void ccurl_easy_reset(void *easy) { api.easy_reset(easy); }
const char *ccurl_easy_strerror(int code) { return api.easy_strerror((CURLcode)code); }

int ccurl_set_long(void *easy, int option, long value) {
  return (int)api.easy_setopt(easy, (CURLoption)option, value);
}

int ccurl_set_text(void *easy, int option, const char *value) {
  return (int)api.easy_setopt(easy, (CURLoption)option, value);
}

int ccurl_set_pointer(void *easy, int option, void *value) {
  return (int)api.easy_setopt(easy, (CURLoption)option, value);
}

int ccurl_set_sink(void *easy, int option, ccurl_sink value) {
  return (int)api.easy_setopt(easy, (CURLoption)option, value);
}

int ccurl_set_body(void *easy, const void *bytes, size_t count) {
  CURLcode code = api.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  if (code == CURLE_OK) code = api.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
  return (int)code;
}

long ccurl_get_long(void *easy, int info) {
  long value = 0;
  api.easy_getinfo(easy, (CURLINFO)info, &value);
  return value;
}

int64_t ccurl_get_offset(void *easy, int info) {
  curl_off_t value = 0;
  api.easy_getinfo(easy, (CURLINFO)info, &value);
  return (int64_t)value;
}

void *ccurl_get_private(void *easy) {
  char *value = NULL;
  api.easy_getinfo(easy, CURLINFO_PRIVATE, &value);
  return value;
}

void *ccurl_list_append(void *list, const char *text) { return api.slist_append(list, text); }
void ccurl_list_free(void *list) { api.slist_free_all(list); }

void *ccurl_multi_init(void) { return api.multi_init(); }
void ccurl_multi_cleanup(void *multi) { api.multi_cleanup(multi); }

int ccurl_multi_set_long(void *multi, int option, long value) {
  return (int)api.multi_setopt(multi, (CURLMoption)option, value);
}

int ccurl_multi_add(void *multi, void *easy) { return (int)api.multi_add_handle(multi, easy); }

int ccurl_multi_remove(void *multi, void *easy) {
  return (int)api.multi_remove_handle(multi, easy);
}

int ccurl_multi_perform(void *multi, int *running) {
  return (int)api.multi_perform(multi, running);
}

int ccurl_multi_poll(void *multi, int milliseconds) {
  return (int)api.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

int ccurl_multi_wakeup(void *multi) { return (int)api.multi_wakeup(multi); }

void *ccurl_multi_finished(void *multi, int *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = api.multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *result = (int)message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

// libcurl takes a compressed body that ends too early for complete, so bodies are decoded here, by
// libraries that libcurl has brought in as a rule. Only zlib's header is needed: the functions of the
// others are declared here as their stable interfaces have them.

typedef struct {
  const void *src;
  size_t size;
  size_t pos;
} zstd_in;

typedef struct {
  void *dst;
  size_t size;
  size_t pos;
} zstd_out;

static struct {
  int (*init)(z_stream *, int, const char *, int);
  int (*run)(z_stream *, int);
  int (*reset)(z_stream *);
  int (*end)(z_stream *);
} zlib;

static struct {
  void *(*create)(void *, void *, void *);
  int (*run)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
  void (*destroy)(void *);
} brotli;

static struct {
  void *(*create)(void);
  size_t (*run)(void *, zstd_out *, zstd_in *);
  unsigned (*is_error)(size_t);
  size_t (*destroy)(void *);
} zstd;

static int has_zlib, has_brotli, has_zstd;
static pthread_once_t zlib_once = PTHREAD_ONCE_INIT;
static pthread_once_t brotli_once = PTHREAD_ONCE_INIT;
static pthread_once_t zstd_once = PTHREAD_ONCE_INIT;

static void load_zlib(void) {
  static const char *const names[] = {"libz.so.1", "libz.1.dylib", "libz.dylib"};
  static const cloading_symbol symbols[] = {
      {"inflate", &zlib.run},
      {"inflateReset", &zlib.reset},
      {"inflateEnd", &zlib.end},
      {"inflateInit2_", &zlib.init},
  };
  has_zlib =
      !cloading_load("zlib", names, CLOADING_COUNT(names), symbols, CLOADING_COUNT(symbols));
}

static void load_brotli(void) {
  static const char *const names[] = {
      "libbrotlidec.so.1", "libbrotlidec.1.dylib", "/opt/homebrew/lib/libbrotlidec.1.dylib",
      "/usr/local/lib/libbrotlidec.1.dylib"};
  static const cloading_symbol symbols[] = {
      {"BrotliDecoderCreateInstance", &brotli.create},
      {"BrotliDecoderDecompressStream", &brotli.run},
      {"BrotliDecoderDestroyInstance", &brotli.destroy},
  };
  has_brotli =
      !cloading_load("brotli", names, CLOADING_COUNT(names), symbols, CLOADING_COUNT(symbols));
}

static void load_zstd(void) {
  static const char *const names[] = {"libzstd.so.1", "libzstd.1.dylib",
                                      "/opt/homebrew/lib/libzstd.1.dylib",
                                      "/usr/local/lib/libzstd.1.dylib"};
  static const cloading_symbol symbols[] = {
      {"ZSTD_createDCtx", &zstd.create},
      {"ZSTD_decompressStream", &zstd.run},
      {"ZSTD_isError", &zstd.is_error},
      {"ZSTD_freeDCtx", &zstd.destroy},
  };
  has_zstd =
      !cloading_load("zstd", names, CLOADING_COUNT(names), symbols, CLOADING_COUNT(symbols));
}

typedef struct {
  int kind;
  z_stream zlib;
  void *other;
} decoder;

void *ccurl_decoder_new(int kind) {
  decoder *it = calloc(1, sizeof *it);
  if (!it) return NULL;
  it->kind = kind;
  int is_fine = 0;
  if (kind == CCURL_BROTLI) {
    pthread_once(&brotli_once, load_brotli);
    is_fine = has_brotli && (it->other = brotli.create(NULL, NULL, NULL));
  } else if (kind == CCURL_ZSTD) {
    pthread_once(&zstd_once, load_zstd);
    is_fine = has_zstd && (it->other = zstd.create());
  } else {
    pthread_once(&zlib_once, load_zlib);
    // 32 added to the window size: gzip and zlib are told apart by their headers.
    int window = kind == CCURL_RAW_DEFLATE ? -15 : 15 + 32;
    is_fine =
        has_zlib && zlib.init(&it->zlib, window, ZLIB_VERSION, (int)sizeof it->zlib) == Z_OK;
  }
  if (is_fine) return it;
  free(it);
  return NULL;
}

void ccurl_decoder_free(void *context) {
  decoder *it = context;
  if (!it) return;
  if (it->kind == CCURL_BROTLI) {
    brotli.destroy(it->other);
  } else if (it->kind == CCURL_ZSTD) {
    zstd.destroy(it->other);
  } else {
    zlib.end(&it->zlib);
  }
  free(it);
}

static int run_zlib(z_stream *stream, const void *in, size_t *in_count, void *out,
                    size_t *out_count) {
  stream->next_in = (Bytef *)in;
  stream->avail_in = (uInt)*in_count;
  stream->next_out = out;
  stream->avail_out = (uInt)*out_count;
  int code = zlib.run(stream, Z_NO_FLUSH);
  *in_count -= stream->avail_in;
  *out_count -= stream->avail_out;
  if (code == Z_STREAM_END) return 1;
  return code == Z_OK || code == Z_BUF_ERROR ? 0 : -1;
}

static int run_brotli(void *state, const void *in, size_t *in_count, void *out,
                      size_t *out_count) {
  const uint8_t *next_in = in;
  uint8_t *next_out = out;
  size_t in_left = *in_count, out_left = *out_count;
  int code = brotli.run(state, &in_left, &next_in, &out_left, &next_out, NULL);
  *in_count -= in_left;
  *out_count -= out_left;
  // 0 is an error and 1 the end; 2 and 3 ask for more input and for more room.
  return code == 1 ? 1 : code == 0 ? -1 : 0;
}

static int run_zstd(void *state, const void *in, size_t *in_count, void *out, size_t *out_count) {
  zstd_in input = {in, *in_count, 0};
  zstd_out output = {out, *out_count, 0};
  size_t left = zstd.run(state, &output, &input);
  *in_count = input.pos;
  *out_count = output.pos;
  return zstd.is_error(left) ? -1 : left == 0 ? 1 : 0;
}

int ccurl_decode(void *context, const void *in, size_t *in_count, void *out, size_t *out_count) {
  decoder *it = context;
  if (it->kind == CCURL_BROTLI) return run_brotli(it->other, in, in_count, out, out_count);
  if (it->kind == CCURL_ZSTD) return run_zstd(it->other, in, in_count, out, out_count);
  return run_zlib(&it->zlib, in, in_count, out, out_count);
}

int ccurl_decoder_restart(void *context, int next) {
  decoder *it = context;
  // Behind a frame of zstd only another one may stand, which its decoder expects anyway.
  if (it->kind == CCURL_ZSTD) return 1;
  // Behind a member of gzip there may be another one; all else is padding.
  if (it->kind == CCURL_BROTLI || next != 0x1F) return 0;
  return zlib.reset(&it->zlib) == Z_OK ? 1 : -1;
}
