// The table operations.def: what PIR's operations are called in a ProgramDesc, and how their operands are.
#pragma once

#include <string_view>
#include <vector>

#include "core/graph/attributes.h"

namespace mo::paddle::pir {

struct OperandRow {
  std::string_view slot;       ///< empty: it is not read
  std::string_view list_slot;  ///< of a list; empty: `slot`
  std::string_view attribute;  ///< that the operand stands for; empty if it does not
  bool is_written = false;     ///< the first result is its variable
};

struct OperationRow {
  std::string_view name, type;
  std::vector<OperandRow> operands;
  std::vector<std::string_view> results;  ///< "-": it has no slot
  /// Renames attributes, and adds those that the name means.
  void adapt(Attributes& attributes) const;

  std::string_view attributes;  ///< as in the table
};

/// Null if there is none.
const OperationRow* find_row(std::string_view name);
/// Which operand an operation writes again; -1 for none.
int written_operand(std::string_view name);

}  // namespace mo::paddle::pir
