// Before: y = ONNXPad(x [, pads [, value [, axes]]]) {mode, pads, value}
// After:  y = Pad(x, pads_begin, pads_end [, value]) {mode}
//         wrap: for each axis y = Gather(y, the indices -begin … size + end, modulo size)
//         a value known at run time only, with known pads: Select(Pad(ones with 0) = 1, Pad(x with 0), value)
// Conditions: with axes, and for wrap, the rank of x is known.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/decompose/spatial/padding.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposePad final : public Decomposition {
 public:
  Names ops() const override { return {"ONNXPad"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const std::string mode = node.get_string("mode");
    if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
      throw Error(Code::BadAttribute, msg("mode is '", mode, "'"));
    Node& halves = b.node("Split", {pads(b, node), b.i64_scalar(0)}, {{"num_splits", int64_t{2}}}, 2);
    OutPort begin = halves.out(0), end = halves.out(1);
    if (node.has_in(3)) {
      const OutPort axes = axes_of(b, node);
      begin = spread(b, x, begin, axes);
      end = spread(b, x, end, axes);
    }
    if (mode == "wrap") return {wrapped(b, x, begin, end)};
    if (mode != "constant") return {b.op("Pad", {x, begin, end}, {{"mode", mode}})};
    return {padded_with(b, x, begin, end, value_of(b, node))};
  }

 private:
  static OutPort pads(Builder& b, const Node& node) {
    if (node.has_in(1)) {
      const OutPort given = b.convert(node.source(1), ElementType::I64);
      return given.tensor().shape.rank() == 2 ? b.reshape(given, {-1}, false) : given;  // [1, n] of com.microsoft
    }
    if (!node.has("pads")) throw Error(Code::MissingInput, "pads");
    return b.i64(node.get_ints("pads"));
  }

  static OutPort value_of(Builder& b, const Node& node) {
    const OutPort x = node.source(0);
    if (node.has_in(2)) return to_scalar(b, convert_like(b, node.source(2), x));
    return b.scalar_like(x, node.get_float("value"));
  }

  static int64_t rank_of(OutPort x) {
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "Pad of a tensor of unknown rank");
    return rank;
  }

  static OutPort axes_of(Builder& b, const Node& node) {
    const int64_t rank = rank_of(node.source(0));
    const OutPort axes = b.convert(node.source(3), ElementType::I64);
    return from_front(b, axes, b.i64_scalar(rank));
  }

  /// Pads of some axes as pads of all axes.
  static OutPort spread(Builder& b, OutPort x, OutPort pads, OutPort axes) {
    const int64_t rank = rank_of(x);
    const auto& known = axes.tensor().ints;
    const OutPort zeros = b.i64(Ints(static_cast<size_t>(rank), 0));
    if (!known || !known->is_exact()) return b.op("ScatterElementsUpdate", {zeros, axes, pads, b.i64_scalar(0)});
    const Ints list = known->exact();
    std::vector<OutPort> parts;
    for (int64_t axis = 0; axis < rank; ++axis) {
      const auto at = std::find_if(list.begin(), list.end(), [&](int64_t a) {
        return static_cast<int64_t>(normalize_axis(a, static_cast<int>(rank))) == axis;
      });
      parts.push_back(at == list.end() ? b.i64({0}) : b.gather(pads, b.i64({at - list.begin()}), 0));
    }
    return parts.empty() ? zeros : b.concat(parts, 0);
  }

  static OutPort wrapped(Builder& b, OutPort x, OutPort begin, OutPort end) {
    const int64_t rank = rank_of(x);
    for (int64_t axis = 0; axis < rank; ++axis) {
      const auto pad = [&](OutPort pads) { return b.gather(pads, b.i64_scalar(axis), 0); };
      const OutPort before = pad(begin), behind = pad(end);
      if (pads_nothing(before) && pads_nothing(behind)) continue;
      const OutPort size = dimension_of(b, x, axis);
      const OutPort first = b.op("Sub", {b.i64_scalar(0), before}), last = b.op("Add", {size, behind});
      const OutPort places = b.op("Range", {first, last, b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
      x = b.gather(x, b.op("FloorMod", {places, size}), axis);
    }
    return x;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposePad)
}  // namespace mo
