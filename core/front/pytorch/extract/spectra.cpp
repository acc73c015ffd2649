// Fourier transforms of signals along one axis or several.

#include "core/front/pytorch/extract/spectra.h"

#include <algorithm>
#include <numeric>

#include "core/base/text.h"
#include "core/front/pytorch/extract/complex.h"
#include "core/front/pytorch/load/program.h"

namespace mo::pytorch {

OutPort fitted(Builder& b, OutPort x, ElementType type, int64_t rank, int64_t axis, int64_t size,
               const Length& length) {
  if (!length.computed && (length.known < 1 || length.known > INT32_MAX))
    throw Error(Code::BadAttribute, msg("a signal of ", length.known));
  const bool is_known = !length.computed && size >= 0;
  if (is_known && size == length.known) return x;
  const OutPort from = b.i64({0}), step = b.i64({1}), axes = b.i64({axis});
  const OutPort to = length.computed ? b.reshape(length.computed, {1}) : b.i64({length.known});
  if (!is_known || size < length.known) {
    const Ints none(static_cast<size_t>(rank), 0);
    const auto split = none.begin() + static_cast<std::ptrdiff_t>(axis);
    const OutPort more = is_known ? b.i64({length.known - size}) : to;
    const OutPort before = b.i64(none), zero = b.constant(make_scalar(type, 0));
    std::vector<OutPort> behind;
    if (axis > 0) behind.push_back(b.i64(Ints(none.begin(), split)));
    behind.push_back(more);
    if (axis + 1 < rank) behind.push_back(b.i64(Ints(split + 1, none.end())));
    const OutPort end = behind.size() == 1 ? behind[0] : b.concat(behind, 0);
    x = b.op("Pad", {x, before, end, zero}, {{"mode", "constant"}});
    if (is_known) return x;
  }
  return b.op("Slice", {x, from, to, step, axes});
}

namespace {

struct Transform {
  const char* kind;  ///< of Spectrum: c2c, r2c, c2r
  bool forward;
  Ints axes = {};
  std::vector<Length> lengths = {};  ///< along them, or as long as the input
};

Ints transformed_axes(const Node& node, int64_t rank) {
  Ints axes = ints_of(node, "dim");
  for (int64_t& axis : axes) {
    if (axis < -rank || axis >= rank) throw Error(Code::BadAttribute, msg("dim is ", axis));
    if (axis < 0) axis += rank;
  }
  return axes;
}

/// A length that the graph computes may be known by the result.
Length length_of(const Node& node, int64_t length, OutPort computed, int64_t axis) {
  if (length != kFromGraph) return {length};
  const Ints made = result_sizes(node);
  const int64_t size = axis < static_cast<int64_t>(made.size()) ? made[static_cast<size_t>(axis)] : -1;
  return size > 0 ? Length{size} : Length{-1, computed};
}

void transform(Node& node, const Transform& of) {
  Builder b(node);
  const ElementType type = result_type(node);
  const Ints sizes = sizes_of(node, "self");
  const bool to_real = of.kind == std::string_view("c2r"), half = of.kind == std::string_view("r2c");
  const std::string norm = node.get_string("norm", "backward");
  if (!is_one_of(norm, {"backward", "ortho", "forward"}))
    throw Error(Code::BadAttribute, msg("norm is '", printable(norm), "'"));
  const bool in_pairs = to_real || is_complex(node, "self");
  if (half && in_pairs) throw not_complex(node);
  OutPort x = in_pairs ? pairs(node, b, "self", type) : as_type(b, required(node, "self"), type_of(node, "self"), type);
  const auto rank = static_cast<int64_t>(sizes.size()) + in_pairs;
  Length last{0};
  for (size_t i = 0; i < of.axes.size(); ++i) {
    Length length = of.lengths[i];
    if (length.known == -1 && !length.computed) continue;
    if (to_real && i + 1 == of.axes.size()) {
      last = length;
      length.known = length.known / 2 + 1;
      if (length.computed)
        length.computed = b.op("Add", {b.op("Div", {length.computed, b.i64_scalar(2)}), b.i64_scalar(1)});
    }
    x = fitted(b, x, type, rank, of.axes[i], sizes.at(static_cast<size_t>(of.axes[i])), length);
  }
  std::vector<OutPort> sources{x};
  if (last.computed) sources.push_back(last.computed);
  become(node, "Spectrum", sources,
         {{"axes", of.axes},
          {"kind", of.kind == std::string_view("c2c") && !in_pairs ? "r2c" : of.kind},
          {"normalization", norm},
          {"forward", of.forward},
          {"onesided", half},
          {"last_dim_size", last.known}});
}

void along_line(Node& node, Transform of) {
  of.axes = transformed_axes(node, rank_of(node, "self"));
  if (of.axes.size() != 1) throw Error(Code::BadAttribute, msg(of.axes.size(), " axes"));
  of.lengths = {length_of(node, node.get_int("n", -1), input(node, "n"), of.axes[0])};
  transform(node, of);
}

/// Along all axes, or the last ones of which lengths are given.
void in_space(Node& node, Transform of) {
  const int64_t rank = rank_of(node, "self");
  const Ints given = node.get_ints("s");
  if (node.has("dim")) {
    of.axes = transformed_axes(node, rank);
  } else {
    const int64_t count = given.empty() ? rank : static_cast<int64_t>(given.size());
    of.axes.resize(static_cast<size_t>(count));
    std::iota(of.axes.begin(), of.axes.end(), rank - count);
  }
  const bool is_same = given.empty() || given.size() == of.axes.size();
  if (of.axes.empty() || !is_same || of.axes[0] < 0)
    throw Error(Code::BadAttribute, msg(given.size(), " sizes of ", of.axes.size(), " axes"));
  const std::vector<OutPort> computed = inputs(node, "s");
  auto next = computed.begin();
  for (size_t i = 0; i < of.axes.size(); ++i) {
    const int64_t length = given.empty() ? -1 : given[i];
    const bool is_computed = length == kFromGraph;
    if (is_computed && next == computed.end()) throw Error(Code::MissingInput, std::string("s"));
    of.lengths.push_back(length_of(node, length, is_computed ? *next++ : OutPort(), of.axes[i]));
  }
  transform(node, of);
}

/// The internal form, whose normalisation is a number: 0 none, 1 by the root of n, 2 by n.
void become_spectrum(Node& node, const char* kind, bool forward, bool onesided, const Length& last = {0}) {
  const int64_t by = int_of(node, "normalization");
  if (by < 0 || by > 2) throw Error(Code::BadAttribute, msg("normalization is ", by));
  const Ints axes = transformed_axes(node, rank_of(node, "self"));
  if (axes.empty()) throw Error(Code::BadAttribute, msg("dim is ", std::string("[]")));
  std::vector<OutPort> sources{required(node, "self")};
  if (last.computed) sources.push_back(last.computed);
  become(node, "Spectrum", sources,
         {{"axes", axes},
          {"kind", kind},
          {"normalization", by == 1                ? "ortho"
                            : (by == 0) == forward ? "backward"
                                                   : "forward"},
          {"forward", forward},
          {"onesided", onesided},
          {"last_dim_size", last.known}});
}

}  // namespace

void extract_fft(Node& node) { along_line(node, {"c2c", true}); }
void extract_ifft(Node& node) { along_line(node, {"c2c", false}); }
void extract_rfft(Node& node) { along_line(node, {"r2c", true}); }
void extract_irfft(Node& node) { along_line(node, {"c2r", false}); }
void extract_hfft(Node& node) { along_line(node, {"c2r", true}); }
void extract_ihfft(Node& node) { along_line(node, {"r2c", false}); }
void extract_fftn(Node& node) { in_space(node, {"c2c", true}); }
void extract_ifftn(Node& node) { in_space(node, {"c2c", false}); }
void extract_rfftn(Node& node) { in_space(node, {"r2c", true}); }
void extract_irfftn(Node& node) { in_space(node, {"c2r", false}); }
void extract_hfftn(Node& node) { in_space(node, {"c2r", true}); }
void extract_ihfftn(Node& node) { in_space(node, {"r2c", false}); }

void extract_fft_c2c(Node& node) {
  if (!is_complex(node, "self")) throw Error(Code::UnsupportedForm, "complex numbers of a real tensor");
  become_spectrum(node, "c2c", node.get_bool("forward"), false);
}
void extract_fft_r2c(Node& node) {
  if (is_complex(node, "self")) throw not_complex(node);
  become_spectrum(node, "r2c", true, node.get_bool("onesided"));
}
void extract_fft_c2r(Node& node) {
  if (!is_complex(node, "self")) throw Error(Code::UnsupportedForm, "complex numbers of a real tensor");
  const Ints axes = transformed_axes(node, rank_of(node, "self"));
  const Length last =
      length_of(node, node.get_int("last_dim_size"), input(node, "last_dim_size"), axes.empty() ? 0 : axes.back());
  if (!last.computed && last.known < 1) throw Error(Code::BadAttribute, msg("last_dim_size is ", last.known));
  become_spectrum(node, "c2r", false, true, last);
}

namespace {

/// Half of a dimension is shifted to the other side.
void shift(Node& node, bool forward) {
  const int64_t rank = rank_of(node, "self");
  const OutPort x = required(node, "self");
  const Ints sizes = sizes_of(node, "self");
  Ints axes;
  if (node.has("dim")) {
    axes = transformed_axes(node, rank);
  } else {
    axes.resize(static_cast<size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (axes.empty()) return give(node, {x});
  Builder b(node);
  Ints shifts;
  bool is_known = true;
  for (const int64_t axis : axes) {
    const int64_t size = sizes[static_cast<size_t>(axis)];
    is_known = is_known && size >= 0;
    shifts.push_back(forward ? size / 2 : -(size / 2));
  }
  OutPort by;
  if (is_known) {
    by = b.i64(shifts);
  } else {
    by = b.op("Div", {b.dims_of(x, axes), b.i64_scalar(2)});
    if (!forward) by = b.op("Negative", {by});
  }
  const OutPort list = b.i64(axes);
  become(node, "Roll", {x, by, list});
}

/// 0, 1 … and the negative ones behind them, or only the first ones, by the length of the signal.
void frequencies(Node& node, bool onesided) {
  Builder b(node);
  const ElementType type = result_type(node);
  const int64_t length = int_of(node, "n");
  const OutPort count = b.i64_scalar(length), zero = b.i64_scalar(0), one = b.i64_scalar(1);
  const OutPort half = b.i64_scalar(length / 2);
  OutPort places;
  if (onesided) {
    const OutPort end = b.op("Add", {half, one});
    places = b.op("Range", {zero, end, one}, {{"output_type", ElementType::I64}});
  } else {
    const OutPort all = b.op("Range", {zero, count, one}, {{"output_type", ElementType::I64}});
    const OutPort moved = b.op("FloorMod", {b.op("Add", {all, half}), count});
    places = b.op("Sub", {moved, half});
  }
  const double duration = static_cast<double>(length) * number_of(node, "d");
  const OutPort factor = b.constant(make_scalar(type, 1 / duration));
  const OutPort numbers = b.convert(places, type);
  become(node, "Mul", {numbers, factor});
}

}  // namespace

void extract_fftshift(Node& node) { shift(node, true); }
void extract_ifftshift(Node& node) { shift(node, false); }
void extract_fftfreq(Node& node) { frequencies(node, false); }
void extract_rfftfreq(Node& node) { frequencies(node, true); }

}  // namespace mo::pytorch
