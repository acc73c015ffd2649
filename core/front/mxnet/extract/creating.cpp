// Operators that make tensors, and those that change types.

#include <cmath>

#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

/// A number in a shape, in which 0 stands for the batch: a dimension of 1, which is broadcast.
void fill(Node& node, double value, bool zero_is_batch) {
  Ints shape = ints_of(node, "shape");
  for (int64_t& size : shape) {
    if (size < 0) throw Error(Code::BadAttribute, msg(std::string("shape"), " holds ", size));
    if (size == 0 && zero_is_batch) size = 1;
  }
  Builder b(node);
  const OutPort number = b.constant(make_scalar(type_of(node, "dtype", ElementType::F32), value));
  if (shape.empty()) return give(node, {number});
  const OutPort target = b.i64(shape);
  become(node, "Broadcast", {number, target}, {{"mode", "numpy"}});
}

/// How many numbers there are, of which each occurs several times.
constexpr int64_t kMostNumbers = 1 << 24;

int64_t count_of(double start, double stop, double step) {
  const double count = std::ceil((stop - start) / step);
  if (!(count >= 0) || count > static_cast<double>(kMostNumbers))
    throw Error(Code::BadAttribute, msg("numbers from ", start, " to ", stop));
  return static_cast<int64_t>(count);
}

/// start, start + step, … as the type.
OutPort numbers(Builder& b, double start, double step, int64_t count, ElementType type) {
  const bool whole =
      start == std::floor(start) && step == std::floor(step) && std::fabs(start) < 1e15 && std::fabs(step) < 1e9;
  if (whole) {
    const auto from = static_cast<int64_t>(start), by = static_cast<int64_t>(step);
    const OutPort first = b.i64_scalar(from), end = b.i64_scalar(from + by * count), steps = b.i64_scalar(by);
    return b.convert(b.op("Range", {first, end, steps}, {{"output_type", ElementType::I64}}), type);
  }
  const OutPort first = b.i64_scalar(0), end = b.i64_scalar(count), one = b.i64_scalar(1);
  const OutPort line =
      b.convert(b.op("Range", {first, end, one}, {{"output_type", ElementType::I64}}), ElementType::F32);
  const OutPort factor = b.f32_scalar(static_cast<float>(step)), offset = b.f32_scalar(static_cast<float>(start));
  return b.convert(b.op("Add", {b.op("Mul", {line, factor}), offset}), type);
}

void cast(Node& node) {
  become(node, "Cast", {required(node, 0)}, {{"dst_type", type_of(node, "dtype", ElementType::F32)}});
}

}  // namespace

void extract_zeros(Node& node) { fill(node, 0, true); }
void extract_ones(Node& node) { fill(node, 1, true); }
void extract_full(Node& node) { fill(node, float_of(node, "value"), true); }
void extract_np_zeros(Node& node) { fill(node, 0, false); }
void extract_np_ones(Node& node) { fill(node, 1, false); }
void extract_np_full(Node& node) { fill(node, float_of(node, "value"), false); }

void extract_zeros_like(Node& node) { become(node, "FilledLike", {required(node, 0)}, {{"value", 0.0}}); }
void extract_ones_like(Node& node) { become(node, "FilledLike", {required(node, 0)}, {{"value", 1.0}}); }

void extract_full_like(Node& node) {
  const OutPort x = required(node, 0);
  const double value = float_of(node, "fill_value");
  if (!is_given(node, "dtype")) return become(node, "FilledLike", {x}, {{"value", value}});
  Builder b(node);
  const OutPort shape = b.shape_of(x), number = b.constant(make_scalar(type_of(node, "dtype"), value));
  become(node, "Broadcast", {number, shape}, {{"mode", "numpy"}});
}

void extract_eye(Node& node) {
  const int64_t rows = limited_int(node, "N", 0, 0), columns = limited_int(node, "M", 0, 0);
  Builder b(node);
  const OutPort height = b.i64_scalar(rows), width = b.i64_scalar(columns > 0 ? columns : rows),
                k = b.i64_scalar(int_of(node, "k"));
  become(node, "Eye", {height, width, k}, {{"output_type", type_of(node, "dtype", ElementType::F32)}});
}

