#ifndef CDUCKDB_H
#define CDUCKDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The part of DuckDB's C interface that is used here, looked up at run time: nothing of DuckDB is
// needed to build or to start. Names are those of DuckDB without `duckdb_`.

typedef void *cduckdb_handle;

/// A result, of which only the library knows what is inside.
typedef struct {
  uint64_t counts[3];
  void *pointers[3];
} cduckdb_result;

/// A text in a vector: up to twelve bytes are in place, longer ones behind a pointer.
typedef struct {
  uint32_t length;
  char prefix[4];
  union {
    char rest[8];
    const char *pointer;
  } tail;
} cduckdb_string;

/// Where the elements of a list lie in the vector of all elements.
typedef struct {
  uint64_t offset;
  uint64_t length;
} cduckdb_list_entry;

/// The numbers that stand for types; they are part of DuckDB's stable interface.
typedef enum {
  CDUCKDB_BOOLEAN = 1,
  CDUCKDB_TINYINT = 2,
  CDUCKDB_SMALLINT = 3,
  CDUCKDB_INTEGER = 4,
  CDUCKDB_BIGINT = 5,
  CDUCKDB_UTINYINT = 6,
  CDUCKDB_USMALLINT = 7,
  CDUCKDB_UINTEGER = 8,
  CDUCKDB_UBIGINT = 9,
  CDUCKDB_FLOAT = 10,
  CDUCKDB_DOUBLE = 11,
  CDUCKDB_TIMESTAMP = 12,
  CDUCKDB_DATE = 13,
  CDUCKDB_TIME = 14,
  CDUCKDB_HUGEINT = 16,
  CDUCKDB_VARCHAR = 17,
  CDUCKDB_BLOB = 18,
  CDUCKDB_DECIMAL = 19,
  CDUCKDB_TIMESTAMP_S = 20,
  CDUCKDB_TIMESTAMP_MS = 21,
  CDUCKDB_TIMESTAMP_NS = 22,
  CDUCKDB_ENUM = 23,
  CDUCKDB_LIST = 24,
  CDUCKDB_STRUCT = 25,
  CDUCKDB_MAP = 26,
  CDUCKDB_UUID = 27,
  CDUCKDB_TIMESTAMP_TZ = 31,
  CDUCKDB_UHUGEINT = 32,
  CDUCKDB_ARRAY = 33,
  CDUCKDB_SQLNULL = 36,
} cduckdb_type;

/// Statement types and pending states that matter here.
enum { CDUCKDB_SELECT = 1 };
enum { CDUCKDB_READY = 0, CDUCKDB_NOT_READY = 1, CDUCKDB_FAILED = 2, CDUCKDB_NO_TASKS = 3 };

