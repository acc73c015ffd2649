// An exported program of PyTorch as its JSON has it (schema major 8): graphs of operations with named arguments.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/json/json_values.h"
#include "core/base/shape.h"
#include "core/graph/attributes.h"

namespace mo::pytorch {

/// Stands in a list of numbers for one that a value of the graph gives: the names say which, in their order.
inline constexpr int64_t kFromGraph = INT64_MIN;
/// Stands in a list of tensors for one that is not there.
inline constexpr int64_t kNoTensor = INT64_MIN + 1;

struct ProgramGraph;

/// A value of one of the kinds of the schema's union Argument.
struct ProgramValue {
  enum class Kind : uint8_t {
    None,
    Tensor,   ///< names: one
    Tensors,  ///< names; numbers: kFromGraph or kNoTensor for each place
    Int,      ///< one number, or kFromGraph and a name
    Ints,     ///< the same of several
    Float,    ///< one of `reals`, or kFromGraph among `numbers` and a name
    Floats,
    Complex,  ///< reals: both parts
    Bool,     ///< one number, or kFromGraph and a name
    Bools,
    Text,
    Texts,
    Type,          ///< number: the schema's code
    MemoryFormat,  ///< number: 1 contiguous, 2 channels_last, 3 channels_last_3d, 4 preserve
    Graph,
    Ignored,  ///< a device or a layout
    Other,    ///< text: the key of the union
  };
  Kind kind = Kind::None;
  Strings names = {};
  Ints numbers = {};
  Doubles reals = {};
  Strings texts = {};
  std::shared_ptr<ProgramGraph> graph = {};

  bool is_one_number() const { return kind == Kind::Int || kind == Kind::Bool; }
  bool is_value() const { return kind == Kind::Tensor || ((is_one_number() || kind == Kind::Float) && !names.empty()); }
};

struct NamedArgument {
  std::string name;  ///< that of the operator's schema; empty for higher-order operators
  ProgramValue value;
};

struct TensorMeta {
  ElementType type = ElementType::Unknown;  ///< of complex numbers that of their parts
  int64_t type_code = 0;                    ///< of a type that is none of ours
  bool is_complex = false;
  PartialShape shape;
  bool in_order = false;  ///< its elements are those of its storage from the first one on, in their order
  Ints order;  ///< its axes as the storage has them, the outermost first, if it is all of its storage in another order
};

struct Operation {
  std::string target;  ///< "torch.ops.aten.conv2d.default", "_operator.mul"
  std::vector<NamedArgument> inputs;
  std::vector<ProgramValue> outputs;
  std::string module;             ///< the path of the module that it is in: "layer1.0.bn1"
  uint64_t offset = 0, size = 0;  ///< of its object in the file
  Place place;

  const ProgramValue* find(std::string_view name) const;
};

struct ProgramGraph {
  std::vector<ProgramValue> inputs, outputs;
  std::vector<Operation> operations;
  std::unordered_map<std::string, TensorMeta> tensors;
  std::unordered_map<std::string, Dimension> integers;  ///< symbolic ones, with their bounds
  std::unordered_set<std::string> flags;                ///< symbolic truths: comparisons of integers
  std::unordered_set<std::string> reals;  ///< symbolic numbers that may not be whole: quotients of integers
};

/// The names in all these values, in their order.
Strings names_of(const std::vector<ProgramValue>& values);

struct InputSpec {
  enum class Kind : uint8_t { Parameter, Buffer, Constant, User, Ignored, Other };
  Kind kind = Kind::Other;
  ProgramValue value;
  std::string target;  ///< of a parameter, a buffer or a constant: its name in the configuration of weights
  bool persistent = true;
};

struct OutputSpec {
  ProgramValue value;
  std::string kind;    ///< "user_output", "buffer_mutation"…
  std::string target;  ///< of a mutation
  std::string name;    ///< that the program has for the value, if make_functional() has given it another
};

struct Program {
  ProgramGraph graph;
  std::vector<InputSpec> inputs;
  std::vector<OutputSpec> outputs;
  Strings output_names;  ///< of user outputs, by the keys of what forward() returns; an empty text where there is none
  std::string torch_version;
  int64_t schema_major = 0, schema_minor = 0;
};

/// The program in bytes [begin, end) of the file. Throws what read_json() throws, CorruptFile, TooDeep, UnsupportedForm
/// for another major version of the schema; with line and column.
Program read_program(Window& window, uint64_t begin, uint64_t end);
/// An operation of it again, which lies in these bytes.
Operation read_operation(Window& window, uint64_t begin, uint64_t end);

/// The element type of the schema's code; Unknown if it is none of ours.
ElementType type_of_code(int64_t code);
/// That of the parts of complex numbers; Unknown for codes of other types.
ElementType part_type_of_code(int64_t code);

/// Names of what a program returns, by the text of its out_spec: keys and indices joined by '.'; at most `count`.
Strings leaf_names(std::string_view spec, size_t count);

}  // namespace mo::pytorch
