// Operations that reorder elements, or sum them cumulatively, and keep the shape:
// CumSum (opset3): data, axis (a scalar); attributes exclusive, reverse.
// ReverseSequence (opset1): data, lengths [batch]; attributes batch_axis, seq_axis.
// Reverse (opset1): data, axes; attribute mode: index, mask.
// Roll (opset7): data, shift, axes.
// ShuffleChannels (opset1): data; attributes axis, group.

#include "core/ops/elementwise.h"
#include "core/ops/known.h"

namespace mo {
namespace {

void infer_in_place(InferContext& c) { c.set(0, c.shape(0), c.type(0)); }

void infer_along_axis(InferContext& c) {
  infer_in_place(c);
  if (const auto axis = c.exact_int(1); axis && c.shape(0).has_rank()) axis_of(c, *axis, c.shape(0).rank());
}
/// Sums integers that are known. Sums that do not fit into the type are unknown.
void infer_cum_sum(InferContext& c) {
  infer_along_axis(c);
  const auto& known = c.ints(0);
  const auto axis = c.exact_int(1);
  if (!known || known->shape.empty() || !axis) return;
  const size_t at = axis_of(c, *axis, static_cast<int>(known->shape.size()));
  const auto count = static_cast<size_t>(known->shape[at]), step = static_cast<size_t>(strides_of(known->shape)[at]);
  const bool exclusive = c.node().get_bool("exclusive"), reverse = c.node().get_bool("reverse");
  IntTensor result = *known;
  for (size_t start = 0; start < result.elements.size(); ++start) {
    if (start / step % count != 0) continue;
    Interval sum(0);
    for (size_t i = 0; i < count; ++i) {
      Interval& place = result.elements[start + (reverse ? count - 1 - i : i) * step];
      const Interval more = fit_interval(checked_add(sum, place), c.type(0));
      place = exclusive ? sum : more;
      sum = more;
    }
  }
  c.set_ints(0, std::move(result));
}
void attributes_cum_sum(const Node& n, IrAttributes& a) {
  a.add("exclusive", n.get_bool("exclusive"));
  a.add("reverse", n.get_bool("reverse"));
}

void infer_reverse_sequence(InferContext& c) {
  require_inputs(c, 2);
  PartialShape out = c.shape(0);
  c.require_rank(1, 1, 1);
  if (out.has_rank()) {
    const size_t batch = axis_of(c, c.node().get_int("batch_axis"), out.rank());
    axis_of(c, c.node().get_int("seq_axis", 1), out.rank());
    const auto both = intersect(out[batch], c.shape(1).elements());
    if (!both)
      c.fail(Code::ShapeMismatch,
             msg(to_string(c.shape(1).elements()), " lengths for a batch of ", to_string(out[batch])));
    out[batch] = *both;
  }
  c.set(0, out, c.type(0));
}
void attributes_reverse_sequence(const Node& n, IrAttributes& a) {
  a.add("batch_axis", n.get_int("batch_axis"));
  a.add("seq_axis", n.get_int("seq_axis", 1));
}

void attributes_reverse(const Node& n, IrAttributes& a) { a.add("mode", n.get_string("mode", "index")); }

void infer_shuffle_channels(InferContext& c) {
  infer_in_place(c);
  const PartialShape& data = c.shape(0);
  const int64_t group = c.node().get_int("group", 1);
  if (group < 1) c.fail(Code::BadAttribute, msg("group is ", group));
  if (!data.has_rank()) return;
  const Dimension d = data[axis_of(c, c.node().get_int("axis", 1), data.rank())];
  if (d.is_exact() && d.min % group != 0) c.fail(Code::ShapeMismatch, msg(d.min, " channels in ", group, " groups"));
}
void attributes_shuffle_channels(const Node& n, IrAttributes& a) {
  a.add("axis", n.get_int("axis", 1));
  a.add("group", n.get_int("group", 1));
}

/// Whether input 1 is a list of booleans, one for each axis.
bool reverse_has_mask(const Node& n) { return n.get_string("mode", "index") == "mask"; }

using SequenceRule = LayoutRule::Kind;
constexpr OpDef kSequencesDefs[] = {
    {.op = "CumSum",
     .type = "CumSum",
     .version = "opset3",
     .infer = infer_cum_sum,
     .ir_attributes = attributes_cum_sum,
     .layout = {LayoutClass::Follows, {{.kind = SequenceRule::Axis, .input = 1}}}},
    {.op = "ReverseSequence",
     .type = "ReverseSequence",
     .version = "opset1",
     .infer = infer_reverse_sequence,
     .ir_attributes = attributes_reverse_sequence,
     .layout = {LayoutClass::Follows,
                {{.kind = SequenceRule::Inv, .attribute = "batch_axis"},
                 {.kind = SequenceRule::Inv, .attribute = "seq_axis"}}}},
    {.op = "Reverse",
     .type = "Reverse",
     .version = "opset1",
     .infer = infer_in_place,
     .ir_attributes = attributes_reverse,
     .layout = {LayoutClass::Follows, {{.kind = SequenceRule::Axis, .input = 1}}, reverse_has_mask}},
    {.op = "Roll",
     .type = "Roll",
     .version = "opset7",
     .infer = infer_in_place,
     .layout = {LayoutClass::Follows, {{.kind = SequenceRule::Axis, .input = 2}}}},
    {.op = "ShuffleChannels",
     .type = "ShuffleChannels",
     .version = "opset1",
     .infer = infer_shuffle_channels,
     .ir_attributes = attributes_shuffle_channels,
     .layout = {LayoutClass::Follows, {{.kind = SequenceRule::Inv, .attribute = "axis"}}}},
};

}  // namespace

OpFamily ops_Sequences() { return kSequencesDefs; }

}  // namespace mo
