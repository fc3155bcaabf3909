#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <stddef.h>

// libpq, looked up at run time: nothing of it is needed to build or to start.

/// Loads libpq, once; any thread may call it. Gives nil, or what is missing.
const char *cpostgresql_load(void);

/// The version of the loaded library, such as 150014.
int cpostgresql_version(void);

/// A connection, to be closed in any case; whether it works, `is_open` tells.
void *cpostgresql_connect(const char *address);
int cpostgresql_is_open(void *connection);
void cpostgresql_close(void *connection);

/// What went wrong last.
const char *cpostgresql_message(void *connection);

/// Runs a command. Gives 1 when it went well, and for a query its rows.
int cpostgresql_run(void *connection, const char *command, void **result);
int cpostgresql_row_count(void *result);
/// The text of a value; nil for NULL.
const char *cpostgresql_value(void *result, int row, int column);
void cpostgresql_free(void *result);

/// Begins `COPY … FROM STDIN`, sends its bytes, and ends it; each gives 1 when it went well.
int cpostgresql_copy_begin(void *connection, const char *command);
int cpostgresql_copy_put(void *connection, const char *bytes, size_t count);
int cpostgresql_copy_end(void *connection);

#endif
