// MaxPool (opset1; opset8 with dilations or indices; opset14 with rounding ceil_torch): data [N, C, spatial…]; optional
// output 1 holds the indices. AvgPool (opset1; opset14 with rounding ceil_torch; opset16 with dilations).
// Attributes: kernel, strides, dilations, pads_begin, pads_end, auto_pad, rounding_type; MaxPool: index_element_type,
// axis; AvgPool: exclude-pad.

#include <algorithm>

#include "core/ops/spatial.h"
#include "core/ops/window.h"

namespace mo {
namespace {

void infer_pool(InferContext& c) {
  c.require_rank(0, 3, 5);
  const Node& node = c.node();
  const Ints kernel = node.get_ints("kernel");
  PartialShape out = c.shape(0);
  if (!out.has_rank()) out = PartialShape::of_rank(kernel.size() + 2);
  if (out.dimensions().size() != kernel.size() + 2)
    c.fail(Code::RankMismatch,
           msg("the kernel has ", kernel.size(), " dimensions, the input is [", to_string(out), "]"));
  const SpatialDims dims = spatial_dims(node, out.dimensions().size());
  const SpatialWindow window(node, kernel.size());
  if (window.rounding > Rounding::CeilTorch)
    c.fail(Code::BadAttribute, msg("rounding_type is '", name_of(window.rounding), "'"));
  for (size_t i = 0; i < kernel.size(); ++i) {
    if (kernel[i] < 1) c.fail(Code::BadAttribute, msg("the kernel has a dimension of ", kernel[i]));
    if (window.pads_begin[i] < 0 || window.pads_end[i] < 0)
      c.fail(Code::UnsupportedForm, "a pool with negative padding");
    Dimension& d = out[dims.spatial[i]];
    d = window.axis(i).output(d);
  }
  c.set(0, out, c.type(0));
  if (node.out_count() > 1) c.set(1, out, node.get_type("index_element_type", ElementType::I64));
}

bool has_dilations(const Node& n) {
  const Ints dilations = n.get_ints("dilations");
  return std::any_of(dilations.begin(), dilations.end(), [](int64_t d) { return d != 1; });
}
bool rounds_like_torch(const Node& n) { return n.get_string("rounding_type") == "ceil_torch"; }

std::string_view version_max_pool(const Node& n) {
  if (rounds_like_torch(n)) return "opset14";
  return n.out_count() > 1 || has_dilations(n) ? "opset8" : "opset1";
}
std::string_view version_avg_pool(const Node& n) {
  if (has_dilations(n)) return "opset16";
  return rounds_like_torch(n) ? "opset14" : "opset1";
}

void attributes_max_pool(const Node& n, IrAttributes& a) {
  const bool first = version_max_pool(n) == "opset1";
  const SpatialWindow window(n, spatial_axes(n));
  a.add("strides", window.strides);
  if (!first) a.add("dilations", window.dilations);
  add_pad_attributes(window, a);
  a.add("kernel", window.kernel);
  a.add("rounding_type", name_of(window.rounding));
  a.add("auto_pad", name_of(window.auto_pad));
  if (first) return;
  a.add("index_element_type", n.get_type("index_element_type", ElementType::I64));
  a.add("axis", n.get_int("axis"));
}

void attributes_avg_pool(const Node& n, IrAttributes& a) {
  const SpatialWindow window(n, spatial_axes(n));
  a.add("kernel", window.kernel);
  a.add("strides", window.strides);
  if (has_dilations(n)) a.add("dilations", window.dilations);
  add_pad_attributes(window, a);
  a.add("exclude-pad", window.counted == Counted::Data);
  a.add("auto_pad", name_of(window.auto_pad));
  a.add("rounding_type", name_of(window.rounding));
}

constexpr OpDef kPoolingDefs[] = {
    {.op = "MaxPool",
     .type = "MaxPool",
     .version = "opset1",
     .infer = infer_pool,
     .ir_attributes = attributes_max_pool,
     .layout = spatial_layout(),
     .version_of = version_max_pool},
    {.op = "AvgPool",
     .type = "AvgPool",
     .version = "opset1",
     .infer = infer_pool,
     .ir_attributes = attributes_avg_pool,
     .layout = spatial_layout(),
     .version_of = version_avg_pool},
};

}  // namespace

OpFamily ops_Pooling() { return kPoolingDefs; }

}  // namespace mo
