// Windows of signals: Hann, Hamming, Blackman, Bartlett, Kaiser.

#include <functional>
#include <numbers>

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// A window over places that go from 0 on, `last` where it ends: `make` gives its values in f32. A periodic one ends
/// behind its last element. One element is 1.
void taper(Node& node, const std::function<OutPort(Builder& b, OutPort places, double last)>& make) {
  Builder b(node);
  const int64_t length = int_of(node, "window_length");
  if (length < 0) throw Error(Code::BadAttribute, msg("a window of ", length, " elements"));
  if (length == 1) return give_typed(node, b, b.reshape(b.f32_scalar(1), {1}, false), ElementType::F32);
  const bool is_periodic = !node.has("periodic") || node.get_bool("periodic");
  const double last = static_cast<double>(is_periodic ? length : length - 1);
  const OutPort places = b.op("Range", {b.f32_scalar(0), b.f32_scalar(static_cast<float>(length)), b.f32_scalar(1)},
                              {{"output_type", ElementType::F32}});
  give_typed(node, b, make(b, places, last), ElementType::F32);
}

OutPort times(Builder& b, OutPort x, double factor) {
  return b.op("Mul", {x, b.f32_scalar(static_cast<float>(factor))});
}
OutPort plus(Builder& b, OutPort x, double number) {
  return b.op("Add", {x, b.f32_scalar(static_cast<float>(number))});
}

/// `constant` - `first` cos(2 pi n / last) + `second` cos(4 pi n / last).
void cosines(Node& node, double constant, double first, double second) {
  taper(node, [&](Builder& b, OutPort places, double last) {
    const auto wave = [&](double turns, double factor) {
      return times(b, b.op("Cos", {times(b, places, turns * 2 * std::numbers::pi / last)}), factor);
    };
    OutPort sum = plus(b, wave(1, -first), constant);
    if (second != 0) sum = b.op("Add", {sum, wave(2, second)});
    return sum;
  });
}

double number_or(const Node& node, std::string_view name, double otherwise) {
  return is_given(node, name) ? number_of(node, name) : otherwise;
}

}  // namespace

void extract_hann_window(Node& node) { cosines(node, 0.5, 0.5, 0); }
void extract_hamming_window(Node& node) {
  cosines(node, number_or(node, "alpha", 0.54), number_or(node, "beta", 0.46), 0);
}
void extract_blackman_window(Node& node) { cosines(node, 0.42, 0.5, 0.08); }

/// 1 - |2 n / last - 1|.
void extract_bartlett_window(Node& node) {
  taper(node, [](Builder& b, OutPort places, double last) {
    return plus(b, times(b, b.op("Abs", {plus(b, times(b, places, 2 / last), -1)}), -1), 1);
  });
}

/// I0(beta sqrt(1 - (2 n / last - 1)^2)) / I0(beta), I0 a modified Bessel function.
void extract_kaiser_window(Node& node) {
  const double beta = number_or(node, "beta", 12);
  taper(node, [&](Builder& b, OutPort places, double last) {
    const auto bessel = [&](OutPort x) { return b.op("OfReals", {x}, {{"operation", "BesselI0"}}); };
    const OutPort side = plus(b, times(b, places, 2 / last), -1);
    const OutPort square = plus(b, times(b, b.op("Mul", {side, side}), -1), 1);
    const OutPort inside = b.op("Maximum", {square, b.f32_scalar(0)});
    return b.op("Div",
                {bessel(times(b, b.op("Sqrt", {inside}), beta)), bessel(b.f32_scalar(static_cast<float>(beta)))});
  });
}

}  // namespace mo::pytorch
