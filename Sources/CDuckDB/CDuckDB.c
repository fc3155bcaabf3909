#include "CDuckDB.h"

#include <CLoading.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *message(const char *text, const char *name) {
  size_t size = strlen(text) + strlen(name) + 1;
  char *result = malloc(size);
  if (result) snprintf(result, size, "%s%s", text, name);
  return result;
}

char *cduckdb_load(const char *path, const char *python, cduckdb_functions *functions) {
  // The module of Python finds its functions among those that are visible to all.
  if (python && !dlopen(python, RTLD_NOW | RTLD_GLOBAL)) return message("", dlerror());
  void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return message("", dlerror());
#define SYMBOL(name) {"duckdb_" #name, &functions->name}
  const cloading_symbol symbols[] = {
      SYMBOL(library_version),
      SYMBOL(free),
      SYMBOL(create_config),
      SYMBOL(set_config),
      SYMBOL(destroy_config),
      SYMBOL(open_ext),
      SYMBOL(close),
      SYMBOL(connect),
      SYMBOL(disconnect),
      SYMBOL(interrupt),
      SYMBOL(query),
      SYMBOL(destroy_result),
      SYMBOL(result_error),
      SYMBOL(column_count),
      SYMBOL(column_logical_type),
      SYMBOL(fetch_chunk),
      SYMBOL(prepare),
      SYMBOL(destroy_prepare),
      SYMBOL(prepare_error),
      SYMBOL(prepared_statement_type),
      SYMBOL(nparams),
      SYMBOL(prepared_statement_column_count),
      SYMBOL(prepared_statement_column_name),
      SYMBOL(prepared_statement_column_logical_type),
      SYMBOL(pending_prepared_streaming),
      SYMBOL(pending_error),
      SYMBOL(pending_execute_task),
      SYMBOL(execute_pending),
      SYMBOL(destroy_pending),
      SYMBOL(create_logical_type),
      SYMBOL(create_decimal_type),
      SYMBOL(logical_type_set_alias),
      SYMBOL(logical_type_get_alias),
      SYMBOL(destroy_logical_type),
      SYMBOL(get_type_id),
      SYMBOL(decimal_scale),
      SYMBOL(decimal_internal_type),
      SYMBOL(enum_internal_type),
      SYMBOL(enum_dictionary_size),
      SYMBOL(enum_dictionary_value),
      SYMBOL(list_type_child_type),
      SYMBOL(array_type_child_type),
      SYMBOL(array_type_array_size),
      SYMBOL(map_type_key_type),
      SYMBOL(map_type_value_type),
      SYMBOL(struct_type_child_count),
      SYMBOL(struct_type_child_name),
      SYMBOL(struct_type_child_type),
      SYMBOL(vector_size),
      SYMBOL(create_data_chunk),
      SYMBOL(destroy_data_chunk),
      SYMBOL(data_chunk_reset),
      SYMBOL(data_chunk_get_size),
      SYMBOL(data_chunk_set_size),
      SYMBOL(data_chunk_get_vector),
      SYMBOL(vector_get_data),
      SYMBOL(vector_get_validity),
      SYMBOL(vector_ensure_validity_writable),
      SYMBOL(vector_assign_string_element_len),
      SYMBOL(list_vector_get_child),
      SYMBOL(list_vector_get_size),
      SYMBOL(struct_vector_get_child),
      SYMBOL(array_vector_get_child),
      SYMBOL(appender_create),
      SYMBOL(append_data_chunk),
      SYMBOL(appender_close),
      SYMBOL(appender_error),
      SYMBOL(appender_destroy),
  };
  const char *missing = cloading_find(library, symbols, CLOADING_COUNT(symbols));
  if (!missing) return NULL;
  dlclose(library);
  return message("it has no ", missing);
}

void cduckdb_free_message(char *text) { free(text); }
