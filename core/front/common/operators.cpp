#include "core/front/common/operators.h"

#include <algorithm>

namespace mo {

Operators::Operators(std::span<const Operator> rows, std::string_view second_domain)
    : rows_(rows), second_domain_(second_domain) {
  by_name_.reserve(rows.size());
  for (const Operator& row : rows) by_name_.push_back(&row);
  std::stable_sort(by_name_.begin(), by_name_.end(),
                   [](const Operator* a, const Operator* b) { return std::string_view(a->name) < b->name; });
}

const Operator* Operators::find(std::string_view name, std::string_view domain) const {
  const Operator* second = nullptr;
  auto at = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                             [](const Operator* row, std::string_view wanted) { return row->name < wanted; });
  for (; at != by_name_.end() && (*at)->name == name; ++at) {
    if ((*at)->domain == domain) return *at;
    if (domain.empty() && (*at)->domain == second_domain_) second = *at;
  }
  return second;
}

}  // namespace mo
