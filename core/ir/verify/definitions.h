// Our definitions of operations, asked about a layer of an IR.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"
#include "core/ir/record.h"
#include "core/ir/verify/operation_table.h"
#include "core/ops/fixed_dimensions.h"

namespace mo {

/// What is known of a tensor of an IR.
struct IrTensor {
  PartialShape shape;
  ElementType type = ElementType::Unknown;
  Boxed<IntTensor> ints;
};

struct InferredLayer {
  std::vector<IrTensor> outputs;      ///< by position in the layer
  std::vector<OpenDimension> opened;  ///< that runtimes want to be known
};

/// Infers layers one by one. For each operation there is one node, which is used again with the next layer's attributes
/// and inputs: a layer costs little more than its inference.
class IrDefinitions {
 public:
  IrDefinitions();
  ~IrDefinitions();
  /// Nothing if there is no definition, or if it does not read the layer's attributes as this operation set means
  /// them: then it writes others than it was given. Throws Error where inputs contradict each other.
  std::optional<InferredLayer> infer(const IrLayer& layer, const std::vector<IrTensor>& inputs);

 private:
  struct Form {
    Node* node = nullptr;
    std::string version;
    std::vector<std::pair<std::string, std::string>> attributes;
    bool fits = false;
  };

  Form& form_of(const IrLayer& layer);
  void settle(Form& form, const IrLayer& layer);
  void give(const std::vector<IrTensor>& inputs);
  Node& new_node(const IrLayer& layer);

  std::unique_ptr<FileSet> no_files_;
  std::shared_ptr<Graph> graph_;
  std::vector<Node*> sources_;                   ///< of inputs 0, 1, …
  std::unordered_map<std::string, Form> forms_;  ///< by type and numbers of ports; for lookup only
};

}  // namespace mo
