// Which keys records have, and which paths lead to the leaves of objects.

#include "recordsReader.hpp"

#include <new>

using namespace records;

namespace {

struct Step {
  std::vector<std::pair<std::string, uint32_t>> order;
  std::unordered_map<std::string, uint32_t> children;
  uint32_t parent = 0;
  uint32_t keyIndex = 0;
  bool isLeaf = false;
};

}  // namespace

struct CSimdjsonPaths : Walker {
  std::vector<Step> steps{1};
  std::vector<std::vector<std::string>> found;

  uint32_t child(uint32_t parent, size_t key, size_t length, bool isEscaped) {
    std::string name;
    if (isEscaped) {
      unescape(base + key, base + key + length, name);
    } else {
      name.assign(reinterpret_cast<const char *>(base + key), length);
    }
    return child(parent, name);
  }

  uint32_t child(uint32_t parent, const std::string &name) {
    auto known = steps[parent].children.find(name);
    if (known != steps[parent].children.end()) return known->second;
    uint32_t id = uint32_t(steps.size());
    steps.emplace_back();
    steps[id].parent = parent;
    steps[id].keyIndex = uint32_t(steps[parent].order.size());
    steps[parent].children.emplace(name, id);
    steps[parent].order.emplace_back(name, id);
    return id;
  }

  void leaf(uint32_t step) {
    if (steps[step].isLeaf) return;
    steps[step].isLeaf = true;
    std::vector<std::string> path;
    for (uint32_t at = step; at != 0; at = steps[at].parent) {
      path.push_back(steps[steps[at].parent].order[steps[at].keyIndex].first);
    }
    found.emplace_back(path.rbegin(), path.rend());
  }

  size_t keys(CSimdjsonSeparator separator, size_t maxRecords);
  Cursor keysOf(Cursor at, std::vector<uint32_t> &seen);
  bool leaves();
};

Cursor CSimdjsonPaths::keysOf(Cursor at, std::vector<uint32_t> &seen) {
  seen.clear();
  depth = 1;
  Cursor next = at + 1;
  if (next < end && base[*next] == '}') return next + 1;
  for (;;) {
    if (next + 1 >= end) return failAtEnd();
    if (base[*next] != '"') return fail(CSIMDJSON_EXPECTED_KEY, *next);
    bool isEscaped;
    size_t key = *next + 1;
    size_t close = closeOfString(*next, next + 1, isEscaped);
    if (!close) return nullptr;
    if (base[next[1]] != ':') return fail(CSIMDJSON_EXPECTED_COLON, next[1]);
    seen.push_back(child(0, key, close - key, isEscaped));
    next = skipValue(next + 2);
    if (!next) return nullptr;
    if (next >= end) return failAtEnd();
    uint8_t c = base[*next++];
    if (c == '}') return next;
    if (c != ',') return fail(CSIMDJSON_EXPECTED_COMMA_OR_BRACE, next[-1]);
  }
}

size_t CSimdjsonPaths::keys(CSimdjsonSeparator separator, size_t maxRecords) {
  size_t count = 0;
  std::vector<uint32_t> seen;
  for (Cursor at = structurals.begin; at < end && count < maxRecords; ++count) {
    if (count > 0 && separator == CSIMDJSON_SINGLE) break;
    if (count > 0 && separator == CSIMDJSON_COMMA) {
      if (base[*at] != ',' || ++at >= end) break;
    }
    depth = 0;
    if (base[*at] == '{') {
      at = keysOf(at, seen);
      if (!at) break;
      for (uint32_t step : seen) leaf(step);
    } else {
      at = skipValue(at);
      if (!at) break;
      leaf(child(0, "value"));
    }
  }
  return count;
}

bool CSimdjsonPaths::leaves() {
  std::vector<uint32_t> stack;
  uint32_t step = 0;
  Cursor next = structurals.begin;
  if (next >= end || base[*next] != '{') return false;
  ++next;
  if (next < end && base[*next] == '}') return true;
  for (;;) {
    if (next + 1 >= end || base[*next] != '"') return false;
    bool isEscaped;
    size_t key = *next + 1;
    size_t close = closeOfString(*next, next + 1, isEscaped);
    if (!close || base[next[1]] != ':') return false;
    uint32_t field = child(step, key, close - key, isEscaped);
    next += 2;
    if (next + 1 < end && base[*next] == '{' && base[next[1]] != '}') {
      if (stack.size() >= maximumDepth) return false;
      stack.push_back(step);
      step = field;
      ++next;
      continue;
    }
    leaf(field);
    next = skipValue(next);
    if (!next) return false;
    while (next < end && base[*next] == '}') {
      if (stack.empty()) return true;
      step = stack.back();
      stack.pop_back();
      ++next;
    }
    if (next >= end || base[*next] != ',') return false;
    ++next;
  }
}

CSimdjsonPaths *csimdjson_paths_create(void) { return new (std::nothrow) CSimdjsonPaths; }

void csimdjson_paths_destroy(CSimdjsonPaths *paths) { delete paths; }

size_t csimdjson_paths_add_keys(CSimdjsonPaths *paths, const uint8_t *buffer, size_t start,
                                size_t end, CSimdjsonSeparator separator, size_t max_records) {
  if (end > UINT32_MAX || !paths->structurals.index(buffer + start, end - start, true)) return 0;
  paths->start();
  return paths->keys(separator, max_records);
}

void csimdjson_paths_add_leaves(CSimdjsonPaths *paths, const uint8_t *buffer, size_t start,
                                size_t end) {
  if (end > UINT32_MAX || !paths->structurals.index(buffer + start, end - start, true)) return;
  paths->start();
  paths->leaves();
}

size_t csimdjson_paths_count(const CSimdjsonPaths *paths) { return paths->found.size(); }

size_t csimdjson_paths_depth(const CSimdjsonPaths *paths, size_t path) {
  return paths->found[path].size();
}

CSimdjsonBytes csimdjson_paths_element(const CSimdjsonPaths *paths, size_t path, size_t element) {
  const std::string &key = paths->found[path][element];
  return {reinterpret_cast<const uint8_t *>(key.data()), key.size()};
}
