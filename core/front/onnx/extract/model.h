// A model of ONNX: what its extraction does beside the rows of operators.def.
#pragma once

#include "core/front/loader.h"

namespace mo::onnx {

class OnnxModel final : public LoadedModel {
 public:
  OnnxModel();

 private:
  /// Throws MissingInput and ExtraPort.
  bool prepare(Node& node) override;
  /// Replaces ONNX's numbers of element types by types where the contract wants a type; 0 means none.
  void finish(Node& node) override;
  /// Leaves an operation that ONNX defines as a function to DecomposeFunction. Throws UnsupportedOp for others.
  void extract_unknown(Node& node) override;
};

}  // namespace mo::onnx
