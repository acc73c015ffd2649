// Before: y = MatMulNBits(x, B u8 [N, blocks, bytes], scales [, zero_points, g_idx, bias]) {K, N, bits, block_size}
//         of the domain com.microsoft
// After:  y = MatMul(x, Reshape((Convert(B as u2, u4 or u8 [N, blocks, block_size]) - zero_points) * scales))
//         {transpose_b} [+ bias], x padded if the last block is incomplete
//         with g_idx, the group of each column: zero_points and scales are gathered by it, and B is cut to K columns
// Conditions: 2, 4 or 8 bits; B and packed zero points are constants; an incomplete last block needs the rank of x.

#include "core/decompose/math/constants.h"
#include "core/decompose/quantization/quantization.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMatMulNBits final : public Decomposition {
 public:
  Names ops() const override { return {"MatMulNBits"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (int i = 0; i < 3; ++i) require_input(node, i);
    const Sizes s = sizes_of(node);
    const OutPort x = node.source(0), scales = node.source(2);
    const ElementType type = x.tensor().type == ElementType::Unknown ? scales.tensor().type : x.tensor().type;
    const bool grouped = node.has_in(4) && !are_in_order(node.source(4), s);
    const OutPort y = grouped
                          ? b.matmul({x, weights_of_groups(b, node, s, type)}, true)
                          : b.matmul({padded(b, x, s.blocks * s.block - s.columns), weights(b, node, s, type)}, true);
    return {node.has_in(5) ? b.op("Add", {y, node.source(5)}) : y};
  }

 private:
  struct Sizes {
    int64_t rows, columns, block, blocks;
    ElementType type;
  };
  static constexpr uint64_t kMostGroups = 1 << 20;  ///< columns whose groups are read

  static Sizes sizes_of(const Node& node) {
    const int64_t bits = node.get_int("bits"), block = node.get_int("block_size");
    const int64_t rows = node.get_int("N"), columns = node.get_int("K");
    constexpr int64_t kMost = int64_t{1} << 31;
    const ElementType type = bits == 2   ? ElementType::U2
                             : bits == 4 ? ElementType::U4
                             : bits == 8 ? ElementType::U8
                                         : ElementType::Unknown;
    if (type == ElementType::Unknown)
      throw Error(Code::UnsupportedForm, msg(bits, " bits, for which ONNX Runtime defines no order in bytes"));
    if (rows < 1 || columns < 1 || block < 2 || rows > kMost || columns > kMost || block > kMost)
      throw Error(Code::BadAttribute, msg("N ", rows, ", K ", columns, ", block_size ", block));
    return {rows, columns, block, (columns + block - 1) / block, type};
  }

  static OutPort weights(Builder& b, const Node& node, const Sizes& s, ElementType type) {
    const Shape by_block{s.rows, s.blocks, 1};
    const OutPort narrow = packed(b, node.source(1), s, s.rows * s.blocks * s.block, {s.rows, s.blocks, s.block});
    const OutPort zero_point = node.has_in(3) ? reshaped(b, zero_points(b, node, s), by_block) : middle(b, s);
    const OutPort w = dequantize(b, narrow, reshaped(b, node.source(2), by_block), zero_point, {}, type);
    return reshaped(b, w, {s.rows, s.blocks * s.block});
  }

  /// Whether each column belongs to the block that it lies in.
  static bool are_in_order(OutPort groups, const Sizes& s) {
    const auto& value = groups.tensor().value;
    const auto numbers = value ? read_ints(*value, groups.node().graph().files(), kMostGroups) : std::nullopt;
    if (!numbers) return false;
    for (size_t i = 0; i < numbers->size(); ++i)
      if ((*numbers)[i] != static_cast<int64_t>(i) / s.block) return false;
    return true;
  }

  static OutPort weights_of_groups(Builder& b, const Node& node, const Sizes& s, ElementType type) {
    const OutPort first = b.i64({0}), last = b.i64({s.columns}), step = b.i64({1});
    const OutPort groups = b.op("Slice", {node.source(4), first, last, step, b.i64({0})});
    const auto of_column = [&](OutPort numbers) { return b.gather(b.convert(numbers, type), groups, 1); };
    const OutPort narrow = packed(b, node.source(1), s, s.rows * s.blocks * s.block, {s.rows, s.blocks * s.block});
    const OutPort used = b.op("Slice", {b.convert(narrow, type), first, last, step, b.i64({1})});
    const Shape by_block{s.rows, s.blocks};
    const OutPort zero_point =
        node.has_in(3) ? of_column(reshaped(b, zero_points(b, node, s), by_block)) : b.convert(middle(b, s), type);
    return b.op("Mul", {b.op("Sub", {used, zero_point}), of_column(reshaped(b, node.source(2), by_block))});
  }

  /// The zero point of weights without one.
  static OutPort middle(Builder& b, const Sizes& s) {
    return b.constant(make_splat(s.type, {}, static_cast<double>(1 << (bits(s.type) - 1))));
  }

  /// x with zeros for the columns that fill the last block. Runtimes recognise narrow weights by their form; cutting
  /// the weights instead would change it.
  static OutPort padded(Builder& b, OutPort x, int64_t columns) {
    if (columns == 0) return x;
    const int rank = x.tensor().shape.rank();
    if (rank < 1) throw Error(Code::UnsupportedForm, "a last block that is not full, with data of unknown rank");
    Ints begin(static_cast<size_t>(rank), 0), end = begin;
    end.back() = columns;
    return b.op("Pad", {x, b.i64(begin), b.i64(end), b.scalar_like(x, 0)}, {{"mode", "constant"}});
  }

  /// A constant of bytes as a constant of narrower elements: the same slice; both have the first element in the low
  /// bits.
  static OutPort packed(Builder& b, OutPort bytes, const Sizes& s, int64_t elements, const Shape& shape) {
    const auto& value = bytes.tensor().value;
    if (!value) throw Error(Code::UnsupportedForm, "weights or zero points that are not constants");
    const auto count = static_cast<uint64_t>(elements);
    if (value->type != ElementType::U8 || value->content->size() != byte_size(s.type, count))
      throw Error(Code::ShapeMismatch,
                  msg(value->content->size(), " bytes for ", elements, " elements of ", bits(s.type), " bits"));
    return b.constant({s.type, shape, value->content});
  }

  /// Of all blocks, [N, blocks] or another shape.
  static OutPort zero_points(Builder& b, const Node& node, const Sizes& s) {
    const OutPort given = node.source(3);
    if (is_float(given.tensor().type)) return given;
    // Each row starts at a whole byte.
    const int64_t in_byte = 8 / bits(s.type), in_row = (s.blocks + in_byte - 1) / in_byte * in_byte;
    const OutPort all = packed(b, given, s, s.rows * in_row, {s.rows, in_row});
    return in_row == s.blocks ? all : b.constant(slice(*all.tensor().value, 1, 0, s.blocks));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMatMulNBits)
}  // namespace mo
