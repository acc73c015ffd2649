// Before: y = Lookup(table, ids) {padding_idx, column}
// After:  y = Gather(table, ids), the last dimension of ids dropped with column
//         SequenceLookup: dropped if ids are [batch, tokens, 1]
//         with a padding_idx >= 0: of a table whose row of that number is 0, or Select(ids == padding_idx, 0, Gather)
// Conditions: none. The table is another constant only where nothing else reads it.

#include <algorithm>

#include "core/decompose/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLookup final : public Decomposition {
 public:
  Names ops() const override { return {"Lookup", "SequenceLookup"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    require_input(node, 1);
    OutPort table = node.source(0), ids = node.source(1);
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
