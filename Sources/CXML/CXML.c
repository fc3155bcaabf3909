// For RTLD_DEFAULT.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CXML.h"

#include <CLoading.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// From libxml2's parser.h: values of a stable interface, so that its headers are not needed.
enum {
  PARSE_RECOVER = 1 << 0,
  PARSE_NOERROR = 1 << 5,
  PARSE_NOWARNING = 1 << 6,
  PARSE_NONET = 1 << 11,
  PARSE_NOCDATA = 1 << 14,
  PARSE_HUGE = 1 << 19,
};

// The beginning of libxml2's xmlError, unchanged since 2.6.
typedef struct {
  int domain;
  int code;
  char *message;
  int level;
  char *file;
  int line;
  char *texts[3];
  int number;
  int column;
} xml_error;

static struct {
  void (*init)(void);
  void *(*read_memory)(const char *, int, const char *, const char *, int);
  void (*free_doc)(void *);
  const xml_error *(*last_error)(void);
  void (*reset_error)(void);
  void *(*walker)(void *);
  void (*free_reader)(void *);
  int (*read)(void *);
  int (*node_type)(void *);
  int (*depth)(void *);
  int (*is_empty)(void *);
  const unsigned char *(*local_name)(void *);
  const unsigned char *(*prefix)(void *);
  const unsigned char *(*namespace_uri)(void *);
  const unsigned char *(*value)(void *);
  int (*next_attribute)(void *);
  int (*is_namespace)(void *);
  int (*to_element)(void *);
} xml;

static int xml_is_loaded;
static pthread_once_t xml_once = PTHREAD_ONCE_INIT;

static void load_xml(void) {
  static const char *const names[] = {
      "libxml2.so.2", "libxml2.so.16", "libxml2.2.dylib", "libxml2.16.dylib", "libxml2.dylib",
      "/usr/lib/libxml2.2.dylib", "libxml2.so"};
  static const cloading_symbol symbols[] = {
      {"xmlInitParser", &xml.init},
      {"xmlReadMemory", &xml.read_memory},
      {"xmlFreeDoc", &xml.free_doc},
      {"xmlGetLastError", &xml.last_error},
      {"xmlResetLastError", &xml.reset_error},
      {"xmlReaderWalker", &xml.walker},
      {"xmlFreeTextReader", &xml.free_reader},
      {"xmlTextReaderRead", &xml.read},
      {"xmlTextReaderNodeType", &xml.node_type},
      {"xmlTextReaderDepth", &xml.depth},
      {"xmlTextReaderIsEmptyElement", &xml.is_empty},
      {"xmlTextReaderConstLocalName", &xml.local_name},
      {"xmlTextReaderConstPrefix", &xml.prefix},
      {"xmlTextReaderConstNamespaceUri", &xml.namespace_uri},
      {"xmlTextReaderConstValue", &xml.value},
      {"xmlTextReaderMoveToNextAttribute", &xml.next_attribute},
      {"xmlTextReaderIsNamespaceDecl", &xml.is_namespace},
      {"xmlTextReaderMoveToElement", &xml.to_element},
  };
  if (cloading_load("libxml2", names, CLOADING_COUNT(names), symbols, CLOADING_COUNT(symbols))) {
    return;
  }
  xml.init();
  xml_is_loaded = 1;
}

int cxml_load(void) {
  pthread_once(&xml_once, load_xml);
  return xml_is_loaded;
}

cxml_document *cxml_parse(const char *bytes, size_t size, int recovers, int *line, int *column,
                          char *message, size_t message_size) {
  *line = 0;
  *column = 0;
  if (message_size > 0) message[0] = 0;
  if (!cxml_load() || size > INT_MAX) return NULL;
  int options = PARSE_NONET | PARSE_NOERROR | PARSE_NOWARNING | PARSE_NOCDATA;
  if (recovers) options |= PARSE_RECOVER;
  // Without it libxml2 ends at ten million bytes. Entities, which it would let grow, never get here.
  if (size > 9000000) options |= PARSE_HUGE;
  xml.reset_error();
  void *document = xml.read_memory(bytes, (int)size, NULL, "UTF-8", options);
  if (document == NULL) {
    const xml_error *error = xml.last_error();
    if (error != NULL) {
      *line = error->line;
      *column = error->column;
      if (error->message != NULL) snprintf(message, message_size, "%s", error->message);
    }
  }
  xml.reset_error();
  return document;
}

void cxml_free_document(cxml_document *document) { xml.free_doc(document); }

cxml_walker *cxml_walk(cxml_document *document) { return xml.walker(document); }
void cxml_free_walker(cxml_walker *walker) { xml.free_reader(walker); }

int cxml_next(cxml_walker *walker) { return xml.read(walker); }
int cxml_kind(cxml_walker *walker) { return xml.node_type(walker); }
int cxml_depth(cxml_walker *walker) { return xml.depth(walker); }
int cxml_is_empty(cxml_walker *walker) { return xml.is_empty(walker) == 1; }

const char *cxml_local_name(cxml_walker *walker) { return (const char *)xml.local_name(walker); }
const char *cxml_prefix(cxml_walker *walker) { return (const char *)xml.prefix(walker); }
const char *cxml_namespace(cxml_walker *walker) {
  return (const char *)xml.namespace_uri(walker);
}
const char *cxml_value(cxml_walker *walker) { return (const char *)xml.value(walker); }

int cxml_next_attribute(cxml_walker *walker) { return xml.next_attribute(walker) == 1; }
int cxml_is_namespace_declaration(cxml_walker *walker) { return xml.is_namespace(walker) == 1; }
void cxml_leave_attributes(cxml_walker *walker) { xml.to_element(walker); }

// iconv is part of the C library on Linux and a library of its own on macOS.
static struct {
  void *(*open)(const char *, const char *);
  size_t (*convert)(void *, char **, size_t *, char **, size_t *);
  int (*close)(void *);
} conversion;

static int conversion_is_loaded;
static pthread_once_t conversion_once = PTHREAD_ONCE_INIT;

static void load_conversion(void) {
  void *library = RTLD_DEFAULT;
#ifdef __APPLE__
  library = dlopen("/usr/lib/libiconv.2.dylib", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
#endif
  // GNU's library of its own has other names than the one in the C library.
  static const cloading_symbol plain[] = {
      {"iconv_open", &conversion.open},
      {"iconv", &conversion.convert},
      {"iconv_close", &conversion.close},
  };
  static const cloading_symbol prefixed[] = {
      {"libiconv_open", &conversion.open},
      {"libiconv", &conversion.convert},
      {"libiconv_close", &conversion.close},
  };
  conversion_is_loaded = !cloading_find(library, plain, CLOADING_COUNT(plain)) ||
                         !cloading_find(library, prefixed, CLOADING_COUNT(prefixed));
}

cxml_converter *cxml_open_converter(const char *encoding) {
  pthread_once(&conversion_once, load_conversion);
  if (!conversion_is_loaded) return NULL;
  void *converter = conversion.open("UTF-8", encoding);
  return converter == (void *)-1 ? NULL : converter;
}

void cxml_close_converter(cxml_converter *converter) { conversion.close(converter); }

int cxml_convert(cxml_converter *converter, const char **in, size_t *in_left, char **out,
                 size_t *out_left) {
  size_t result = conversion.convert(converter, (char **)in, in_left, out, out_left);
  if (result != (size_t)-1) return 0;
  if (errno == E2BIG) return 1;
  return errno == EINVAL ? 3 : 2;
}
