// Before: ReLU -> Reshape -> Transpose -> Reshape -> Convolution
// After:  Reshape -> Transpose -> Reshape -> ReLU -> Convolution
// Conditions: each of the four tensors has one consumer.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ShufflenetReLUReorder final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  Pattern pattern() override {
    return {.nodes = {{"relu", {{"kind", "op"}, {"op", "ReLU"}}},
                      {"relu_data", {{"kind", "data"}}},
                      {"reshape1", {{"kind", "op"}, {"op", "Reshape"}}},
                      {"reshape1_data", {{"kind", "data"}}},
                      {"transpose", {{"kind", "op"}, {"op", "Transpose"}}},
                      {"transpose_data", {{"kind", "data"}}},
                      {"reshape2", {{"kind", "op"}, {"op", "Reshape"}}},
                      {"reshape2_data", {{"kind", "data"}}},
                      {"conv", {{"kind", "op"}, {"op", is_convolution}}}},
            .edges = {{"relu", "relu_data"},
                      {"relu_data", "reshape1", 0},
                      {"reshape1", "reshape1_data"},
                      {"reshape1_data", "transpose", 0},
                      {"transpose", "transpose_data"},
                      {"transpose_data", "reshape2", 0},
                      {"reshape2", "reshape2_data"},
                      {"reshape2_data", "conv", 0}}};
  }

  void replace_pattern(Graph&, const Match& match) override {
    Node &relu = match.op("relu"), &reshape = match.op("reshape2"), &conv = match.op("conv");
    for (const char* data : {"relu_data", "reshape1_data", "transpose_data", "reshape2_data"})
      if (match.tensor(data).reader_count() != 1) return;
    const OutPort x = relu.source(0);
    if (!x) return;
    relu.out(0).connection().set_source(x, TensorNames::Source);
    relu.in(0).connect(reshape.out(0));
    conv.in(0).connect(relu.out(0));
    // Names stay with values: the result of ReLU now has those that reshape2 had; the other tensors have new values.
    relu.out(0).tensor().names = std::move(reshape.out(0).tensor().names);
    for (const char* data : {"reshape1_data", "transpose_data", "reshape2_data"})
      match.tensor(data).tensor().names.clear();
  }

 private:
  static bool is_convolution(const Attribute* op, const PatternNode&) {
    const std::string* name = op ? std::get_if<std::string>(op) : nullptr;
    return name && (*name == "Convolution" || *name == "GroupConvolution");
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ShufflenetReLUReorder)
}  // namespace mo
