// Layers that the user registers as Custom in a mapping file: they go to IR as they are. Extensions and operators.def
// are not asked for them; a shape provider of the extensions says what shapes their outputs have.
#pragma once

#include <map>
#include <memory>

#include "core/front/caffe/custom/mapping.h"
#include "core/front/caffe/custom/written.h"
#include "core/front/loader.h"
#include "core/ops/op_def.h"

namespace mo::caffe {

/// The definition of a mapped type's operation.
struct CustomOp final : OpDef {
  CustomOp(std::string name, std::string ir_type, const ShapeProvider& provider);
  std::string op_name, type_name;
  ShapeProvider shapes;
};

struct LayerRecord;
/// `module.layer` of a Python layer; empty for another one, or if a part is missing.
std::string python_name(const proto::Message& layer);

class CustomLayers {
 public:
  /// Reads the file of the option k, if it is given.
  explicit CustomLayers(const LoadRequest& request);

  /// Decides which layers are mapped, and what Python layers are called: module.Layer. Layers without a row in
  /// operators.def get the parameters that they have.
  void classify(LayerRecord& layer, Model& model);
  bool is_mapped(const Node& node) const;
  /// Reports all mapped layers in one error if nothing says what shapes they have.
  void require_shapes(Graph& graph) const;

 private:
  const std::string& op_of(const std::string& type, Model& model);

  Mapping mapping_;
  WrittenOptions written_;
  ShapeProvider shapes_;
  std::map<std::string, std::unique_ptr<CustomOp>> ops_;  ///< by type
};

/// The attribute with the names in IR and in the node, by turns.
inline constexpr const char* kWrittenNames = "caffe_parameters";

}  // namespace mo::caffe
