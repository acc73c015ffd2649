// Before: y = Squeeze(x [?, 1, 3])
// After:  the same, and a warning that names the input of the model whose size decides the rank of y
// Conditions: the rank of an output is unknown although the ranks of all inputs are known. An If is left to
// UnknownRankOfBranches, what is in bodies is reported there, not at their owner, and sequences, which have no rank,
// are left to the emitter, which refuses them.

#include <algorithm>

#include "core/ops/dimension_origins.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class UnknownRanks final : public Transform {
 public:
  Names run_after() const override { return {"CompressFloatConstants"}; }
  Names run_before() const override { return {"BackFinish"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes())
      if (begins_without_rank(*node))
        graph.model().diagnostics.warn(Code::RankNotKnown, explanation(*node), node->place());
  }

 private:
  static constexpr size_t kMaxSteps = 256;

  static bool begins_without_rank(Node& node) {
    if (node.op() == "Parameter" || node.op() == "If" || node.has("body")) return false;
    if (node.definition() && !node.definition()->gives_tensors) return false;
    for (int i = 0; i < node.in_count(); ++i)
      if (const OutPort source = node.source(i); source && !source.tensor().shape.has_rank()) return false;
    for (int i = 0; i < node.out_count(); ++i) {
      const OutPort port(&node, i);
      const Tensor& tensor = port.tensor();
      if (!port.disconnected() && !tensor.shape.has_rank() && tensor.type != ElementType::Unknown) return true;
    }
    return false;
  }

  static Detail explanation(Node& node) {
    std::string sizes;
    for (int i = 0; i < node.in_count(); ++i)
      if (const OutPort source = node.source(i); source && !source.tensor().shape.is_static())
        sizes += cat(sizes.empty() ? "" : ", ", "input ", i, " [", to_string(source.tensor().shape), "]");
    const Detail why = sizes.empty() ? msg("it depends on values") : msg("it depends on the sizes of ", sizes);
    const Node* input = open_input_of(node);
    if (!input) return why;
    return msg(why, "; input \"", input->name(), "\" of the model is [", to_string(shape_of(*input)), "]");
  }

  static const PartialShape& shape_of(const Node& parameter) {
    return OutPort(const_cast<Node*>(&parameter), 0).tensor().shape;
  }
  static bool is_open_input(const Node& node) {
    return node.op() == "Parameter" && !node.graph().owner() && !shape_of(node).is_static();
  }

  /// The nearest input of the model with an unknown size that the shapes of the node's inputs depend on.
  static const Node* open_input_of(Node& node) {
    DimensionOrigins origins(kMaxSteps);
    for (int i = 0; i < node.in_count(); ++i) {
      const OutPort source = node.source(i);
      if (!source) continue;
      for (size_t k = 0; k < source.tensor().shape.dimensions().size(); ++k) {
        if (source.tensor().shape[k].is_exact()) continue;
        const Node& origin = origins.of({source, k}).of.node();
        if (is_open_input(origin)) return &origin;
      }
    }
    std::vector<const Node*> open{&node};
    for (size_t next = 0; next < open.size() && open.size() < kMaxSteps; ++next) {
      const Node& at = *open[next];
      if (is_open_input(at)) return &at;
      for (int i = 0; i < at.in_count(); ++i)
        if (const OutPort source = at.source(i);
            source && std::find(open.begin(), open.end(), &source.node()) == open.end())
          open.push_back(&source.node());
    }
    return nullptr;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(UnknownRanks)
}  // namespace mo
