// Before: Gather(Concat(a, [4], b), [1, 0, 2], 0)
// After:  Concat([4], a, b)
// Conditions: the list joins constants and tensors of one element; the places are constants, at most as many as the
// list has elements. The change to NCHW, and a Transpose of what is filled, put a shape into another order like this.

#include <algorithm>

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class GatherOfJoined final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"NestedGathers"}; }
  Names run_before() const override { return {"ShareDimensions", "SimplifyReshapePatterns", "TileOfOpenSize"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Gather")) {
      const std::vector<Element> taken = taken_by(*node);
      if (taken.empty()) continue;
      const ElementType type = node->out(0).tensor().type;
      Builder b(*node);
      std::vector<OutPort> parts;
      for (const Element& one : taken)
        parts.push_back(one.number ? b.constant(convert(make_i64({*one.number}), type)) : one.port);
      if (parts.size() > 1) {
        graph.replace(*node, b.concat(parts, 0).node());
      } else {
        node->out(0).connection().set_source(parts[0], TensorNames::Merge);
        graph.remove(*node);
      }
    }
  }

 private:
  static constexpr size_t kMostElements = 64;

  /// Either a number, or a tensor that has nothing else.
  struct Element {
    std::optional<int64_t> number;
    OutPort port;
  };

  /// Of a list that is joined of single elements; empty otherwise.
  static std::vector<Element> elements_of(const Node& concat) {
    std::vector<Element> all;
    for (int i = 0; i < concat.in_count(); ++i) {
      const OutPort part = concat.source(i);
      if (!part || part.tensor().shape.rank() != 1) return {};
      const bool is_constant = part.node().op() == "Const" && is_integer(part.tensor().type);
      const auto numbers = is_constant ? part.exact_ints() : std::nullopt;
      if (numbers)
        for (const int64_t number : *numbers) all.push_back({number, {}});
      else if (part.tensor().shape[0] == Dimension(1))
        all.push_back({std::nullopt, part});
      else
        return {};
      if (all.size() > kMostElements) return {};
    }
    return all;
  }

  static std::vector<Element> taken_by(const Node& gather) {
    const OutPort data = gather.source(0), indices = gather.source(1);
    if (!data || !indices || data.node().op() != "Concat" || data.tensor().shape.rank() != 1) return {};
    if (indices.node().op() != "Const" || indices.tensor().shape.rank() != 1 || gather.get_int("batch_dims") != 0)
      return {};
    const auto places = indices.exact_ints();
    const std::vector<Element> all = elements_of(data.node());
    const auto size = static_cast<int64_t>(all.size());
    if (!places || places->size() > all.size()) return {};
    std::vector<Element> taken;
    for (const int64_t at : *places) {
      if (at < -size || at >= size) return {};
      taken.push_back(all[static_cast<size_t>(at < 0 ? at + size : at)]);
    }
    return taken;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(GatherOfJoined)
}  // namespace mo
