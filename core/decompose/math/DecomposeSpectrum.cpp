// Before: y = Spectrum(x [, last_dim_size]) {kind, axes, forward, normalization, onesided, last_dim_size}
// After:  c2c: DFT(x), or back IDFT(x)
//         r2c: RDFT(x), or back Conj(RDFT(x)); not onesided: DFT of x with imaginary parts of 0
//         c2r: IRDFT(x), forward IRDFT(Conj(x))
//         times n, 1 / n, sqrt(n) or 1 / sqrt(n), where the normalisation is not that of the operation
// Conditions: none.

#include <cmath>

#include "core/decompose/math/constants.h"
#include "core/decompose/math/formula.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSpectrum final : public Decomposition {
 public:
  Names ops() const override { return {"Spectrum"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort x = node.source(0);
    const std::string kind = node.get_string("kind");
    const bool forward = node.get_bool("forward");
    const Ints axes = node.get_ints("axes");
    const OutPort places = b.i64(axes);
    if (kind == "c2c") {
      const OutPort y = b.op(forward ? "DFT" : "IDFT", {x, places});
      return {normalized(b, node, y, forward ? 0 : -1, x, true)};
    }
    if (kind == "r2c") {
      const OutPort y = node.get_bool("onesided") ? b.op("RDFT", {x, places}) : b.op("DFT", {pairs(b, x), places});
      const OutPort result = forward ? y : conjugate(b, node, y);
      return {normalized(b, node, result, 0, x, false)};
    }
    const OutPort from = forward ? conjugate(b, node, x) : x;
    OutPort y;
    if (const int64_t last = node.get_int("last_dim_size"); last > 0 || node.has_in(1)) {
      // Runtimes do not compute with sizes of -1.
      Ints others(axes.begin(), axes.end() - 1);
      for (int64_t& axis : others)
        if (axis < 0) --axis;
      const OutPort size = node.has_in(1) ? reshaped(b, node.source(1), {1}) : b.i64({last});
      y = b.op("IRDFT", {from, places, others.empty() ? size : b.concat({b.dims_of(from, others), size}, 0)});
    } else {
      y = b.op("IRDFT", {from, places});
    }
    return {normalized(b, node, y, -1, y, false)};
  }

 private:
  static OutPort conjugate(Builder& b, const Node& node, OutPort x) { return evaluate(b, node, "Conj(x)", {x})[0]; }

  static OutPort pairs(Builder& b, OutPort x) {
    const OutPort zeros = b.op("Mul", {x, splat_like(b, x, {}, 0)});
    const OutPort real = b.unsqueeze(x, {-1}), imaginary = b.unsqueeze(zeros, {-1});
    return b.concat({real, imaginary}, -1);
  }

  /// The number of elements along the axes; 0 if it is not known.
  static double known_size(OutPort x, const Ints& axes, bool of_pairs) {
    const PartialShape& shape = x.tensor().shape;
    const int64_t rank = shape.rank() - (of_pairs ? 1 : 0);
    double size = shape.has_rank() ? 1 : 0;
    for (const int64_t axis : axes) {
      const int64_t place = axis < 0 ? axis + rank : axis;
      const bool is_known = place >= 0 && place < rank && shape[static_cast<size_t>(place)].is_exact();
      size *= is_known ? static_cast<double>(shape[static_cast<size_t>(place)].min) : 0;
    }
    return size;
  }

  /// The same, computed, of the type of x.
  static OutPort size_of(Builder& b, OutPort x, Ints axes, bool of_pairs) {
    for (int64_t& axis : axes)
      if (axis < 0 && of_pairs) --axis;
    const OutPort product = b.reduce("ReduceProd", b.dims_of(x, axes), {0}, false);
    return convert_like(b, product, x);
  }

  /// y times n to the wanted power; it has been multiplied by n to the power `given`. n is the number of elements of x
  /// along the axes.
  static OutPort normalized(Builder& b, const Node& node, OutPort y, double given, OutPort x, bool of_pairs) {
    const std::string name = node.get_string("normalization");
    const bool divided = (name == "backward") != node.get_bool("forward");
    const double power = (name == "ortho" ? -0.5 : divided ? -1.0 : 0.0) - given;
    if (power == 0) return y;
    const Ints axes = node.get_ints("axes");
    if (const double known = known_size(x, axes, of_pairs); known > 0) {
      const double factor = power == 0.5 || power == -0.5 ? std::sqrt(known) : known;
      return b.op("Mul", {y, splat_like(b, y, {}, power < 0 ? 1 / factor : factor)});
    }
    const OutPort n = size_of(b, x, axes, of_pairs);
    return b.op("Mul", {y, power == 1 ? n : b.op("Pow", {n, splat_like(b, n, {}, power)})});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSpectrum)
}  // namespace mo
