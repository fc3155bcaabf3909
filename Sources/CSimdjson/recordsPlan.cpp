#include "recordsPlan.hpp"

#include <algorithm>
#include <new>

namespace {

// The array index that `key` is in digits without leading zeros, or UINT64_MAX.
uint64_t elementIndex(const std::string &key) {
  if (key.empty() || key.size() > 15 || (key.size() > 1 && key[0] == '0')) return UINT64_MAX;
  uint64_t value = 0;
  for (char c : key) {
    if (c < '0' || c > '9') return UINT64_MAX;
    value = value * 10 + uint64_t(c - '0');
  }
  return value;
}

}  // namespace

void CSimdjsonPlan::add(uint32_t column, const CSimdjsonBytes *elements, size_t count) {
  columnCount = std::max(columnCount, column + 1);
  int32_t node = 0;
  nodes[0].subtree.push_back(column);
  for (size_t i = 0; i < count; ++i) {
    std::string key(reinterpret_cast<const char *>(elements[i].bytes), elements[i].count);
    auto found = nodes[size_t(node)].children.find(key);
    int32_t child;
    if (found != nodes[size_t(node)].children.end()) {
      child = found->second;
    } else {
      child = int32_t(nodes.size());
      nodes.emplace_back();
      keys.push_back(key);
      auto &parent = nodes[size_t(node)];
      parent.children.emplace(std::string_view(keys.back()), child);
      if (uint64_t index = elementIndex(key); index != UINT64_MAX) {
        parent.elements.emplace_back(index, child);
        std::sort(parent.elements.begin(), parent.elements.end());
      }
    }
    nodes[size_t(child)].subtree.push_back(column);
    node = child;
  }
  nodes[size_t(node)].columns.push_back(column);
}

void csimdjson_plan_set_no_value_field(CSimdjsonPlan *plan) { plan->hasValueField = false; }

CSimdjsonPlan *csimdjson_plan_create(void) { return new (std::nothrow) CSimdjsonPlan; }

void csimdjson_plan_destroy(CSimdjsonPlan *plan) { delete plan; }

void csimdjson_plan_add(CSimdjsonPlan *plan, uint32_t column, const CSimdjsonBytes *elements,
                        size_t count) {
  plan->add(column, elements, count);
}

void csimdjson_plan_set_overflow(CSimdjsonPlan *plan, uint32_t column) {
  plan->overflow = column;
  plan->columnCount = std::max(plan->columnCount, column + 1);
}
