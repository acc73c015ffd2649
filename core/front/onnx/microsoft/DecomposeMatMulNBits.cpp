// Before: y = MatMulNBits(x, B u8 [N, blocks, bytes], scales [, zero_points, g_idx, bias]) {K, N, bits, block_size}
//         of the domain com.microsoft
// After:  y = MatMul(x, Reshape((Convert(B as u4 or u8 [N, blocks, block_size]) - zero_points) * scales)) {transpose_b}
//         [+ bias], x padded if the last block is incomplete
// Conditions: 4 or 8 bits; B and packed zero points are constants, no g_idx; an incomplete last block needs the rank of
// x.

#include "core/decompose/constants.h"
#include "core/decompose/quantization.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMatMulNBits final : public Decomposition {
 public:
  Names ops() const override { return {"MatMulNBits"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (int i = 0; i < 3; ++i) require_input(node, i);
    if (node.has_in(4)) throw Error(Code::UnsupportedForm, "g_idx");
    const Sizes s = sizes_of(node);
    const OutPort x = node.source(0), scales = reshaped(b, node.source(2), {s.rows, s.blocks, 1});
    const OutPort weights = packed(b, node.source(1), s, s.rows * s.blocks * s.block, {s.rows, s.blocks, s.block});
    const ElementType type = x.tensor().type == ElementType::Unknown ? scales.tensor().type : x.tensor().type;
    OutPort w = dequantize(b, weights, scales, zero_points(b, node, s), {}, type);
    w = reshaped(b, w, {s.rows, s.blocks * s.block});
    const OutPort y = b.matmul({padded(b, x, s.blocks * s.block - s.columns), w}, true);
    return {node.has_in(5) ? b.op("Add", {y, node.source(5)}) : y};
  }

 private:
  struct Sizes {
    int64_t rows, columns, block, blocks;
    ElementType type;
  };
  static Sizes sizes_of(const Node& node) {
    const int64_t bits = node.get_int("bits"), block = node.get_int("block_size");
    const int64_t rows = node.get_int("N"), columns = node.get_int("K");
    constexpr int64_t kMost = int64_t{1} << 31;
    if (bits != 4 && bits != 8) throw Error(Code::UnsupportedForm, msg(bits, " bits"));
    if (rows < 1 || columns < 1 || block < 2 || rows > kMost || columns > kMost || block > kMost)
      throw Error(Code::BadAttribute, msg("N ", rows, ", K ", columns, ", block_size ", block));
    return {rows, columns, block, (columns + block - 1) / block, bits == 4 ? ElementType::U4 : ElementType::U8};
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

  static OutPort zero_points(Builder& b, const Node& node, const Sizes& s) {
    const Shape shape{s.rows, s.blocks, 1};
    if (!node.has_in(3)) return b.constant(make_splat(s.type, {}, s.type == ElementType::U4 ? 8 : 128));
    const OutPort given = node.source(3);
    if (is_float(given.tensor().type)) return reshaped(b, given, shape);
    // Each row starts at a whole byte.
    const int64_t in_row = s.type == ElementType::U4 ? (s.blocks + 1) / 2 * 2 : s.blocks;
    const OutPort all = packed(b, given, s, s.rows * in_row, {s.rows, in_row});
    const Constant& value = *all.tensor().value;
    return b.constant(reshape(in_row == s.blocks ? value : slice(value, 1, 0, s.blocks), shape));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMatMulNBits)
}  // namespace mo
