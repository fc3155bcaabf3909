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

// libcurl takes a compressed body that ends too early for complete, so bodies are decoded here.
static struct {
  int (*init)(z_stream *, int, const char *, int);
  int (*run)(z_stream *, int);
  int (*reset)(z_stream *);
  int (*end)(z_stream *);
} zlib;

static int has_zlib;
static pthread_once_t zlib_once = PTHREAD_ONCE_INIT;
static const char *const zlib_names[] = {"libz.so.1", "libz.1.dylib", "libz.dylib"};

static void load_zlib(void) {
  static const cloading_symbol symbols[] = {
      {"inflate", &zlib.run},
      {"inflateReset", &zlib.reset},
      {"inflateEnd", &zlib.end},
      {"inflateInit2_", &zlib.init},
  };
  has_zlib = !cloading_load("zlib", zlib_names, CLOADING_COUNT(zlib_names), symbols,
                            CLOADING_COUNT(symbols));
}

void *ccurl_inflate_new(int raw) {
  pthread_once(&zlib_once, load_zlib);
  if (!has_zlib) return NULL;
  z_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  // 32 added to the window size: gzip and zlib are told apart by their headers.
  if (zlib.init(stream, raw ? -15 : 15 + 32, ZLIB_VERSION, (int)sizeof *stream) != Z_OK) {
    free(stream);
    return NULL;
  }
  return stream;
}

void ccurl_inflate_free(void *stream) {
  if (!stream) return;
  zlib.end(stream);
  free(stream);
}

int ccurl_inflate(void *context, const void *in, size_t *in_count, void *out, size_t *out_count) {
  z_stream *stream = context;
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

int ccurl_inflate_restart(void *stream) { return zlib.reset(stream) == Z_OK ? 0 : -1; }
