// set_value: a part of a tensor is replaced.

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

/// Numbers without a type have that of the tensor.
OutPort value_of(Node& node, OutPort x) {
  if (const OutPort value = input(node, "ValueTensor")) return value;
  const bool is_whole = node.attributes.get_if<Ints>("values") != nullptr;
  const ElementType type = type_of(node, "dtype", is_whole ? ElementType::I64 : ElementType::F64);
  Builder b(node);
  const OutPort value =
      b.constant(listed(node, {"values", "fp32_values", "int32_values", "int64_values", "fp64_values", "bool_values"},
                        type, ints_of(node, "shape")));
  return node.has("dtype") ? value : b.op("ConvertLike", {value, x});
}

}  // namespace

/// Axes in decrease_axes are those that the value lacks; it has others of 1 before the axes in none_axes.
void extract_set_value(Node& node) {
  const OutPort x = required(node, "Input"), value = value_of(node, x);
  const Ints axes = ints_of(node, "axes");
  const OutPort start = integers(node, {}, "StartsTensorList", "starts");
  const OutPort stop = integers(node, {}, "EndsTensorList", "ends");
  const OutPort step = integers(node, {}, "StepsTensorList", "steps");
  if (!axes.empty() && (!start || !stop || !step))
    throw Error(Code::MissingAttribute, std::string(!start ? "starts" : !stop ? "ends" : "steps"));
  Attributes attributes{
      {"axes", axes}, {"dropped", ints_of(node, "decrease_axes")}, {"added", ints_of(node, "none_axes")}};
  if (node.get_bool("is_usual")) attributes.set("is_usual", true);
  become(node, "SetValue", {x, value, start, stop, step}, std::move(attributes));
}

}  // namespace mo::paddle
