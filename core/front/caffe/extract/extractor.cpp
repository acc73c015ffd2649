#include "core/front/caffe/extract/extractor.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/front/common/inputs.h"

namespace mo::caffe {

#define MO_OPERATORS "core/front/caffe/extract/operators.def"
#include "core/front/common/operator_rows.inc"

const Operators& operators() {
  static const Operators all(kRows);
  return all;
}

int bottoms_of(const Node& node) { return static_cast<int>(node.get_int("bottoms")); }

OutPort blob_of(const Node& node, int i) { return node.source(bottoms_of(node) + i); }

std::optional<int64_t> size_of_blob(const Node& node, int i) {
  const OutPort blob = blob_of(node, i);
  const Constant* value = blob ? blob.node().get_constant("value") : nullptr;
  return value ? std::optional(static_cast<int64_t>(value->elements())) : std::nullopt;
}

namespace {

/// Without leading dimensions of 1, which blobs of old files have.
Ints bare(const Ints& shape) {
  return {std::find_if(shape.begin(), shape.end(), [](int64_t size) { return size != 1; }), shape.end()};
}

/// The shape with its -1 computed; nullopt for sizes that no blob has.
std::optional<Ints> filled_in(Ints shape, int64_t elements) {
  int64_t known = 1;
  for (const int64_t size : shape) {
    if (size < -1 || size > INT32_MAX || (size > 0 && known > INT64_MAX / size)) return std::nullopt;
    if (size != -1) known *= size;
  }
  for (int64_t& size : shape)
    if (size == -1) size = known > 0 && elements % known == 0 ? elements / known : 0;
  return shape;
}

}  // namespace

OutPort shaped_blob(Node& node, int i, Ints shape, OpenSize open) {
  const OutPort blob = blob_of(node, i);
  if (!blob) throw Error(Code::MissingInput, msg("blob ", i));
  Node& made = blob.node();
  if (made.op() == "Filled") {
    made.set("shape", shape);
    made.set("axis", open.axis);
    made.set("parts", open.parts);
    made.set("all", open.all);
    return blob;
  }
  const Constant* value = made.get_constant("value");
  if (!value) return blob;
  const auto wanted = filled_in(shape, static_cast<int64_t>(value->elements()));
  const bool is_flat = value->shape.size() == 1 && wanted && element_count(*wanted) == value->elements();
  if (!wanted || (!is_flat && bare(*wanted) != bare(value->shape)))
    throw Error(Code::ShapeMismatch, msg("blob ", i, " is [", join(value->shape), "], the layer wants [",
                                         join(wanted.value_or(shape)), "]"));
  return *wanted == value->shape ? blob : Builder(node).constant(reshape(*value, *wanted));
}

Node& add_behind(Node& node, const char* op, NewAttributes attributes) {
  Node& made = Builder(node).node(op, {OutPort()}, attributes);
  node.out(0).connection().set_source(made.out(0), TensorNames::Merge);
  node.out(0).connect(made.in(0));
  return made;
}

void add_relu(Node& node, double negative_slope) {
  if (negative_slope == 0)
    add_behind(node, "ReLU");
  else
    add_behind(node, "LeakyReLU", {{"alpha", negative_slope}});
}

void become(Node& node, const char* op, const std::vector<OutPort>& inputs) {
  set_inputs(node, inputs);
  node.attributes = {};
  node.set_op(op);
}

}  // namespace mo::caffe
