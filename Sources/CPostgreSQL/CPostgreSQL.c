#include "CPostgreSQL.h"

#include <CLoading.h>
#include <limits.h>
#include <pthread.h>

// From libpq-fe.h: values of a stable interface, so that its headers are not needed.
enum { CONNECTION_OK = 0 };
enum { COMMAND_OK = 1, TUPLES_OK = 2, COPY_IN = 4 };

static struct {
  int (*libVersion)(void);
  void *(*connectdb)(const char *);
  int (*status)(const void *);
  void (*finish)(void *);
  char *(*errorMessage)(const void *);
  void *(*setNoticeProcessor)(void *, void (*)(void *, const char *), void *);
  void *(*exec)(void *, const char *);
  int (*resultStatus)(const void *);
  int (*ntuples)(const void *);
  int (*getisnull)(const void *, int, int);
  char *(*getvalue)(const void *, int, int);
  void (*clear)(void *);
  int (*putCopyData)(void *, const char *, int);
  int (*putCopyEnd)(void *, const char *);
  void *(*getResult)(void *);
} api;

static const char *problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define SYMBOL(name) {"PQ" #name, &api.name}

static void load(void) {
  static const char *const names[] = {
      "libpq.so.5", "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
      "/usr/local/opt/libpq/lib/libpq.5.dylib", "libpq.so"};
  static const cloading_symbol symbols[] = {
      SYMBOL(libVersion),
      SYMBOL(connectdb),
      SYMBOL(status),
      SYMBOL(finish),
      SYMBOL(errorMessage),
      SYMBOL(setNoticeProcessor),
      SYMBOL(exec),
      SYMBOL(resultStatus),
      SYMBOL(ntuples),
      SYMBOL(getisnull),
      SYMBOL(getvalue),
      SYMBOL(clear),
      SYMBOL(putCopyData),
      SYMBOL(putCopyEnd),
      SYMBOL(getResult),
  };
  problem = cloading_load("libpq", names, CLOADING_COUNT(names), symbols, CLOADING_COUNT(symbols));
}

const char *cpostgresql_load(void) {
  pthread_once(&once, load);
  return problem;
}

int cpostgresql_version(void) { return api.libVersion(); }

// Without one, libpq writes notices to standard error.
static void ignore_notice(void *context, const char *message) {
  (void)context;
  (void)message;
}

void *cpostgresql_connect(const char *address) {
  void *connection = api.connectdb(address);
  if (connection) api.setNoticeProcessor(connection, ignore_notice, NULL);
  return connection;
}

int cpostgresql_is_open(void *connection) {
  return connection && api.status(connection) == CONNECTION_OK;
}

void cpostgresql_close(void *connection) {
  if (connection) api.finish(connection);
}

const char *cpostgresql_message(void *connection) { return api.errorMessage(connection); }

int cpostgresql_run(void *connection, const char *command, void **result) {
  *result = api.exec(connection, command);
  int status = api.resultStatus(*result);
  return status == COMMAND_OK || status == TUPLES_OK;
}

int cpostgresql_row_count(void *result) { return api.ntuples(result); }

const char *cpostgresql_value(void *result, int row, int column) {
  return api.getisnull(result, row, column) ? NULL : api.getvalue(result, row, column);
}

void cpostgresql_free(void *result) {
  if (result) api.clear(result);
}

int cpostgresql_copy_begin(void *connection, const char *command) {
  void *result = api.exec(connection, command);
  int begun = api.resultStatus(result) == COPY_IN;
  api.clear(result);
  return begun;
}

int cpostgresql_copy_put(void *connection, const char *bytes, size_t count) {
  while (count > 0) {
    int part = count > INT_MAX / 2 ? INT_MAX / 2 : (int)count;
    if (api.putCopyData(connection, bytes, part) != 1) return 0;
    bytes += part;
    count -= (size_t)part;
  }
  return 1;
}

int cpostgresql_copy_end(void *connection) {
  if (api.putCopyEnd(connection, NULL) != 1) return 0;
  int is_good = 1;
  void *result;
  while ((result = api.getResult(connection))) {
    if (api.resultStatus(result) != COMMAND_OK) is_good = 0;
    api.clear(result);
  }
  return is_good;
}
