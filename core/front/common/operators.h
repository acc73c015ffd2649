// The table of a format: what becomes of each of its operations. LoadedModel::extract() follows it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// A row of core/front/<framework>/extract/operators.def. Nothing is set but the name if the loader itself carries the
/// operation out.
struct Operator {
  const char *name, *domain;
  const char* internal;    ///< MO_SAME: the internal op; inputs and outputs stay
  const char* attributes;  ///< MO_SAME: defaults and renames
  void (*extract)(Node&);  ///< MO_CALL: renames and checks
  const char* refusal;     ///< MO_REFUSED: why IR cannot express it
};

class Operators {
 public:
  /// The rows have to outlive it. An operation without a domain may have its row in `second_domain`.
  explicit Operators(std::span<const Operator> rows, std::string_view second_domain = {});

  /// In the order of operators.def.
  std::span<const Operator> rows() const { return rows_; }
  /// Null if there is none.
  const Operator* find(std::string_view name, std::string_view domain = {}) const;

 private:
  std::span<const Operator> rows_;
  std::string_view second_domain_;
  std::vector<const Operator*> by_name_;
};

}  // namespace mo
