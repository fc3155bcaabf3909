#include "CLoading.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *cloading_open(const char *const *names, size_t count) {
  void *library = NULL;
  for (size_t i = 0; i < count && !library; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  return library;
}

const char *cloading_find(void *library, const cloading_symbol *symbols, size_t count) {
  for (size_t i = 0; i < count; i++) {
    void *symbol = dlsym(library, symbols[i].name);
    if (!symbol) return symbols[i].name;
    memcpy(symbols[i].slot, &symbol, sizeof symbol);
  }
  return NULL;
}

// Never freed: there is at most one message for each library.
static const char *message(const char *title, const char *middle, const char *end) {
  size_t size = strlen(title) + strlen(middle) + strlen(end) + 1;
  char *text = malloc(size);
  if (!text) return "out of memory";
  snprintf(text, size, "%s%s%s", title, middle, end);
  return text;
}

const char *cloading_load(const char *title, const char *const *names, size_t name_count,
                          const cloading_symbol *symbols, size_t symbol_count) {
  void *library = cloading_open(names, name_count);
  if (!library) return message(title, " was not found", "");
  const char *missing = cloading_find(library, symbols, symbol_count);
  return missing ? message(title, " is too old: it has no ", missing) : NULL;
}
