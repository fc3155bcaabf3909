#pragma once

#include <stddef.h>

/// libxml2 and iconv, found at run time. Nothing is loaded before the first call of `cxml_load`.

/// A parsed document.
typedef struct cxml_document cxml_document;
/// A position in a parsed document, moving forwards in document order.
typedef struct cxml_walker cxml_walker;
/// A conversion from one character encoding to UTF-8.
typedef struct cxml_converter cxml_converter;

/// The kinds of node that a walker stops at which matter here; their values are libxml2's.
enum {
  CXML_ELEMENT = 1,
  CXML_TEXT = 3,
  CXML_CDATA = 4,
  CXML_SIGNIFICANT_WHITESPACE = 14,
  CXML_END_ELEMENT = 15,
};

/// Loads libxml2, once. Returns 1 when it is there and has all that is needed, else 0.
int cxml_load(void);

/// Parses `size` bytes of UTF-8. With `recovers`, what can be made of malformed text is kept.
/// Never opens a file or a connection. NULL when there is no document; then `line` and `column`
/// are where it went wrong (0 when unknown) and `message` has the reason.
cxml_document *cxml_parse(const char *bytes, size_t size, int recovers, int *line, int *column,
                          char *message, size_t message_size);
void cxml_free_document(cxml_document *document);

/// A walker before the first node of `document`, which must outlive it. NULL without memory.
cxml_walker *cxml_walk(cxml_document *document);
void cxml_free_walker(cxml_walker *walker);

/// Moves to the next node: 1 when there is one, 0 at the end, -1 on failure.
int cxml_next(cxml_walker *walker);
int cxml_kind(cxml_walker *walker);
int cxml_depth(cxml_walker *walker);
int cxml_is_empty(cxml_walker *walker);
/// Texts of the current node or attribute; NULL when it has none. Valid until the next call.
const char *cxml_local_name(cxml_walker *walker);
const char *cxml_prefix(cxml_walker *walker);
const char *cxml_namespace(cxml_walker *walker);
const char *cxml_value(cxml_walker *walker);
/// Moves to the next attribute of the current element (the first one after `cxml_next`): 1 or 0.
int cxml_next_attribute(cxml_walker *walker);
int cxml_is_namespace_declaration(cxml_walker *walker);
/// Moves back from an attribute to its element.
void cxml_leave_attributes(cxml_walker *walker);

/// A converter from `encoding` to UTF-8; NULL when the encoding is unknown.
cxml_converter *cxml_open_converter(const char *encoding);
void cxml_close_converter(cxml_converter *converter);
/// Converts as much as possible; moves `in` and `out` and reduces what is left. Returns 0 when all
/// was converted, 1 when `out` is full, 2 at a malformed sequence, 3 at an incomplete one.
int cxml_convert(cxml_converter *converter, const char **in, size_t *in_left, char **out,
                 size_t *out_left);
