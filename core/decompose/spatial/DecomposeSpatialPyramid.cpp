// Before: y = SpatialPyramid(x) {levels, pool_method, of_data}
// After:  y = Concat(for each level Pooling(x) into 2^level x 2^level windows, as rows); of one level the pooling
// Conditions: height and width of x are known.

#include "core/decompose/control/nested.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSpatialPyramid final : public Decomposition {
 public:
  Names ops() const override { return {"SpatialPyramid"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const PartialShape& shape = x.tensor().shape;
    if (shape.rank() != 4 || !shape[2].is_exact() || !shape[3].is_exact())
      throw Error(Code::UnsupportedForm, msg("data of [", to_string(shape), "]"), {},
                  "give the size of the input by --input_shape");
    const int64_t levels = node.get_int("levels");
    std::vector<OutPort> parts;
    for (int64_t level = 0; level < levels; ++level) {
      const OutPort part = pooled(b, node, int64_t{1} << level);
      parts.push_back(levels == 1 ? part : flattened(b, part, 1));
    }
    return {levels == 1 ? parts[0] : b.concat(parts, 1)};
  }

 private:
  static OutPort pooled(Builder& b, const Node& node, int64_t bins) {
    const OutPort x = node.source(0);
    const PartialShape& shape = x.tensor().shape;
    Ints kernel, pads;
    for (const size_t axis : {2, 3}) {
      const int64_t size = shape[axis].min, window = (size + bins - 1) / bins, pad = (window * bins - size + 1) / 2;
      if (pad >= window) throw Error(Code::UnsupportedForm, msg(bins, " parts of ", size, " elements"));
      kernel.push_back(window);
      pads.push_back(pad);
    }
    pads = {pads[0], pads[1], pads[0], pads[1]};
    return decomposed(b, "Pooling", {x},
                      {{"pool_method", node.get_string("pool_method")},
                       {"kernel_shape", kernel},
                       {"strides", kernel},
                       {"pads", pads},
                       {"rounding_type", "ceil_caffe"},
                       {"count_include_pad", !node.get_bool("of_data")}})[0];
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSpatialPyramid)
}  // namespace mo
