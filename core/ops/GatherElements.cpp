// GatherElements (opset6): data, indices of the same rank; attribute axis.
// GatherND (opset5; opset8 with more than one batch dimension, which opset5 would merge): data, indices [batch…, …, k];
// attribute batch_dims.

#include "core/ops/known.h"

namespace mo {
namespace {

void infer_gather_elements(InferContext& c) {
  require_inputs(c, 2);
  PartialShape data = c.shape(0), out = c.shape(1);
  if (data.has_rank() && out.has_rank()) {
    if (data.rank() != out.rank())
      c.fail(Code::RankMismatch, msg("[", to_string(data), "] and [", to_string(out), "]"));
    axis_of(c, c.node().get_int("axis"), data.rank());
  } else if (data.has_rank()) {
    out = PartialShape::of_rank(data.dimensions().size());
  }
  c.set(0, out, c.type(0));
}

void attributes_gather_elements(const Node& n, IrAttributes& a) { a.add("axis", n.get_int("axis")); }

void infer_gather_nd(InferContext& c) {
  require_inputs(c, 2);
  const PartialShape &data = c.shape(0), &indices = c.shape(1);
  c.require_rank(0, 1);
  c.require_rank(1, 1);
  if (!data.has_rank() || !indices.has_rank() || !indices.dimensions().back().is_exact())
    return c.set(0, {}, c.type(0));
  const int64_t batch = c.node().get_int("batch_dims");
  if (batch < 0 || batch >= indices.rank() || batch >= data.rank())
    c.fail(Code::BadAttribute, msg("batch_dims is ", batch));
  const int64_t depth = indices.dimensions().back().min;
  if (depth < 1 || depth > data.rank() - batch)
    c.fail(Code::ShapeMismatch, msg("indices of ", depth, " numbers into [", to_string(data), "]"));
  std::vector<Dimension> out(indices.dimensions().begin(), indices.dimensions().end() - 1);
  for (size_t i = 0; i < static_cast<size_t>(batch); ++i) {
    const auto both = intersect(data[i], indices[i]);
    if (!both)
      c.fail(Code::ShapeMismatch,
             msg("batch dimension ", i, ": [", to_string(data), "] and [", to_string(indices), "]"));
    out[i] = *both;
  }
  out.insert(out.end(), data.dimensions().begin() + batch + depth, data.dimensions().end());
  c.set(0, out, c.type(0));
}

std::string_view version_gather_nd(const Node& n) { return n.get_int("batch_dims") > 1 ? "opset8" : "opset5"; }
void attributes_gather_nd(const Node& n, IrAttributes& a) { a.add("batch_dims", n.get_int("batch_dims")); }

constexpr OpDef kGatherElementsDefs[] = {
    {.op = "GatherElements",
     .type = "GatherElements",
     .version = "opset6",
     .infer = infer_gather_elements,
     .ir_attributes = attributes_gather_elements,
     .layout = {LayoutClass::Follows, {{.kind = LayoutRule::Kind::Inv, .attribute = "axis"}}}},
    {.op = "GatherND",
     .type = "GatherND",
     .version = "opset8",
     .infer = infer_gather_nd,
     .ir_attributes = attributes_gather_nd,
     .layout = {LayoutClass::Reshapes, {}},
     .version_of = version_gather_nd},
};

}  // namespace

OpFamily ops_GatherElements() { return kGatherElementsDefs; }

}  // namespace mo
