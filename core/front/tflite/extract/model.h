// A model of TensorFlow Lite: what its extraction does beside the rows of operators.def.
#pragma once

#include "core/front/loader.h"

namespace mo::tflite {

class LiteModel final : public LoadedModel {
 public:
  LiteModel();

 private:
  /// True for an operator on complex numbers that its row does not describe.
  bool prepare(Node& node) override;
  /// The fused activation becomes a node.
  void finish(Node& node) override;
  /// Throws UnsupportedOp.
  void extract_unknown(Node& node) override;
};

}  // namespace mo::tflite
