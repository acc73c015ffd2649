#include "core/graph/builder.h"

#include "core/ops/op_def.h"

namespace mo {

Node& Builder::node(std::string_view op, const std::vector<OutPort>& inputs, Attributes attributes, int outputs) {
  Node& made = graph_.add_node(std::string(op), prefix_ + "/" + std::string(op));
  made.attributes = std::move(attributes);
  made.add_in_ports(static_cast<int>(inputs.size()));
  made.add_out_ports(outputs);
  bool known = true;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    made.in(static_cast<int>(i)).connect(inputs[i]);
    known &= inputs[i].tensor().type != ElementType::Unknown;
  }
  if (known && made.definition()) infer_node(made);
  return made;
}

OutPort Builder::constant(Constant value) { return graph_.constant(std::move(value), prefix_ + "/Const").out(0); }

OutPort Builder::scalar_like(OutPort like, double value) {
  const ElementType type = like.tensor().type;
  if (type != ElementType::Unknown) return constant(make_scalar(type, value));
  return op("ConvertLike", {f32_scalar(static_cast<float>(value)), like});
}

OutPort Builder::convert(OutPort x, ElementType type) {
  if (x.tensor().type == type) return x;
  return op("Cast", {x}, {{"dst_type", type}});
}

OutPort Builder::reshape(OutPort x, const Ints& shape, bool special_zero) {
  return op("Reshape", {x, i64(shape)}, {{"special_zero", special_zero}});
}

OutPort Builder::dims_of(OutPort x, const Ints& axes) { return gather(shape_of(x), i64(axes), 0); }

}  // namespace mo
