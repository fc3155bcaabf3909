#ifndef CLOADING_H
#define CLOADING_H

#include <stddef.h>

// Libraries that are looked up at run time, for the other modules in C.

/// A function that is looked up, and the pointer that it goes to.
typedef struct {
  const char *name;
  void *slot;
} cloading_symbol;

#define CLOADING_COUNT(array) (sizeof(array) / sizeof *(array))

/// Opens the first of the libraries that there is; nil when there is none.
void *cloading_open(const char *const *names, size_t count);

/// Fills the slots. Gives nil, or the name that the library does not have.
const char *cloading_find(void *library, const cloading_symbol *symbols, size_t count);

/// Opens the first library that there is and fills the slots.
///
/// Gives nil, or a message about the library called `title`, which stays valid.
const char *cloading_load(const char *title, const char *const *names, size_t name_count,
                          const cloading_symbol *symbols, size_t symbol_count);

#endif
