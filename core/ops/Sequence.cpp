// Lists of tensors during conversion. IR has none: they disappear with the operations that read them.
//   Sequence: its elements, one per input.
//   ExtendedSequence (sequence, element), ShortenedSequence (sequence): with one more element at attribute position, or
//       without the one there. Attribute count: the number of elements.
//   SequenceOfSlices: all slices of the data along attribute axis; with keep_dims they keep that axis, of dimension 1.
//   PackedSequence: its elements one after another, flat, each with attribute axis first; and their shapes, [n, rank].
//       Attribute element: what their shapes have in common.
//   Optional: without input; there is no value.
//   TensorListReserve (element_shape, count): elements without a value; its tensor has them along axis 0.
//   JoinedList (joined, lengths): elements of several lengths, joined along axis 0, and the length of each.
// The output has the type of the elements and, except for TensorListReserve, no shape.

#include <algorithm>

#include "core/ops/known.h"

namespace mo {
namespace {

void infer_sequence(InferContext& c) {
  ElementType type = ElementType::Unknown;
  for (int i = 0; i < c.in_count(); ++i) {
    if (!c.has_in(i)) c.fail(Code::MissingInput, msg("element ", i));
    if (type != ElementType::Unknown && c.type(i) != ElementType::Unknown && c.type(i) != type)
      c.fail(Code::BadValue, msg("element ", i, " is ", ir_name(c.type(i)), ", those before it are ", ir_name(type)));
    if (type == ElementType::Unknown) type = c.type(i);
  }
  c.set(0, {}, type);
}

void infer_extended(InferContext& c) {
  require_inputs(c, 2);
  const ElementType list = c.type(0), added = c.type(1);
  if (list != added && list != ElementType::Unknown && added != ElementType::Unknown) {
    const int64_t at = c.node().get_int("position");
    c.fail(Code::BadValue, msg("element ", std::max<int64_t>(at, 1), " is ", ir_name(at > 0 ? added : list),
                               ", those before it are ", ir_name(at > 0 ? list : added)));
  }
  c.set(0, {}, list == ElementType::Unknown ? added : list);
}

void infer_packed(InferContext& c) { c.set(0, {}, c.type(0)); }

void infer_reserve(InferContext& c) {
  const auto sizes = c.exact_ints(0);
  PartialShape shape;
  if (sizes && c.shape(0).rank() == 1) {
    std::vector<Dimension> dimensions{kAnyDimension};
    if (const auto count = c.exact_int(1); count && *count >= 0) dimensions[0] = *count;
    for (const int64_t size : *sizes) dimensions.push_back(size < 0 ? kAnyDimension : Dimension(size));
    shape = PartialShape(dimensions);
  }
  c.set(0, shape, c.node().get_type("element_dtype"));
}

void infer_joined(InferContext& c) { c.set(0, {}, c.type(0)); }

constexpr OpDef row(std::string_view op, void (*infer)(InferContext&) = infer_sequence) {
  return {
      .op = op, .type = "", .version = "", .infer = infer, .layout = {LayoutClass::Reshapes}, .gives_tensors = false};
}

constexpr OpDef kSequenceDefs[] = {
    row("Sequence"),
    row("ExtendedSequence", infer_extended),
    row("ShortenedSequence", infer_packed),
    row("Optional"),
    row("SequenceOfSlices"),
    row("PackedSequence", infer_packed),
    row("JoinedList", infer_joined),
    row("TensorListReserve", infer_reserve),
};

}  // namespace

OpFamily ops_Sequence() { return kSequenceDefs; }

}  // namespace mo
