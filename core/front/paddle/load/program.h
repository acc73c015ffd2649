// A program as the graph loader reads it: its blocks, the variables that they declare, and their operators, one at a
// time. Both generations of files are such programs: ProgramDesc (program.cpp) and PIR (core/front/paddle/pir/).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"
#include "core/base/proto/wire.h"
#include "core/front/framework_node.h"
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
  int line = 0, column = 0;  ///< where a text has it
};
using Declarations = std::unordered_map<std::string, VariableDesc>;

struct Slot {
  std::string name;
  Strings arguments;  ///< names of variables
};

/// Where an operator stands in its file.
struct OperatorPlace {
  uint64_t start = 0;             ///< for errors in a binary file
  uint64_t offset = 0, size = 0;  ///< what to read again
  int line = 0, column = 0;       ///< in a text
};

/// The block of a region that has none: it does nothing.
inline constexpr size_t kNoBlock = SIZE_MAX;

/// An operator with its attributes, but for those that say nothing of what it computes.
struct OperatorDesc {
  std::string type;
  std::vector<Slot> inputs, outputs;
  Attributes attributes;
  OperatorPlace place;
  /// The blocks of regions, which see the variables around them. A ProgramDesc has an attribute, sub_block, instead.
  std::vector<size_t> regions;
  /// The attributes that do not stand in the operator's own place in the file.
  Attributes elsewhere;
  std::shared_ptr<const Error> fault;  ///< why it cannot be read

  /// Null if there is none, or it is empty.
  const Strings* input(std::string_view slot) const;
  const Strings* output(std::string_view slot) const;
  /// The only variable in a slot. Throws MissingInput.
  const std::string& only_input(std::string_view slot) const;
  const std::string& only_output(std::string_view slot) const;
};

class Program {
 public:
  explicit Program(Window& window) : window_(window) {}
  virtual ~Program() = default;

  /// Throws CorruptFile with the place.
  virtual OperatorDesc operation(size_t block, size_t index) = 0;
  virtual size_t operator_count(size_t block) const = 0;
  /// The arguments of a block that is a region.
  virtual const Strings& arguments(size_t block) const = 0;
  virtual Place block_place(size_t block) const = 0;
  virtual const NodeFormat& format() const = 0;

  size_t block_count() const { return variables.size(); }
  FileId file() const { return window_.file(); }
  Place place(const OperatorPlace& place) const;
  /// The names of the variables that Paddle saves, in the order in which it does: that of their bytes.
  Strings parameter_names() const;

  std::vector<Declarations> variables;      ///< by block
  int64_t version = 0;                      ///< major * 1,000,000 + minor * 1,000 + patch; 0 if it is not known
  std::map<std::string, int64_t> versions;  ///< of operators, 0 for those that are not here
  bool has_names = true;                    ///< of variables: otherwise inputs and outputs alone have names in the file

 protected:
  Window& window_;
};

/// A ProgramDesc. Throws TruncatedFile, CorruptFile, and TooDeep for more than 65,536 blocks.
std::unique_ptr<Program> read_program(Window& window);
/// Throws CorruptFile with the place.
OperatorDesc read_operator(Window& window, const WireField& place);

}  // namespace mo::paddle
