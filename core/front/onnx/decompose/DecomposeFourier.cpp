// Before: y = DFT(x [signal…, 1 or 2] [, dft_length, axis]) {axis, inverse, onesided}
// After:  real, onesided: RDFT(Squeeze(x)); real: the same followed by the conjugates of its elements in reverse
//         complex: DFT(x); inverse: IDFT(x), with zero imaginary parts if x is real
//         inverse, onesided: Unsqueeze(IRDFT(x))
//         A run-time axis is first swapped with the last one, because runtimes need a constant.
// Before: y = STFT(signal [N, L, 1 or 2], frame_step [, window, frame_length]) {onesided}
// After:  the same of Gather(signal, frame * frame_step + Range(frame_length)) * window
// Conditions: whether x is real or complex is known.

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeFourier final : public Decomposition {
 public:
  Names ops() const override { return {"DFTONNX", "STFT"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "STFT") return {stft(b, node)};
    const OutPort x = node.source(0);
    Form form;
    form.real = is_real(x);
    form.inverse = node.get_bool("inverse");
    form.onesided = node.get_bool("onesided");
    if (node.has_in(1)) form.length = reshaped(b, b.convert(node.source(1), ElementType::I64), {1});
    const auto known = node.has_in(2) ? known_number(b, node.source(2)) : static_cast<double>(node.get_int("axis"));
    const int rank = x.tensor().shape.rank();
    if (!known) {
      const OutPort order = swap_with_last(b, node.source(2), rank);
      form.axis = rank - 2;
      return {b.op("Transpose", {fourier(b, b.op("Transpose", {x, order}), form), order})};
    }
    form.axis = static_cast<int64_t>(normalize_axis(static_cast<int64_t>(*known), rank));
    if (form.axis == rank - 1)
      throw Error(Code::BadAttribute, msg("axis ", *known, " is that of real and imaginary parts"));
    return {fourier(b, x, form)};
  }

 private:
  struct Form {
    int64_t axis = 0;
    OutPort length;  ///< [1], or empty: the signal's length
    bool real = false, inverse = false, onesided = false;
  };

  /// The order of dimensions that swaps a run-time axis with the last one of the signal.
  static OutPort swap_with_last(Builder& b, OutPort axis, int rank) {
    const OutPort given = reshaped(b, b.convert(axis, ElementType::I64), {1});
    const OutPort from_front = b.op("FloorMod", {given, b.i64({rank})});
    const OutPort all = range(b, b.i64_scalar(rank)), last = b.i64({rank - 2});
    const OutPort others = b.op("Select", {b.op("Equal", {all, last}), from_front, all});
    return b.op("Select", {b.op("Equal", {all, from_front}), last, others});
  }

  static bool is_real(OutPort x) {
    const PartialShape& shape = x.tensor().shape;
    const Dimension parts = shape.rank() > 1 ? shape.dimensions().back() : kAnyDimension;
    if (parts != Dimension(1) && parts != Dimension(2))
      throw Error(Code::UnsupportedForm,
                  msg("a signal of shape [", to_string(shape), "], the last dimension has to be 1 or 2"));
    return parts == Dimension(1);
  }

  static OutPort fourier(Builder& b, OutPort x, const Form& form) {
    const int64_t last = x.tensor().shape.rank() - 1;
    const OutPort axes = b.i64({form.axis});
    if (form.inverse && form.onesided) {
      const OutPort spectrum = form.real ? with_zeros(b, x) : x;
      const OutPort signal =
          form.length ? b.op("IRDFT", {spectrum, axes, form.length}) : b.op("IRDFT", {spectrum, axes});
      return b.unsqueeze(signal, {last});
    }
    if (form.length) x = fitted(b, x, form.axis, form.length);
    if (form.inverse) return b.op("IDFT", {form.real ? with_zeros(b, x) : x, axes});
    if (!form.real) {
      if (form.onesided) throw Error(Code::UnsupportedForm, "the one-sided spectrum of a complex signal");
      return b.op("DFT", {x, axes});
    }
    const OutPort half = b.op("RDFT", {b.squeeze(x, {last}), axes});
    return form.onesided ? half : mirrored(b, half, form.axis, b.dims_of(x, {form.axis}));
  }

  /// The first `length` elements along `axis`, with zeros if x has fewer. DFT's third input is not used, because
  /// runtimes require a constant there that is no larger than the signal.
  static OutPort fitted(Builder& b, OutPort x, int64_t axis, OutPort length) {
    const PartialShape& shape = x.tensor().shape;
    const auto& wanted = length.tensor().ints;
    const Dimension have = shape[static_cast<size_t>(axis)];
    const bool long_enough = wanted && wanted->elements.size() == 1 && wanted->elements[0].max <= have.min;
    if (!long_enough) {
      Ints before, after;
      for (int64_t i = 0; i < shape.rank(); ++i)
        if (i != axis) (i < axis ? before : after).push_back(i);
      std::vector<OutPort> dims;
      if (!before.empty()) dims.push_back(b.dims_of(x, before));
      dims.push_back(length);
      dims.push_back(b.dims_of(x, after));
      const OutPort zeros = b.op("Broadcast", {splat_like(b, x, {}, 0), b.concat(dims, 0)}, {{"mode", "numpy"}});
      x = b.concat({x, zeros}, axis);
    }
    return b.gather(x, range(b, b.squeeze(length, {0})), axis);
  }

  static OutPort with_zeros(Builder& b, OutPort x) {
    return b.concat({x, b.op("Mul", {x, splat_like(b, x, {}, 0)})}, x.tensor().shape.rank() - 1);
  }

  /// A real signal's full spectrum from its first half: element n - k is the conjugate of element k.
  static OutPort mirrored(Builder& b, OutPort half, int64_t axis, OutPort size) {
    const OutPort before_end = b.op("Sub", {b.squeeze(size, {0}), b.i64_scalar(1)});
    const OutPort from = b.op("Range", {b.op("Div", {before_end, b.i64_scalar(2)}), b.i64_scalar(0), b.i64_scalar(-1)},
                              {{"output_type", ElementType::I64}});
    const OutPort signs = b.constant(convert(make_f32({2}, {1, -1}), half.tensor().type));
    return b.concat({half, b.op("Mul", {b.gather(half, from, axis), signs})}, axis);
  }

  static OutPort range(Builder& b, OutPort size) {
    return b.op("Range", {b.i64_scalar(0), size, b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
  }

  static OutPort stft(Builder& b, const Node& node) {
    OutPort signal = node.source(0);
    if (signal.tensor().shape.rank() == 2) signal = b.unsqueeze(signal, {2});
    const auto scalar = [&](OutPort x) { return reshaped(b, b.convert(x, ElementType::I64), {}); };
    const OutPort window = node.source(2);
    if (!window && !node.has_in(3)) throw Error(Code::MissingInput, "neither window nor frame_length");
    const OutPort step = scalar(node.source(1));
    const OutPort length = node.has_in(3) ? scalar(node.source(3)) : b.squeeze(b.dims_of(window, {0}), {0});
    const OutPort total = b.squeeze(b.dims_of(signal, {1}), {0});
    const OutPort count = b.op("Add", {b.op("Div", {b.op("Sub", {total, length}), step}), b.i64_scalar(1)});
    const OutPort starts = b.op("Mul", {b.unsqueeze(range(b, count), {1}), step});
    OutPort frames = b.gather(signal, b.op("Add", {starts, range(b, length)}), 1);
    if (window) frames = b.op("Mul", {frames, b.unsqueeze(window, {1})});
    Form form;
    form.real = is_real(signal);
    form.onesided = node.get_bool("onesided") && form.real;
    form.axis = 2;
    return fourier(b, frames, form);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFourier)
}  // namespace mo
