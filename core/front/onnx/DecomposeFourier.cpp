// Before: y = DFT(x [signal…, 1 or 2] [, dft_length, axis]) {axis, inverse, onesided}
// After:  real, onesided: RDFT(Squeeze(x)); real: the same and the conjugates of its elements in reverse
//         complex: DFT(x); inverse: IDFT(x), with zeros for imaginary parts where x is real
//         inverse, onesided: Unsqueeze(IRDFT(x))
// Before: y = STFT(signal [N, L, 1 or 2], frame_step [, window, frame_length]) {onesided}
// After:  the same of Gather(signal, frame * frame_step + Range(frame_length)) * window
// Conditions: whether x is real or complex is known.

#include "core/front/onnx/constants.h"
#include "core/front/onnx/extractor.h"
#include "core/pipeline/transform.h"

namespace mo {
namespace {

class DecomposeFourier final : public Decomposition {
 public:
  Names ops() const override { return {"DFTONNX", "STFT"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    onnx::require_input(node, 0);
    if (node.op() == "STFT") return {stft(b, node)};
    const OutPort x = node.source(0);
    Transform transform;
    transform.inverse = node.get_bool("inverse");
    transform.onesided = node.get_bool("onesided");
    transform.axis = axis_of_dft(b, node);
    if (node.has_in(1)) transform.length = onnx::reshaped(b, b.convert(node.source(1), ElementType::I64), {1});
    return {fourier(b, x, transform)};
  }

 private:
  struct Transform {
    OutPort axis;    ///< [1], counted without the dimension of real and imaginary parts
    OutPort length;  ///< [1], or empty: as long as the signal
    bool inverse = false, onesided = false;
  };

  /// ONNX counts from the back with the last dimension, IR without it.
  static OutPort axis_of_dft(Builder& b, const Node& node) {
    const bool is_input = onnx::opset(node) >= 20;
    if (is_input && node.has_in(2) && !onnx::known_number(b, node.source(2))) {
      const OutPort axis = onnx::reshaped(b, b.convert(node.source(2), ElementType::I64), {1});
      return b.op("Select", {b.op("Less", {axis, b.i64({0})}), b.op("Add", {axis, b.i64({1})}), axis});
    }
    const double given = is_input && node.has_in(2) ? *onnx::known_number(b, node.source(2))
                                                    : static_cast<double>(node.get_int("axis", is_input ? -2 : 1));
    const int rank = node.source(0).tensor().shape.rank();
    const auto axis = static_cast<int64_t>(given);
    if (axis == -1 || axis == rank - 1) throw Error(Code::BadAttribute, cat("axis ", axis, " is that of real and imaginary parts"));
    if (axis >= 0) return b.i64({axis});
    return b.i64({rank < 0 ? axis + 1 : static_cast<int64_t>(normalize_axis(axis, rank))});
  }

  static bool is_real(const PartialShape& shape) {
    const Dimension parts = shape.rank() > 1 ? shape.dimensions().back() : kAnyDimension;
    if (parts != Dimension(1) && parts != Dimension(2))
      throw Error(Code::UnsupportedForm, cat("a signal of shape [", to_string(shape), "], the last dimension has to be 1 or 2"));
    return parts == Dimension(1);
  }

  static OutPort fourier(Builder& b, OutPort x, const Transform& t) {
    const bool real = is_real(x.tensor().shape);
    const auto run = [&](const char* op, OutPort data) {
      return t.length ? b.op(op, {data, t.axis, t.length}) : b.op(op, {data, t.axis});
    };
    const int64_t last = x.tensor().shape.rank() - 1;
    if (t.inverse && t.onesided) {
      if (real) throw Error(Code::UnsupportedForm, "the inverse of a real one-sided spectrum");
      return b.unsqueeze(run("IRDFT", x), {last});
    }
    if (t.onesided) {
      if (!real) throw Error(Code::UnsupportedForm, "the one-sided spectrum of a complex signal");
      return run("RDFT", b.squeeze(x, {last}));
    }
    if (real && !t.inverse)
      if (const auto size = signal_size(x, t)) return mirrored(b, run("RDFT", b.squeeze(x, {last})), t.axis, *size);
    if (real) x = b.concat({x, b.op("Mul", {x, onnx::splat_like(b, x, {}, 0)})}, last);
    return run(t.inverse ? "IDFT" : "DFT", x);
  }

  static std::optional<int64_t> only_number(OutPort x) {
    const auto& ints = x.tensor().ints;
    return ints && ints->is_exact() && ints->elements.size() == 1 ? std::optional(ints->elements[0].min) : std::nullopt;
  }

  static std::optional<int64_t> signal_size(OutPort x, const Transform& t) {
    const auto axis = only_number(t.axis);
    if (!axis) return std::nullopt;
    if (t.length) return only_number(t.length);
    const PartialShape& shape = x.tensor().shape;
    const Dimension d = shape[normalize_axis(*axis, shape.rank())];
    return d.is_exact() ? std::optional(d.min) : std::nullopt;
  }

  /// A real signal's spectrum from its first half: element n - k is the conjugate of element k.
  static OutPort mirrored(Builder& b, OutPort half, OutPort axis, int64_t size) {
    constexpr int64_t kMost = 1 << 20;
    if (size < 1 || size > kMost) throw Error(Code::UnsupportedForm, cat("a transform of ", size, " elements"));
    Ints from;
    for (int64_t i = size / 2 + 1; i < size; ++i) from.push_back(size - i);
    if (from.empty()) return half;
    const int64_t at = *only_number(axis);
    const OutPort signs = b.constant(convert(make_f32({2}, {1, -1}), half.tensor().type));
    return b.concat({half, b.op("Mul", {b.gather(half, b.i64(from), at), signs})}, at);
  }

  static OutPort range(Builder& b, OutPort size) {
    return b.op("Range", {b.i64_scalar(0), size, b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
  }

  static OutPort stft(Builder& b, const Node& node) {
    onnx::require_input(node, 1);
    OutPort signal = node.source(0);
    if (signal.tensor().shape.rank() == 2) signal = b.unsqueeze(signal, {2});
    const auto scalar = [&](OutPort x) { return onnx::reshaped(b, b.convert(x, ElementType::I64), {}); };
    const OutPort window = node.source(2);
    if (!window && !node.has_in(3)) throw Error(Code::MissingInput, "neither window nor frame_length");
    const OutPort step = scalar(node.source(1));
    const OutPort length = node.has_in(3) ? scalar(node.source(3)) : b.squeeze(b.dims_of(window, {0}), {0});
    const OutPort total = b.squeeze(b.dims_of(signal, {1}), {0});
    const OutPort count = b.op("Add", {b.op("Div", {b.op("Sub", {total, length}), step}), b.i64_scalar(1)});
    const OutPort starts = b.op("Mul", {b.unsqueeze(range(b, count), {1}), step});
    OutPort frames = b.gather(signal, b.op("Add", {starts, range(b, length)}), 1);
    if (window) frames = b.op("Mul", {frames, b.unsqueeze(window, {1})});
    Transform transform;
    transform.onesided = node.get_bool("onesided", true) && is_real(signal.tensor().shape);
    transform.axis = b.i64({2});
    return fourier(b, frames, transform);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFourier)
}  // namespace mo
