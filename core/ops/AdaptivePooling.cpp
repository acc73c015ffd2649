// AdaptiveAvgPool, AdaptiveMaxPool (opset8): data [N, C, spatial…], sizes of the result's spatial axes. Output 1 of
// AdaptiveMaxPool holds the places of the maxima in their plane. Attributes: index_element_type.

#include "core/ops/spatial.h"

namespace mo {
namespace {

void infer_adaptive_pool(InferContext& c) {
  c.require_rank(0, 3, 5);
  c.require_rank(1, 1, 1);
  const Node& node = c.node();
  PartialShape out = c.shape(0);
  if (out.has_rank()) {
    const SpatialDims dims = spatial_dims(node, out.dimensions().size());
    const PartialShape& count = c.shape(1);
    if (count.has_rank() && !intersect(count[0], static_cast<int64_t>(dims.spatial.size())))
      c.fail(Code::ShapeMismatch, msg("[", to_string(count), "] sizes for data [", to_string(out), "]"));
    const auto& sizes = c.ints(1);
    for (size_t i = 0; i < dims.spatial.size(); ++i)
      out[dims.spatial[i]] = sizes && i < sizes->elements.size() ? to_dimension(sizes->elements[i]) : kAnyDimension;
  }
  c.set(0, out, c.type(0));
  if (node.out_count() > 1) c.set(1, out, node.get_type("index_element_type", ElementType::I64));
}

void attributes_adaptive_max_pool(const Node& n, IrAttributes& a) {
  a.add("index_element_type", n.get_type("index_element_type", ElementType::I64));
}

constexpr OpDef kAdaptivePoolingDefs[] = {
    {.op = "AdaptiveAvgPool",
     .type = "AdaptiveAvgPool",
     .version = "opset8",
     .infer = infer_adaptive_pool,
     .layout = spatial_layout()},
    {.op = "AdaptiveMaxPool",
     .type = "AdaptiveMaxPool",
     .version = "opset8",
     .infer = infer_adaptive_pool,
     .ir_attributes = attributes_adaptive_max_pool,
     .layout = spatial_layout()},
};

}  // namespace

OpFamily ops_AdaptivePooling() { return kAdaptivePoolingDefs; }

}  // namespace mo
