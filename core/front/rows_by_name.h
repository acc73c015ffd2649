// The rows of a framework's table of operators, by their names.
#pragma once

#include <map>
#include <span>
#include <string_view>

namespace mo {

/// An index of a table whose rows have different names. The table has to outlive it.
template <typename Row>
class RowsByName {
 public:
  explicit RowsByName(std::span<const Row> rows) {
    for (const Row& row : rows) rows_[row.name] = &row;
  }
  /// Null if there is none.
  const Row* find(std::string_view name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string_view, const Row*> rows_;
};

}  // namespace mo
