// The trie of wanted paths.

#pragma once

#include "CSimdjson.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace records {

/// What is wanted at one place of a record.
struct Node {
  /// The columns that the value here goes to.
  std::vector<uint32_t> columns;
  std::unordered_map<std::string_view, int32_t> children;
  /// The children whose keys are array indexes, ascending.
  std::vector<std::pair<uint64_t, int32_t>> elements;
  /// All columns here and below, to be cleared when a key comes twice.
  std::vector<uint32_t> subtree;
};

}  // namespace records

struct CSimdjsonPlan {
  std::deque<records::Node> nodes{1};
  std::deque<std::string> keys;
  uint32_t columnCount = 0;
  int64_t overflow = -1;
  bool hasValueField = true;

  void add(uint32_t column, const CSimdjsonBytes *elements, size_t count);
  /// The node of a record that is not an object, or -1.
  int32_t valueNode() const {
    auto found = nodes[0].children.find("value");
    return !hasValueField || found == nodes[0].children.end() ? -1 : found->second;
  }
};
