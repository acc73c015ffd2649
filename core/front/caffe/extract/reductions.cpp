// Reduction and ArgMax.

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"

namespace mo::caffe {

/// Over all dimensions from `axis` on, times a factor.
void extract_reduction(Node& node) {
  require_input(node, 0);
  const std::string operation = node.get_string("operation", "SUM");
  const char* const op = operation == "ASUM"    ? "ReduceL1"
                         : operation == "SUMSQ" ? "ReduceSumSquare"
                         : operation == "MEAN"  ? "ReduceMean"
                                                : "ReduceSum";
  const int64_t axis = node.get_int("axis");
  const double factor = node.get_float("coeff", 1);
  const OutPort rows = Builder(node).op("ReshapedAxes", {node.source(0)},
                                        {{"shape", Ints{-1}}, {"begin", axis < 0 ? axis - 1 : axis}, {"end", -1}});
  become(node, op, {rows});
  node.set("axes", Ints{-1});
  node.set("keep_dims", false);
  if (factor == 1) return;
  Node& product = add_behind(node, "Mul");
  product.add_in_ports(2);
  const OutPort by = Builder(node).f32_scalar(static_cast<float>(factor));
  product.in(1).connect(by);
}

void extract_argmax(Node& node) {
  require_input(node, 0);
  const int64_t count = node.get_int("top_k", 1);
  if (count < 1) throw Error(Code::BadAttribute, msg("top_k is ", count));
  const Attribute* axis = node.attributes.find("axis");
  const Attribute kept = axis ? *axis : Attribute();
  const bool values = node.get_bool("out_max_val");
  become(node, "CaffeArgMax", {node.source(0)});
  if (axis) node.set("axis", kept);
  node.set("top_k", count);
  node.set("out_max_val", values);
}

}  // namespace mo::caffe
