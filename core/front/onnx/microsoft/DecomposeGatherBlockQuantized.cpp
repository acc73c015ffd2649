// Before: y = GatherBlockQuantized(data, indices, scales, zero_points) {gather_axis, quantize_axis, block_size, bits}
//         of the domain com.microsoft
// After:  y = (Gather(data) - Gather(zero_points)) * Gather(scales), with a separate axis for blocks; the weights stay
//         narrow
// Conditions: the rank of data is known; data with two numbers per byte, and their zero points, are constants.

#include "core/decompose/quantization/quantization.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeGatherBlockQuantized final : public Decomposition {
 public:
  Names ops() const override { return {"GatherBlockQuantized"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (int i = 0; i < 3; ++i) require_input(node, i);
    const int64_t bits = node.get_int("bits"), block = node.get_int("block_size");
    if (bits != 2 && bits != 4 && bits != 8) throw Error(Code::UnsupportedForm, msg(bits, " bits"));
    if (block < 1) throw Error(Code::BadAttribute, msg("block_size is ", block));
    const bool bytes = node.source(0).tensor().type == ElementType::U8;
    const bool is_packed = bytes && bits < 8;
    const OutPort data = is_packed ? unpacked(b, node.source(0), bits) : node.source(0);
    const OutPort scales = node.source(2);
    const int rank = data.tensor().shape.rank();
    if (rank < 1) throw Error(Code::UnsupportedForm, "data of unknown rank");
    const size_t by = normalize_axis(node.get_int("quantize_axis"), rank);
    const size_t along = normalize_axis(node.get_int("gather_axis"), rank);
    if (by == along) throw Error(Code::BadAttribute, "quantize_axis is gather_axis");

    OutPort zero_points = node.source(3);
    if (zero_points && is_packed) zero_points = unpacked(b, zero_points, bits);
    if (zero_points) zero_points = as_many(b, zero_points, scales, by);
    if (!zero_points && bytes)
      zero_points = b.constant(make_scalar(ElementType::U8, static_cast<double>(1 << (bits - 1))));
    const OutPort size = dimension_of(b, data, static_cast<int64_t>(along));
    const OutPort indices = from_front(b, b.convert(node.source(1), ElementType::I64), size);
    const int places = indices.tensor().shape.rank();
    if (places < 0) throw Error(Code::UnsupportedForm, "indices of unknown rank");
    const auto gathered = [&](OutPort x) {
      return x && x.tensor().shape.rank() == rank ? b.gather(x, indices, static_cast<int64_t>(along)) : x;
    };
    const int64_t axis = static_cast<int64_t>(by) + (by > along ? places - 1 : 0);
    const OutPort codes = gathered(data), factors = gathered(scales), zeros = gathered(zero_points);
    return {dequantize(b, codes, factors, zeros, {axis, block}, scales.tensor().type)};
  }

 private:
  /// Bytes of several numbers each, the first in the low bits, as numbers of 4 bits: in the same slice unless they
  /// have 2.
  static OutPort unpacked(Builder& b, OutPort bytes, int64_t bits) {
    const auto& value = bytes.tensor().value;
    if (!value || value->type != ElementType::U8 || value->shape.empty())
      throw Error(Code::UnsupportedForm, "packed numbers that are not a constant of bytes");
    Shape shape = value->shape;
    shape.back() = (Interval(shape.back()) * (8 / bits)).min;
    const ElementType type = bits == 2 ? ElementType::U2 : ElementType::U4;
    if (byte_size(type, element_count(shape)) != value->content->size())
      throw Error(Code::ShapeMismatch, "packed numbers of another size than their shape");
    const Constant narrow{type, std::move(shape), value->content};
    // The CPU plugin spoils a Gather of numbers of 2 bits (docs/runtime.md).
    return b.constant(bits == 2 ? convert(narrow, ElementType::U4) : narrow);
  }

  /// In packed zero points, a row may end with a number that only fills the last byte.
  static OutPort as_many(Builder& b, OutPort zero_points, OutPort scales, size_t axis) {
    const auto& value = zero_points.tensor().value;
    const PartialShape& want = scales.tensor().shape;
    if (!value || want.rank() != static_cast<int>(value->shape.size()) || !want[axis].is_exact() ||
        want[axis].min >= value->shape[axis])
      return zero_points;
    return b.constant(slice(*value, axis, 0, want[axis].min));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeGatherBlockQuantized)
}  // namespace mo
