// TopK (opset3; opset11 if equal elements keep their order): data, k (a scalar); outputs values and indices.
// Attributes: axis, mode (max, min), sort (value, index, none), index_element_type, stable.

#include "core/ops/known.h"

namespace mo {
namespace {

void infer_top_k(InferContext& c) {
  PartialShape out = c.shape(0);
  c.require_rank(0, 1);
  if (out.has_rank()) {
    Dimension& d = out[axis_of(c, c.node().get_int("axis", -1), out.rank())];
    const auto k = c.exact_int(1);
    if (k && (*k < 0 || *k > d.max)) c.fail(Code::BadValue, msg("k is ", *k, " for a dimension of ", to_string(d)));
    d = k ? min(d, *k) : Dimension(0, d.max);
  }
  c.set(0, out, c.type(0));
  if (c.node().out_count() > 1) c.set(1, out, c.node().get_type("index_element_type", ElementType::I64));
}

std::string_view version_top_k(const Node& n) { return n.get_bool("stable") ? "opset11" : "opset3"; }
void attributes_top_k(const Node& n, IrAttributes& a) {
  a.add("axis", n.get_int("axis", -1));
  a.add("mode", n.get_string("mode", "max"));
  a.add("sort", n.get_string("sort", "value"));
  a.add("index_element_type", n.get_type("index_element_type", ElementType::I64));
  if (n.get_bool("stable")) a.add("stable", true);
}

constexpr OpDef kTopKDefs[] = {
    {.op = "TopK",
     .type = "TopK",
     .version = "opset11",
     .infer = infer_top_k,
     .ir_attributes = attributes_top_k,
     .layout = {LayoutClass::Follows, {{.kind = LayoutRule::Kind::Inv, .attribute = "axis"}}},
     .version_of = version_top_k},
};

}  // namespace

OpFamily ops_TopK() { return kTopKDefs; }

}  // namespace mo
