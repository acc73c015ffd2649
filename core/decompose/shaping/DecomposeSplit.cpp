// Before: y0, y1, … = AttributedSplit(x [, split]) {axis, split, num_outputs}
// After:  VariadicSplit(x, axis, lengths) if lengths are given, else Split(x, axis)
// Conditions: none. With num_outputs the last part may be smaller: then lengths are given, or computed at run time.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSplit final : public Decomposition {
 public:
  Names ops() const override { return {"AttributedSplit"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const int64_t axis = node.get_int("axis");
    const int parts = node.out_count();
    OutPort lengths = node.source(1);
    if (!node.get_ints("split").empty()) lengths = b.i64(node.get_ints("split"));
    if (!lengths && node.has("num_outputs")) lengths = uneven(b, x, axis, parts);
    // The runtime takes the number of outputs from the shape of the lengths.
    if (lengths && !lengths.tensor().shape.is_static()) lengths = b.reshape(lengths, {parts}, false);
    if (lengths) return outputs(b.node("VariadicSplit", {x, b.i64_scalar(axis), lengths}, {}, parts));
    return outputs(b.node("Split", {x, b.i64_scalar(axis)}, {{"num_splits", int64_t{parts}}}, parts));
  }

 private:
  static std::vector<OutPort> outputs(Node& split) {
    std::vector<OutPort> ports;
    ports.reserve(static_cast<size_t>(split.out_count()));
    for (int i = 0; i < split.out_count(); ++i) ports.push_back(split.out(i));
    return ports;
  }

  /// Lengths of ceil(dimension / parts), and the rest for the last part. Empty when all parts are equal.
  static OutPort uneven(Builder& b, OutPort x, int64_t axis, int parts) {
    const PartialShape& shape = x.tensor().shape;
    if (shape.has_rank()) {
      const Dimension d = shape[normalize_axis(axis, shape.rank())];
      if (d.is_exact() && d.min % parts == 0) return {};
      if (d.is_exact()) {
        const int64_t most = (d.min + parts - 1) / parts;
        if (most * (parts - 1) > d.min)
          throw Error(Code::ShapeMismatch, msg(parts, " parts of a dimension of ", d.min));
        Ints lengths(static_cast<size_t>(parts), most);
        lengths.back() = d.min - most * (parts - 1);
        return b.i64(lengths);
      }
    }
    const OutPort size = b.dims_of(x, {axis});
    const OutPort most = b.op("Div", {b.op("Add", {size, b.i64({parts - 1})}), b.i64({parts})});
    const OutPort last = b.op("Sub", {size, b.op("Mul", {most, b.i64({parts - 1})})});
    std::vector<OutPort> lengths(static_cast<size_t>(parts - 1), most);
    lengths.push_back(last);
    return b.concat(lengths, 0);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSplit)
}  // namespace mo
