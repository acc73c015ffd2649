// Before: -, i = TopK(x, 1) {axis: 1, stable} [, Squeeze(i, [1])]
// After:  -, i = Squeeze(TopK(Unsqueeze(x, [2]), 1), [2], or [1, 2])
// Conditions: x has four dimensions, and nothing reads the values. Runtimes that have the channels of pictures last in
// memory look for the largest one pixel after the other; with a fifth dimension they bring the channels to the front,
// and take many pixels at once.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class TopKOverChannels final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("TopK"))
      if (is_of_channels(*node)) replace(graph, *node);
  }

 private:
  static constexpr int kPicture = 4, kIndices = 1;

  static bool is_of_channels(Node& node) {
    const OutPort x = node.source(0);
    if (!x || x.tensor().shape.rank() != kPicture || !node.get_bool("stable")) return false;
    const int64_t axis = node.get_int("axis", -1);
    if (axis != 1 && axis != 1 - kPicture) return false;
    return node.source(1).exact_int() == 1 && node.out(0).disconnected() && !node.out(kIndices).disconnected();
  }

  static void replace(Graph& graph, Node& node) {
    Builder b(node);
    const OutPort indices = node.out(kIndices);
    Attributes attributes = node.attributes;
    attributes.set("axis", int64_t{1});
    const OutPort found =
        b.node("TopK", {b.unsqueeze(node.source(0), {2}), node.source(1)}, attributes, 2).out(kIndices);
    Node* reader = indices.reader_count() == 1 ? &indices.destination().node() : nullptr;
    if (reader && reader->op() == "Squeeze" && reader->source(1).exact_ints() == std::vector<int64_t>{1})
      graph.replace(*reader, b.squeeze(found, {1, 2}).node());
    else
      indices.connection().set_source(b.squeeze(found, {2}));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(TopKOverChannels)
}  // namespace mo