void extract_identity_matrix(Node& node) {
  const Ints shape = ints_of(node, "shape");
  if (shape.size() != 2) throw Error(Code::BadAttribute, msg("a matrix of ", shape.size(), " dimensions"));
  Builder b(node);
  const OutPort height = b.i64_scalar(shape[0]), width = b.i64_scalar(shape[1]), k = b.i64_scalar(0);
  become(node, "Eye", {height, width, k}, {{"output_type", type_of(node, "dtype", ElementType::F32)}});
}

/// Without stop the numbers begin at 0.
void extract_arange(Node& node) {
  if (bool_of(node, "infer_range"))
    throw Error(Code::UnsupportedForm, "infer_range: a length that follows from others");
  double start = float_of(node, "start"), stop = float_of(node, "stop");
  if (!is_given(node, "stop")) {
    stop = start;
    start = 0;
  }
  const double step = float_of(node, "step", 1);
  const int64_t repeat = limited_int(node, "repeat", 1, 1, 1 << 20);
  if (step == 0) throw Error(Code::BadAttribute, "step is 0");
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  Builder b(node);
  const OutPort line = numbers(b, start, step, count_of(start, stop, step), type);
  if (repeat == 1) return give(node, {line});
  become(node, "Repeated", {line}, {{"axis", 0}, {"count", repeat}});
}

void extract_linspace(Node& node) {
  const double start = float_of(node, "start"), stop = float_of(node, "stop");
  const int64_t count = limited_int(node, "num", 50, 0, kMostNumbers);
  const int64_t gaps = bool_of(node, "endpoint", true) ? count - 1 : count;
  Builder b(node);
  give(node, {numbers(b, start, gaps > 0 ? (stop - start) / static_cast<double>(gaps) : 0, count,
                      type_of(node, "dtype", ElementType::F32))});
}

/// The index of each element along each axis.
void extract_indices(Node& node) {
  const Ints sizes = ints_of(node, "dimensions");
  const ElementType type = type_of(node, "dtype", ElementType::I32);
  Builder b(node);
  const OutPort shape = b.i64(sizes);
  std::vector<OutPort> parts;
  for (size_t i = 0; i < sizes.size(); ++i) {
    Ints along(sizes.size(), 1);
    along[i] = sizes[i];
    const OutPort line = b.reshape(numbers(b, 0, 1, sizes[i], type), along, false);
    parts.push_back(b.op("Broadcast", {line, shape}, {{"mode", "numpy"}}));
  }
  if (parts.empty()) throw Error(Code::MissingAttribute, "dimensions");
  become(node, "Pack", parts, {{"axis", 0}});
}

/// As many numbers as the tensor has elements, or as it has along an axis.
void extract_arange_like(Node& node) {
  const OutPort x = required(node, 0);
  Attributes numbers{{"start", float_of(node, "start")},
                     {"step", float_of(node, "step", 1)},
                     {"repeat", limited_int(node, "repeat", 1, 1, 1 << 20)}};
  if (!is_given(node, "axis")) return become(node, "NumbersOfAll", {x}, numbers);
  numbers.set("axis", int_of(node, "axis"));
  become(node, "NumbersAlong", {x}, numbers);
}

void extract_cast(Node& node) { cast(node); }

/// Of several types the widest one, or the narrowest.
void extract_amp_multicast(Node& node) {
  const std::vector<OutPort> all = all_inputs(node);
  const int64_t count = limited_int(node, "num_outputs", static_cast<int64_t>(all.size()), 1);
  if (count != static_cast<int64_t>(all.size()))
    throw Error(Code::BadAttribute, msg(count, " outputs of ", all.size(), " inputs"));
  become(node, "OfOneType", all, {{"narrow", bool_of(node, "cast_narrow")}}, static_cast<int>(count));
}

}  // namespace mo::mxnet
