// Operators that cut tensors and join them.

#include <algorithm>

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

Ints ones_of(const Ints& axes) { return Ints(axes.size(), 1); }

int64_t output_count(const Node& node, std::string_view slot) {
  const Strings slots = node.get_strings("output_slots");
  return std::count(slots.begin(), slots.end(), slot);
}

/// One index along one axis, which goes: the element there.
OutPort element(Builder& b, OutPort x, OutPort start, const Ints& known, int64_t axis) {
  const OutPort at = known.size() == 1 ? b.i64_scalar(known[0]) : scalar_of(b, start);
  return b.op("Gather", {x, at, b.i64_scalar(axis)});
}

}  // namespace

/// Axes in decrease_axis, of which one element is left, go.
void extract_slice(Node& node) {
  const OutPort x = required(node, "Input");
  const Ints axes = ints_of(node, "axes"), dropped = ints_of(node, "decrease_axis");
  const OutPort start = integers(node, "StartsTensor", "StartsTensorList", "starts");
  const OutPort stop = integers(node, "EndsTensor", "EndsTensorList", "ends");
  if (!start) throw Error(Code::MissingAttribute, "starts");
  Builder b(node);
  if (node.get_bool("is_of_list")) {
    if (!dropped.empty()) return become(node, "TensorListGetItem", {x, scalar_of(b, start, ElementType::I32)});
    if (!stop) throw Error(Code::MissingAttribute, "ends");
    const OutPort any_shape = b.constant(make_scalar(ElementType::I32, -1));
    const OutPort items = b.op("TensorListStack", {x, any_shape});
    return become(node, "TensorListFromTensor", {b.op("Slice", {items, start, stop, b.i64({1}), b.i64({0})})});
  }
  if (!stop) throw Error(Code::MissingAttribute, "ends");
  if (axes.size() == 1 && dropped == axes) {
    const bool fixed = !input(node, "StartsTensor") && !input(node, "StartsTensorList");
    const OutPort y = element(b, x, start, fixed ? ints_of(node, "starts") : Ints(), axes[0]);
    return give(node, {{"Out", as_declared(node, y)}});
  }
  const OutPort along = b.i64(axes), step = b.i64(ones_of(axes));
  if (dropped.empty()) return become(node, "AttributedSlice", {x, start, stop, along, step});
  const OutPort part = b.op("AttributedSlice", {x, start, stop, along, step});
  give(node, {{"Out", as_declared(node, b.squeeze(part, dropped))}});
}

void extract_strided_slice(Node& node) {
  const OutPort x = required(node, "Input");
  const Ints axes = ints_of(node, "axes"), dropped = ints_of(node, "decrease_axis");
  const OutPort start = integers(node, "StartsTensor", "StartsTensorList", "starts");
  const OutPort stop = integers(node, "EndsTensor", "EndsTensorList", "ends");
  const OutPort step = integers(node, "StridesTensor", "StridesTensorList", "strides");
  if (!start || !stop || !step)
    throw Error(Code::MissingAttribute, std::string(!start ? "starts" : !stop ? "ends" : "strides"));
  Builder b(node);
  const OutPort along = b.i64(axes);
  // PaddlePaddle 3 counts the ends of negative steps as others do.
  const char* op = node.get_bool("is_usual") ? "AttributedSlice" : "SteppedSlice";
  if (dropped.empty()) return become(node, op, {x, start, stop, along, step});
  const OutPort part = b.op(op, {x, start, stop, along, step});
  give(node, {{"Out", as_declared(node, b.squeeze(part, dropped))}});
}

/// Into equal parts, or parts of these lengths, of which one may be -1: the rest.
void extract_split(Node& node) {
  const OutPort x = required(node, "X");
  const int64_t parts = output_count(node, "Out");
  const Ints sections = ints_of(node, "sections");
  const bool listed = input(node, "SectionsTensorList") || input(node, "sections") || !sections.empty();
  if (listed && !input(node, "SectionsTensorList") && !input(node, "sections") &&
      static_cast<int64_t>(sections.size()) != parts)
    throw Error(Code::BadAttribute, msg(sections.size(), " sections for ", parts, " outputs"));
  if (parts == 1) return give(node, {{"Out", x}});
  const OutPort axis = axis_of(node, "AxisTensor", "axis", 0);
  if (!listed) return become(node, "Split", {x, axis}, {{"num_splits", parts}});
  const OutPort lengths = integers(node, {}, "SectionsTensorList", "sections");
  become(node, "VariadicSplit", {x, axis, lengths});
}

void extract_concat(Node& node) {
  std::vector<OutPort> parts = inputs(node, "X");
  if (parts.empty()) throw Error(Code::MissingInput, "X");
  if (parts.size() == 1) return give(node, {{"Out", parts[0]}});
  if (!input(node, "AxisTensor") && !input(node, "axis"))
    return become(node, "Concat", parts, {{"axis", node.get_int("axis")}});
  parts.push_back(axis_of(node, "AxisTensor", "axis", 0));
  become(node, "ConcatV2", parts);
}

void extract_stack(Node& node) {
  const std::vector<OutPort> parts = inputs(node, "X");
  if (parts.empty()) throw Error(Code::MissingInput, "X");
  become(node, "Pack", parts, {{"axis", node.get_int("axis")}}, {"Y"});
}

void extract_unstack(Node& node) {
  become(node, "Unpack", {required(node, "X")}, {{"axis", node.get_int("axis")}}, {"Y"});
}

void extract_unbind(Node& node) { become(node, "Unpack", {required(node, "X")}, {{"axis", node.get_int("axis")}}); }

namespace {

/// The same columns of each X; a negative start counts from the last one.
std::vector<OutPort> columns(Node& node) {
  const int64_t start = node.get_int("start_index"), length = node.get_int("length", -1);
  if (start < INT32_MIN || start > INT32_MAX) throw Error(Code::BadAttribute, msg("start_index is ", start));
  const int64_t stop =
      length < 0 || length > INT32_MAX || (start < 0 && start + length >= 0) ? INT32_MAX : start + length;
  Builder b(node);
  std::vector<OutPort> parts;
  for (const OutPort x : inputs(node, "X")) {
    const OutPort from = b.i64({start}), to = b.i64({stop}), axis = b.i64({1}), step = b.i64({1});
    parts.push_back(b.op("AttributedSlice", {x, from, to, axis, step}));
  }
  if (parts.empty()) throw Error(Code::MissingInput, "X");
  return parts;
}

}  // namespace

void extract_partial_concat(Node& node) { become(node, "Concat", columns(node), {{"axis", int64_t{1}}}); }
void extract_partial_sum(Node& node) { become(node, "EltwiseN", columns(node), {{"operation", "sum"}}); }

}  // namespace mo::paddle
