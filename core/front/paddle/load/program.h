// A ProgramDesc: its blocks as places. Variables and operators are read one at a time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/proto/wire.h"
#include "core/graph/attributes.h"

namespace mo::paddle {

/// A variable as its block declares it. Blocks declare variables that are tensors, lists of tensors and others.
struct VariableDesc {
  std::string name;
  int64_t kind = 0;  ///< VariableKind
  bool is_persistable = false, is_fed = false;
  int64_t data_type = -1;
  PartialShape shape;  ///< unknown unless it is a tensor or a list
  int64_t lod_level = 0;
};

struct Slot {
  std::string name;
  Strings arguments;  ///< names of variables
};

/// An operator with its attributes, but for those that say nothing of what it computes.
struct OperatorDesc {
  std::string type;
  std::vector<Slot> inputs, outputs;
  Attributes attributes;

  /// Null if there is none, or it is empty.
  const Strings* input(std::string_view slot) const;
  const Strings* output(std::string_view slot) const;
  /// The only variable in a slot. Throws MissingInput.
  const std::string& only_input(std::string_view slot) const;
  const std::string& only_output(std::string_view slot) const;
};

struct Block {
  std::vector<WireField> variables, operators;
  WireField place;
};

struct Program {
  FileId file = 0;
  std::vector<Block> blocks;
  int64_t version = 0;                       ///< major * 1,000,000 + minor * 1,000 + patch; 0 if it is not known
  std::map<std::string, int64_t> operators;  ///< versions of operators, 0 for those that are not here
};

/// Throws TruncatedFile, CorruptFile, and TooDeep for more than 65,536 blocks.
Program read_program(Window& window);
/// Throws CorruptFile with the place.
VariableDesc read_variable(Window& window, const WireField& place);
OperatorDesc read_operator(Window& window, const WireField& place);

}  // namespace mo::paddle
