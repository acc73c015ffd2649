// What an IR says of shapes and types, held against what our own inference makes of it.
#pragma once

#include "core/ir/verify/definitions.h"
#include "core/ir/verify/verify.h"

namespace mo {

class IrShapes {
 public:
  explicit IrShapes(const IrChecks& checks) : checks_(checks) {}
  /// A layer by itself, from what its input ports say.
  void check(const IrLayer& layer);
  /// A graph that is whole: integers pass along its edges, too. Bodies are graphs of their own.
  void check(const IrGraph& graph);

 private:
  /// What is known of the outputs.
  std::vector<IrTensor> checked(const IrLayer& layer, const std::vector<IrTensor>& inputs);
  void check_given(const IrLayer& layer);
  /// What inputs make of the outputs, after it was compared with what is stored.
  std::optional<InferredLayer> inferred(const IrLayer& layer, const std::vector<IrTensor>& inputs);
  std::optional<InferredLayer> infer(const IrLayer& layer, const std::vector<IrTensor>& inputs);
  void compare(const IrLayer& layer, size_t output, const IrTensor& inferred);

  const IrChecks& checks_;
  IrDefinitions definitions_;
};

}  // namespace mo
