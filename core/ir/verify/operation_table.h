// What the runtime knows of its operations: operations.def, taken apart.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace mo {

struct IrAttributeRule {
  std::string_view name, kind;  ///< kind: operations.def
  bool is_needed = false;       ///< it has no default
};

struct IrInputRule {
  static constexpr int kNone = -1;
  std::string_view types;    ///< element types by their names in attributes, between blanks; empty: all
  int same_as = kNone;       ///< the type has to be that of this input, which is before it
  int least = 0, most = 64;  ///< dimensions
};

/// An operation as it is in operation sets `first` to `last`.
struct IrOperation {
  int first = 0, last = 0;
  int least_inputs = 0, most_inputs = 0;  ///< most_inputs is kAny where there is no limit
  int most_outputs = 0;                   ///< as well
  std::vector<IrInputRule> inputs;        ///< of the first inputs
  bool repeats_last = false;              ///< the other inputs are as the last of these; else they may be anything
  std::vector<IrAttributeRule> attributes;

  static constexpr int kAny = 1 << 30;
};

/// The operation sets of the runtime: "opset1" to "opset17".
inline constexpr int kNewestOperationSet = 17;

/// The forms of an operation, by operation set; null when the runtime has no such operation. As in the runtime, the
/// case of letters does not matter: IR calls Softmax SoftMax.
const std::vector<IrOperation>* find_ir_operation(std::string_view type);

/// The values that an attribute of this kind may have, between blanks, in lower case; nullopt when it is no kind of
/// MO_IR_VALUES.
std::optional<std::string_view> ir_values(std::string_view kind);

/// Whether `word` is one of `words`, which blanks separate.
bool is_word_of(std::string_view word, std::string_view words);

}  // namespace mo
