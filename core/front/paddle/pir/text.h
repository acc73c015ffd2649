// The JSON of a PIR program, read into its blocks and operations. Names of operations and attributes, ids and types are
// those of the text.
#pragma once

#include <string>
#include <vector>

#include "core/front/paddle/load/program.h"

namespace mo::paddle::pir {

/// The versions of the text that this build knows: the number of the newest file of PaddlePaddle's patches.
inline constexpr int64_t kNewestVersion = 4;

/// What an operation gives, or a block gets. Without a name of its own it is called after its operation and its id.
struct Value {
  int64_t id = 0;
  bool is_list = false;
  std::string name;
  std::vector<VariableDesc> parts;  ///< the elements of a list, or the one tensor
};

struct Operation {
  std::string name;  ///< "pd_op.conv2d"
  Ints operands;     ///< 0: none
  std::vector<Value> results;
  Attributes attributes;
  std::vector<size_t> regions;  ///< the blocks
  OperatorPlace place;
};

struct Block {
  std::vector<Value> arguments;
  std::vector<Operation> operations;
  OperatorPlace place;
};

struct Text {
  std::vector<Block> blocks;  ///< the first is the program
  int64_t version = 0;
};

/// Throws, with line and column, TruncatedFile, CorruptFile, TooDeep, DuplicateTensor.
Text read_text(Window& window);
/// The name and the attributes of one operation, whose text is there.
Operation read_head(Window& window, uint64_t offset, uint64_t size);

/// Whether the file is a PIR program, or the beginning of one: wherever its keys stand.
bool is_program(Files& files, FileId file);

}  // namespace mo::paddle::pir
