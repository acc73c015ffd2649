// Before: Gather(table, Slice(a, a + 1, a + 2…)), as in position embeddings
// After:  Slice(rows a, a + 1, a + 2… of the table, in the shape of the numbers)
// Conditions: the table and the numbers are constants; the Slice has no other consumer; no batch dimensions; all
// numbers are rows of the table. The table stays a slice of its file.

#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class GatherSliceFusion final : public MiddleReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Gather")) replace(*node);
  }

 private:
  static constexpr uint64_t kMaxNumbers = 1 << 16;

  static const Constant* constant(const OutPort& port) {
    return port && port.node().op() == "Const" ? port.node().get_constant("value") : nullptr;
  }

  static void replace(Node& node) {
    const OutPort sliced = node.source(1);
    const Constant* table = constant(node.source(0));
    if (!table || table->type == ElementType::String || table->shape.empty() || node.get_int("batch_dims") != 0 ||
        !sliced || sliced.node().op() != "Slice" || sliced.reader_count() != 1)
      return;
    const Node& slice_node = sliced.node();
    const Constant* rows = constant(slice_node.source(0));
    const auto axis = node.source(2).exact_ints(), sliced_axes = slice_node.source(4).exact_ints();
    if (!rows || !axis || axis->size() != 1 || !sliced_axes || rows->shape.empty()) return;
    const size_t at = normalize_axis((*axis)[0], static_cast<int>(table->shape.size()));
    const auto first = first_of_consecutive(*rows, table->shape[at], node.graph().files());
    if (!first) return;

    const auto count = static_cast<int64_t>(element_count(rows->shape));
    Shape shape = table->shape;
    const auto position = shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at));
    shape.insert(position, rows->shape.begin(), rows->shape.end());
    const bool all = count == table->shape[at];
    const Constant taken = all ? *table : slice(*table, at, *first, *first + count);
    Ints axes;
    for (const int64_t a : *sliced_axes)
      axes.push_back(static_cast<int64_t>(at + normalize_axis(a, static_cast<int>(rows->shape.size()))));

    Builder b(node);
    Node& made = b.node("Slice", {b.constant(reshape(taken, shape)), slice_node.source(1), slice_node.source(2),
                                  slice_node.source(3), b.i64(axes)});
    node.graph().replace(node, made);
  }

  /// The first number if they are consecutive and within [0, limit).
  static std::optional<int64_t> first_of_consecutive(const Constant& rows, int64_t limit, Files& files) {
    if (is_float(rows.type)) return std::nullopt;
    const auto known = read_ints(rows, files, kMaxNumbers);
    if (!known || known->empty()) return std::nullopt;
    for (size_t i = 0; i < known->size(); ++i)
      if ((*known)[i] < 0 || (*known)[i] >= limit || (i > 0 && (*known)[i] != (*known)[i - 1] + 1)) return std::nullopt;
    return known->front();
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GatherSliceFusion)
}  // namespace mo
