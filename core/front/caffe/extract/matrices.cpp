// InnerProduct and Embed.

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"

namespace mo::caffe {
namespace {

int64_t outputs_of(const Node& node) {
  const int64_t outputs = node.get_int("num_output");
  if (outputs < 1) throw Error(Code::BadAttribute, msg("num_output is ", outputs));
  return outputs;
}

}  // namespace

/// The dimensions from `axis` on are one for the product.
void extract_inner_product(Node& node) {
  require_input(node, 0);
  const int64_t outputs = outputs_of(node), axis = node.get_int("axis", 1);
  const bool transposed = node.get_bool("transpose");
  const OpenSize open{.axis = axis, .all = true};
  Builder b(node);
  const OutPort weights = shaped_blob(node, 0, transposed ? Ints{-1, outputs} : Ints{outputs, -1}, open);
  const OutPort bias =
      node.get_bool("bias_term", true) ? shaped_blob(node, 1, axis == 0 ? Ints{outputs} : Ints{1, outputs}) : OutPort();
  const OutPort rows =
      b.op("ReshapedAxes", {node.source(0)}, {{"shape", Ints{-1}}, {"begin", axis < 0 ? axis - 1 : axis}, {"end", -1}});
  if (!bias) {
    become(node, "MatMul", {rows, weights});
    node.set("transpose_b", !transposed);
    return;
  }
  const OutPort product = b.matmul({rows, weights}, !transposed);
  become(node, "Add", {product, bias});
}

/// Rows of the weights by numbers, which are real in Caffe.
void extract_embed(Node& node) {
  require_input(node, 0);
  const int64_t outputs = outputs_of(node);
  Builder b(node);
  const OutPort rows = shaped_blob(node, 0, {node.get_int("input_dim"), outputs});
  const OutPort bias = node.get_bool("bias_term", true) ? shaped_blob(node, 1, {outputs}) : OutPort();
  const OutPort indices = b.op("Cast", {node.source(0)}, {{"dst_type", ElementType::I32}});
  const OutPort axis = b.i64_scalar(0);
  if (!bias) return become(node, "Gather", {rows, indices, axis});
  const OutPort found = b.op("Gather", {rows, indices, axis});
  become(node, "Add", {found, bias});
}

}  // namespace mo::caffe
