// Pad (opset1; opset12 if a pad may be negative, which crops): data, pads_begin [rank], pads_end [rank], pad_value
// (optional); attribute mode: constant, edge, reflect, symmetric.

#include <algorithm>

#include "core/ops/known.h"

namespace mo {
namespace {

void infer_pad(InferContext& c) {
  const PartialShape& data = c.shape(0);
  const auto begin = elements_of(c, 1), end = elements_of(c, 2);
  for (const auto* pads : {&begin, &end})
    if (*pads && data.has_rank() && (*pads)->size() != data.dimensions().size())
      c.fail(Code::ShapeMismatch, msg((*pads)->size(), " pads for [", to_string(data), "]"));
  if (!data.has_rank()) return c.set(0, begin ? PartialShape::of_rank(begin->size()) : PartialShape(), c.type(0));
  PartialShape out = data;
  for (size_t i = 0; i < data.dimensions().size(); ++i) {
    const Interval size = begin && end ? data[i] + (*begin)[i] + (*end)[i] : Interval();
    if (size.max < 0) c.fail(Code::BadValue, msg("pads that take more than there is of dimension ", i));
    out[i] = to_dimension(size);
  }
  c.set(0, out, c.type(0));
}

std::string_view version_pad(const Node& n) {
  for (const int i : {1, 2}) {
    const OutPort pads = n.source(i);
    if (!pads || !pads.tensor().ints) return "opset12";
    const auto& elements = pads.tensor().ints->elements;
    if (std::any_of(elements.begin(), elements.end(), [](Interval p) { return p.min < 0; })) return "opset12";
  }
  return "opset1";
}

void attributes_pad(const Node& n, IrAttributes& a) { a.add("pad_mode", n.get_string("mode", "constant")); }

constexpr OpDef kPadDefs[] = {
    {.op = "Pad",
     .type = "Pad",
     .version = "opset12",
     .infer = infer_pad,
     .ir_attributes = attributes_pad,
     .layout = {LayoutClass::Follows,
                {{.kind = LayoutRule::Kind::Shape, .input = 1}, {.kind = LayoutRule::Kind::Shape, .input = 2}}},
     .version_of = version_pad},
};

}  // namespace

OpFamily ops_Pad() { return kPadDefs; }

}  // namespace mo
