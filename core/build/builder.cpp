#include "core/build/builder.h"

#include "core/graph/name_to_extend.h"
#include "core/ops/fixed_dimensions.h"
#include "core/ops/op_def.h"

namespace mo {

Node& Builder::node(const char* op, List<OutPort> inputs, Attributes attributes, int outputs) {
  constexpr std::string_view kPrefix = "Attributed";
  std::string_view name = op;
  if (name.compare(0, kPrefix.size(), kPrefix) == 0) name.remove_prefix(kPrefix.size());
  Node& made = graph_.add_node(op, cat(name_to_extend(prefix_), "/", name));
  made.attributes = std::move(attributes);
  made.add_in_ports(static_cast<int>(inputs.size()));
  made.add_out_ports(outputs);
  bool known = true;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    made.in(static_cast<int>(i)).connect(inputs[i]);
    known &= inputs[i].tensor().type != ElementType::Unknown;
  }
  if (graph_.model().decompose) refine_by_definition(made);
  if (known && made.definition()) infer_node(made);
  return made;
}

Node& Builder::node(const char* op, List<OutPort> inputs, NewAttributes attributes, int outputs) {
  return node(op, inputs, Attributes(attributes), outputs);
}

OutPort Builder::op(const char* op, List<OutPort> inputs, Attributes attributes) {
  return node(op, inputs, std::move(attributes)).out(0);
}
OutPort Builder::op(const char* op, List<OutPort> inputs, NewAttributes attributes) {
  return node(op, inputs, Attributes(attributes)).out(0);
}

OutPort Builder::constant(Constant value) {
  return graph_.constant(std::move(value), cat(name_to_extend(prefix_), "/Const")).out(0);
}

OutPort Builder::scalar_like(OutPort like, double value) {
  const ElementType type = like.tensor().type;
  if (type != ElementType::Unknown) return constant(make_scalar(type, value));
  return op("ConvertLike", {f32_scalar(static_cast<float>(value)), like});
}

OutPort Builder::convert(OutPort x, ElementType type) {
  if (x.tensor().type == type) return x;
  return op("Cast", {x}, {{"dst_type", type}});
}

OutPort Builder::i64(List<int64_t> values) { return constant(make_i64(values)); }
OutPort Builder::i64_scalar(int64_t value) { return constant(make_i64_scalar(value)); }
OutPort Builder::f32_scalar(float value) { return constant(make_f32_scalar(value)); }

OutPort Builder::reshape(OutPort x, List<int64_t> shape, bool special_zero) {
  return op("Reshape", {x, i64(shape)}, {{"special_zero", special_zero}});
}
OutPort Builder::transpose(OutPort x, List<int64_t> order) { return op("Transpose", {x, i64(order)}); }
OutPort Builder::matmul(List<OutPort> factors, bool transpose_b) {
  return op("MatMul", factors, {{"transpose_a", false}, {"transpose_b", transpose_b}});
}
OutPort Builder::squeeze(OutPort x, List<int64_t> axes) { return op("Squeeze", {x, i64(axes)}); }
OutPort Builder::unsqueeze(OutPort x, List<int64_t> axes) { return op("Unsqueeze", {x, i64(axes)}); }

OutPort Builder::shape_of(OutPort x) { return op("ShapeOf", {x}, {{"output_type", ElementType::I64}}); }
OutPort Builder::dims_of(OutPort x, List<int64_t> axes) {
  const OutPort shape = shape_of(x);
  return gather(shape, i64(axes), 0);
}
OutPort Builder::gather(OutPort x, OutPort indices, int64_t axis) {
  return op("Gather", {x, indices, i64_scalar(axis)});
}
OutPort Builder::concat(List<OutPort> parts, int64_t axis) { return op("Concat", parts, {{"axis", axis}}); }
Node& Builder::split(OutPort x, int64_t axis, List<int64_t> lengths) {
  return node("VariadicSplit", {x, i64_scalar(axis), i64(lengths)}, {}, static_cast<int>(lengths.size()));
}

OutPort Builder::reduce(const char* kind, OutPort x, List<int64_t> axes, bool keep_dims) {
  return op(kind, {x, i64(axes)}, {{"keep_dims", keep_dims}});
}

}  // namespace mo