/// The functions, once they were loaded. Those that give an int give 0 when all went well.
typedef struct {
  const char *(*library_version)(void);
  void (*free)(void *);

  int (*create_config)(cduckdb_handle *);
  int (*set_config)(cduckdb_handle, const char *name, const char *value);
  void (*destroy_config)(cduckdb_handle *);
  int (*open_ext)(const char *path, cduckdb_handle *, cduckdb_handle config,
                  char **error);
  void (*close)(cduckdb_handle *);
  int (*connect)(cduckdb_handle, cduckdb_handle *);
  void (*disconnect)(cduckdb_handle *);
  void (*interrupt)(cduckdb_handle);

  int (*query)(cduckdb_handle, const char *, cduckdb_result *);
  void (*destroy_result)(cduckdb_result *);
  const char *(*result_error)(cduckdb_result *);
  uint64_t (*column_count)(cduckdb_result *);
  cduckdb_handle (*column_logical_type)(cduckdb_result *, uint64_t);
  cduckdb_handle (*fetch_chunk)(cduckdb_result);

  int (*prepare)(cduckdb_handle, const char *, cduckdb_handle *);
  void (*destroy_prepare)(cduckdb_handle *);
  const char *(*prepare_error)(cduckdb_handle);
  int (*prepared_statement_type)(cduckdb_handle);
  uint64_t (*nparams)(cduckdb_handle);
  uint64_t (*prepared_statement_column_count)(cduckdb_handle);
  const char *(*prepared_statement_column_name)(cduckdb_handle, uint64_t);
  cduckdb_handle (*prepared_statement_column_logical_type)(cduckdb_handle, uint64_t);
  int (*pending_prepared_streaming)(cduckdb_handle, cduckdb_handle *);
  const char *(*pending_error)(cduckdb_handle);
  int (*pending_execute_task)(cduckdb_handle);
  int (*execute_pending)(cduckdb_handle, cduckdb_result *);
  void (*destroy_pending)(cduckdb_handle *);

  cduckdb_handle (*create_logical_type)(cduckdb_type);
  cduckdb_handle (*create_decimal_type)(uint8_t width, uint8_t scale);
  void (*logical_type_set_alias)(cduckdb_handle, const char *);
  char *(*logical_type_get_alias)(cduckdb_handle);
  void (*destroy_logical_type)(cduckdb_handle *);
  cduckdb_type (*get_type_id)(cduckdb_handle);
  uint8_t (*decimal_scale)(cduckdb_handle);
  cduckdb_type (*decimal_internal_type)(cduckdb_handle);
  cduckdb_type (*enum_internal_type)(cduckdb_handle);
  uint32_t (*enum_dictionary_size)(cduckdb_handle);
  char *(*enum_dictionary_value)(cduckdb_handle, uint64_t);
  cduckdb_handle (*list_type_child_type)(cduckdb_handle);
  cduckdb_handle (*array_type_child_type)(cduckdb_handle);
  uint64_t (*array_type_array_size)(cduckdb_handle);
  cduckdb_handle (*map_type_key_type)(cduckdb_handle);
  cduckdb_handle (*map_type_value_type)(cduckdb_handle);
  uint64_t (*struct_type_child_count)(cduckdb_handle);
  char *(*struct_type_child_name)(cduckdb_handle, uint64_t);
  cduckdb_handle (*struct_type_child_type)(cduckdb_handle, uint64_t);

  uint64_t (*vector_size)(void);
  cduckdb_handle (*create_data_chunk)(cduckdb_handle *, uint64_t);
  void (*destroy_data_chunk)(cduckdb_handle *);
  void (*data_chunk_reset)(cduckdb_handle);
  uint64_t (*data_chunk_get_size)(cduckdb_handle);
  void (*data_chunk_set_size)(cduckdb_handle, uint64_t);
  cduckdb_handle (*data_chunk_get_vector)(cduckdb_handle, uint64_t);
  void *(*vector_get_data)(cduckdb_handle);
  uint64_t *(*vector_get_validity)(cduckdb_handle);
  void (*vector_ensure_validity_writable)(cduckdb_handle);
  void (*vector_assign_string_element_len)(cduckdb_handle, uint64_t, const char *, uint64_t);
  cduckdb_handle (*list_vector_get_child)(cduckdb_handle);
  uint64_t (*list_vector_get_size)(cduckdb_handle);
  cduckdb_handle (*struct_vector_get_child)(cduckdb_handle, uint64_t);
  cduckdb_handle (*array_vector_get_child)(cduckdb_handle);

  int (*appender_create)(cduckdb_handle, const char *schema, const char *table,
                         cduckdb_handle *);
  int (*append_data_chunk)(cduckdb_handle, cduckdb_handle);
  int (*appender_close)(cduckdb_handle);
  const char *(*appender_error)(cduckdb_handle);
  int (*appender_destroy)(cduckdb_handle *);
} cduckdb_functions;

/// Loads the library at `path`, or else the one that the system finds; one caller at a time.
///
/// Gives nil and fills `functions`, or says what is wrong; `python`, if given, is loaded first, for
/// libraries that are modules of Python.
char *cduckdb_load(const char *path, const char *python,
                             cduckdb_functions *functions);

/// Frees a message of `cduckdb_load`.
void cduckdb_free_message(char *message);

#endif
