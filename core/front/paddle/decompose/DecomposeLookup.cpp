// Before: y = Lookup(table, ids) {padding_idx, column}
// After:  y = Gather(table, ids), the last dimension of ids dropped with column
//         SequenceLookup: dropped if ids are [batch, tokens, 1]
//         with a padding_idx >= 0: of a table whose row of that number is 0, or Select(ids == padding_idx, 0, Gather)
// Before: y = LookupOfBytes(table, ids)
// After:  y = Convert(Gather(bytes of the table, ids)) * (most - least) / 256 + least
// Conditions: a table of bytes is constant. The table is another constant only where nothing else reads it.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLookup final : public Decomposition {
 public:
  Names ops() const override { return {"Lookup", "SequenceLookup", "LookupOfBytes"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    require_input(node, 1);
    OutPort table = node.source(0), ids = node.source(1);
    if (node.op() == "LookupOfBytes") return {of_bytes(b, table, b.squeeze(ids, {-1}))};
    const PartialShape& given = ids.tensor().shape;
    const bool of_tokens = node.op() == "SequenceLookup" && given.rank() == 3 && given[2] == Dimension(1);
    if (of_tokens || node.get_bool("column")) ids = b.squeeze(ids, {-1});
    const int64_t padding = node.get_int("padding_idx", -1);
    if (padding < 0) return {b.gather(table, ids, 0)};
    if (const OutPort cleared = without_row(b, table, padding)) return {b.gather(cleared, ids, 0)};
    const OutPort hidden = b.unsqueeze(b.op("Equal", {ids, b.scalar_like(ids, static_cast<double>(padding))}), {-1});
    const OutPort rows = b.gather(table, ids, 0);
    return {b.op("Select", {hidden, splat_like(b, rows, {}, 0), rows})};
  }

 private:
  /// Rows of a constant f32 table: the least and the largest number, then bytes of 256 steps between them.
  static OutPort of_bytes(Builder& b, OutPort table, OutPort ids) {
    const auto& value = table.tensor().value;
    if (!value || value->type != ElementType::F32 || value->shape.size() != 2 || value->shape[1] < 3)
      throw Error(Code::UnsupportedForm, "a table of bytes that is not constant");
    const Constant bytes{ElementType::U8, {value->shape[0], 4 * value->shape[1]}, value->content};
    const OutPort ranges = b.constant(slice(*value, 1, 0, 2));
    const OutPort steps = b.constant(slice(bytes, 1, 8, bytes.shape[1]));
    const OutPort range = b.gather(ranges, ids, 0);
    const OutPort least = b.gather(range, b.i64({0}), -1), most = b.gather(range, b.i64({1}), -1);
    const OutPort step = b.op("Mul", {b.op("Sub", {most, least}), b.scalar_like(least, 1.0 / 256)});
    const OutPort number = b.convert(b.gather(steps, ids, 0), ElementType::F32);
    return b.op("Add", {b.op("Mul", {number, step}), least});
  }

  /// The table if its row is 0, or one in which it is; empty if it is not to be copied.
  static OutPort without_row(Builder& b, OutPort table, int64_t row) {
    const auto& value = table.tensor().value;
    if (!value || value->shape.size() != 2) return {};
    const Shape& shape = value->shape;
    if (row >= shape[0]) return table;
    const auto numbers = read_doubles(slice(*value, 0, row, row + 1), b.graph().files(), Model::kFoldOne);
    if (numbers && std::all_of(numbers->begin(), numbers->end(), [](double v) { return v == 0; })) return table;
    const bool real = value->type == ElementType::F32 || value->type == ElementType::F16;
    if (!real || table.reader_count() > 1) return {};
    std::vector<float> factors(static_cast<size_t>(shape[0]), 1);
    factors[static_cast<size_t>(row)] = 0;
    return b.constant(scale_shift(*value, 0, std::move(factors), {}));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLookup)
}  // namespace mo
