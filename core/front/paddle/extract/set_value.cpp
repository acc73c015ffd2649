// set_value: a part of a tensor is replaced.

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

OutPort value_of(Node& node) {
  if (const OutPort value = input(node, "ValueTensor")) return value;
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  return Builder(node).constant(
      listed(node, {"values", "fp32_values", "int32_values", "int64_values", "fp64_values", "bool_values"}, type,
             ints_of(node, "shape")));
}

}  // namespace

/// Axes in decrease_axes are those that the value lacks; it has others of 1 before the axes in none_axes.
void extract_set_value(Node& node) {
  const OutPort x = required(node, "Input"), value = value_of(node);
  const Ints axes = ints_of(node, "axes");
  const OutPort start = integers(node, {}, "StartsTensorList", "starts");
  const OutPort stop = integers(node, {}, "EndsTensorList", "ends");
  const OutPort step = integers(node, {}, "StepsTensorList", "steps");
  if (!axes.empty() && (!start || !stop || !step))
    throw Error(Code::MissingAttribute, std::string(!start ? "starts" : !stop ? "ends" : "steps"));
  become(node, "SetValue", {x, value, start, stop, step},
         {{"axes", axes}, {"dropped", ints_of(node, "decrease_axes")}, {"added", ints_of(node, "none_axes")}});
}

}  // namespace mo::paddle
