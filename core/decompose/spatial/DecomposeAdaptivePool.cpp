// Before: y, places = AdaptivePool(x, sizes) {pool_method}
// After:  y = ReduceMean or ReduceMax(x, spatial axes), if all sizes are 1
//         y = Pooling(x) with windows of one size, if the sizes divide those of x
//         y, places = AdaptiveAvgPool or AdaptiveMaxPool(x, sizes)
// Conditions: 1 to 3 spatial dimensions.

#include <algorithm>

#include "core/decompose/control/nested.h"
#include "core/decompose/spatial/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeAdaptivePool final : public Decomposition {
 public:
  Names ops() const override { return {"AdaptivePool"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), sizes = node.source(1);
    const bool is_max = node.get_string("pool_method") == "max", has_places = node.is_read(1);
    const auto known = sizes.exact_ints();
    for (const int64_t size : known.value_or(Ints()))
      if (size < 1) throw Error(Code::BadAttribute, msg("adaptive pooling to ", size, " elements"));
    std::vector<OutPort> out;
    if (known && !has_places) {
      if (std::all_of(known->begin(), known->end(), [](int64_t size) { return size == 1; }))
        out = {b.op(is_max ? "ReduceMax" : "ReduceMean", {x, spatial_axes_input(b, node, x)}, {{"keep_dims", true}})};
      else if (const Ints kernel = equal_windows(node, *known); !kernel.empty())
        out = {pooled(b, node, kernel)};
    }
    if (out.empty()) {
      Attributes attributes;
      copy_spatial_dims(node, attributes);
      if (is_max) attributes.set("index_element_type", ElementType::I32);
      Node& pool = b.node(is_max ? "AdaptiveMaxPool" : "AdaptiveAvgPool", {x, sizes}, attributes, is_max ? 2 : 1);
      out = {pool.out(0)};
      if (has_places) out.push_back(pool.out(1));
    }
    out.resize(static_cast<size_t>(node.out_count()));
    return out;
  }

 private:
  /// The size of the windows along each axis; empty unless the sizes of x are known multiples.
  static Ints equal_windows(const Node& node, const Ints& sizes) {
    const PartialShape& shape = node.source(0).tensor().shape;
    if (!shape.has_rank()) return {};
    const SpatialDims dims = data_dims_of(node);
    if (dims.spatial.size() != sizes.size())
      throw Error(Code::ShapeMismatch, msg(sizes.size(), " sizes for [", to_string(shape), "]"));
    Ints windows;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const Dimension& from = shape[dims.spatial[i]];
      if (!from.is_exact() || from.min % sizes[i] != 0 || from.min == 0) return {};
      windows.push_back(from.min / sizes[i]);
    }
    return windows;
  }

  static OutPort pooled(Builder& b, const Node& node, const Ints& kernel) {
    Attributes attributes{
        {"pool_method", node.get_string("pool_method")}, {"kernel_shape", kernel}, {"strides", kernel}};
    copy_spatial_dims(node, attributes);
    return decomposed(b, "Pooling", {node.source(0)}, attributes)[0];
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeAdaptivePool)
}  // namespace mo
