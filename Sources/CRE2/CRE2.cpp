#include "CRE2.h"

#include <re2/re2.h>
#include <re2/stringpiece.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

struct CRE2Pattern {
  RE2 re;
  CRE2Pattern(re2::StringPiece pattern, const RE2::Options &options) : re(pattern, options) {}
};

static re2::StringPiece piece(const char *text, size_t length) {
  // RE2 tells an empty text from a missing one by the pointer.
  return length == 0 ? re2::StringPiece("", 0) : re2::StringPiece(text, length);
}

CRE2Pattern *cre2_new(
    const char *pattern, size_t length, bool ignore_case, bool dot_matches_newline,
    bool multi_line) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(!ignore_case);
  options.set_dot_nl(dot_matches_newline);
  options.set_max_mem(32 << 20);
  std::string text(pattern == nullptr ? "" : pattern, pattern == nullptr ? 0 : length);
  if (multi_line) text = "(?m)" + text;
  return new (std::nothrow) CRE2Pattern(text, options);
}

void cre2_free(CRE2Pattern *pattern) { delete pattern; }

int cre2_error(const CRE2Pattern *pattern) { return static_cast<int>(pattern->re.error_code()); }

const char *cre2_error_text(const CRE2Pattern *pattern) { return pattern->re.error().c_str(); }

const char *cre2_error_part(const CRE2Pattern *pattern, size_t *length) {
  *length = pattern->re.error_arg().size();
  return pattern->re.error_arg().data();
}

int cre2_group_count(const CRE2Pattern *pattern) {
  return pattern->re.NumberOfCapturingGroups();
}

bool cre2_match(
    const CRE2Pattern *pattern, const char *text, size_t length, size_t start, bool whole,
    CRE2Span *spans, int count) {
  const re2::StringPiece input = piece(text, length);
  re2::StringPiece few[16];
  std::vector<re2::StringPiece> many;
  re2::StringPiece *found = few;
  if (count > 16) {
    many.resize(static_cast<size_t>(count));
    found = many.data();
  }
  const auto anchor = whole ? RE2::ANCHOR_BOTH : RE2::UNANCHORED;
  if (!pattern->re.Match(input, start, length, anchor, found, count)) return false;
  for (int i = 0; i < count; i++) {
    if (found[i].data() == nullptr) {
      spans[i] = {-1, -1};
    } else {
      const ptrdiff_t begin = found[i].data() - input.data();
      spans[i] = {begin, begin + static_cast<ptrdiff_t>(found[i].size())};
    }
  }
  return true;
}

bool cre2_check_template(
    const CRE2Pattern *pattern, const char *text, size_t length, char *message, size_t capacity) {
  std::string error;
  const bool good = pattern->re.CheckRewriteString(piece(text, length), &error);
  const size_t count = std::min(error.size(), capacity - 1);
  std::memcpy(message, error.data(), count);
  message[count] = 0;
  return good;
}

int cre2_replace(
    const CRE2Pattern *pattern, const char *text, size_t length, const char *with,
    size_t with_length, bool all, char **result, size_t *result_length) {
  *result = nullptr;
  *result_length = 0;
  std::string value(text == nullptr ? "" : text, text == nullptr ? 0 : length);
  const re2::StringPiece rewrite = piece(with, with_length);
  const int count = all ? RE2::GlobalReplace(&value, pattern->re, rewrite)
                        : (RE2::Replace(&value, pattern->re, rewrite) ? 1 : 0);
  if (count == 0) return 0;
  char *copy = static_cast<char *>(std::malloc(value.size() + 1));
  if (copy == nullptr) return -1;
  std::memcpy(copy, value.data(), value.size());
  copy[value.size()] = 0;
  *result = copy;
  *result_length = value.size();
  return count;
}

void cre2_free_text(char *text) { std::free(text); }
