// Before: y = SizedDeconvolution(x, W, bias, sizes) {group, strides, dilations, pads or auto_pad…}
// After:  y = Deconvolution(x, W, bias) with explicit padding and the output_padding that gives these sizes; where a
//         size is not known, of the whole result the part that the padding leaves
// SAME pads as much as it would for a convolution of x.
// Conditions: 1 to 3 spatial dimensions, the kernel's sizes are known.

#include <algorithm>

#include "core/decompose/control/nested.h"
#include "core/decompose/spatial/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSizedDeconvolution final : public Decomposition {
 public:
  Names ops() const override { return {"SizedDeconvolution"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    Parts p{node, data_dims_of(node, 1)};
    p.window = SpatialWindow(node, p.dims.spatial.size());
    const PartialShape& weights = node.source(1).tensor().shape;
    if (!weights.has_rank() || weights.dimensions().size() != p.dims.rank())
      throw Error(Code::RankMismatch, msg("the filter is [", to_string(weights), "]"));
    p.kernel.assign(weights.dimensions().begin() + 2, weights.dimensions().end());
    p.sizes = spatial_sizes(node.source(0).tensor().shape, p.dims);
    p.wanted = node.source(3) ? b.convert(node.source(3), ElementType::I64) : OutPort();
    if (const auto known = fitted(p)) return deconvolution(b, p, *known);
    return {part(b, p)};
  }

 private:
  struct Parts {
    Node& node;
    SpatialDims dims;
    SpatialWindow window{0};
    std::vector<Dimension> kernel, sizes;
    OutPort wanted;  ///< the sizes of the result; empty if the padding says them
  };
  /// Explicit padding, and the elements that are added at the end.
  struct Padding {
    Ints begin, end, more;
  };

  static std::vector<OutPort> deconvolution(Builder& b, const Parts& p, const Padding& padding) {
    Attributes attributes{{"strides", p.window.strides}, {"dilations", p.window.dilations}};
    Ints pads = padding.begin;
    pads.insert(pads.end(), padding.end.begin(), padding.end.end());
    attributes.set("pads", pads);
    attributes.set("output_padding", padding.more);
    attributes.set("group", p.node.get_int("group", 1));
    copy_spatial_dims(p.node, attributes);
    return decomposed(b, "Deconvolution", {p.node.source(0), p.node.source(1), p.node.source(2)}, attributes);
  }

  static std::optional<Padding> fitted(const Parts& p) {
    const auto wanted = p.wanted ? p.wanted.exact_ints() : std::nullopt;
    if (p.wanted && !wanted) return std::nullopt;
    const size_t axes = p.sizes.size();
    if (wanted && wanted->size() != axes)
      throw Error(Code::BadAttribute, msg("output_size has ", wanted->size(), " numbers for ", axes, " axes"));
    Padding out{p.window.pads_begin, p.window.pads_end, ints_of_axes(p.node, "output_padding", axes, 0)};
    for (size_t i = 0; i < axes; ++i) {
      WindowAxis window = p.window.axis(i, p.kernel[i]);
      if (p.window.is_same()) {
        const auto total = window.same_padding(p.sizes[i]);
        if (!total) return std::nullopt;
        window.pad_begin = out.begin[i] = *total / 2;
        window.pad_end = out.end[i] = *total - *total / 2;
      }
      if (!wanted) continue;
      const Interval more = Interval((*wanted)[i]) - window.transposed_output(p.sizes[i], 0);
      if (!more.is_exact()) return std::nullopt;
      require_room(more.min, window.stride, (*wanted)[i]);
      out.more[i] = more.min;
    }
    return out;
  }

  static void require_room(int64_t more, int64_t stride, int64_t wanted) {
    if (more < 0 || more >= stride) throw Error(Code::ShapeMismatch, msg("no input gives ", wanted, " elements"));
  }

  /// The result without padding at the end, cut where padding or the given sizes end.
  static OutPort part(Builder& b, const Parts& p) {
    const size_t axes = p.sizes.size();
    Padding whole{Ints(axes, 0), Ints(axes, 0), ints_of_axes(p.node, "output_padding", axes, 0)};
    const Ints spatial(p.dims.spatial.begin(), p.dims.spatial.end());
    OutPort begin = b.i64(p.window.pads_begin), end = b.i64(p.window.pads_end);
    if (p.window.is_same()) {
      const OutPort total = same_padding(b, p, spatial);
      begin = b.op("Div", {total, b.i64({2})});
      end = b.op("Sub", {total, begin});
    }
    for (size_t i = 0; i < axes && p.wanted; ++i) whole.more[i] = p.window.strides[i] - 1;
    const OutPort y = deconvolution(b, p, whole)[0];
    const OutPort stop = p.wanted ? b.op("Add", {begin, p.wanted}) : b.op("Sub", {b.dims_of(y, spatial), end});
    return b.op("Slice", {y, begin, stop, b.i64(Ints(axes, 1)), b.i64(spatial)});
  }

  static OutPort same_padding(Builder& b, const Parts& p, const Ints& spatial) {
    Ints reach;
    for (const Dimension& size : p.kernel) {
      if (!size.is_exact()) throw Error(Code::UnsupportedForm, "SAME with a kernel of unknown size");
      reach.push_back(size.min - 1);
    }
    const OutPort last = b.op("Sub", {b.dims_of(p.node.source(0), spatial), b.i64({1})});
    const OutPort rest = b.op("FloorMod", {last, b.i64(p.window.strides)});
    return b.op("Maximum", {b.op("Sub", {b.i64(reach), rest}), b.i64({0})});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSizedDeconvolution)
}  // namespace mo
