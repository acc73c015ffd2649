// Infers shapes, types and values of the whole model in topological order. Nodes with a Decomposition are replaced on
// the way, when everything that can be known about their inputs is known.

#include "core/base/text.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class PartialInfer final : public Transform {
 public:
  Names run_after() const override { return {"FrontFinish"}; }
  Names run_before() const override { return {"MiddleStart"}; }
  std::optional<Phase> begins() const override { return Phase::Infer; }
  bool run_not_recursively() const override { return true; }  // owners infer their bodies
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    Diagnostics& diagnostics = graph.model().diagnostics;
    const size_t first = diagnostics.messages().size();
    const int errors = diagnostics.errors();
    infer_graph(graph, diagnostics);
    if (diagnostics.errors() == errors) return;
    for (Node* input : graph.nodes("Parameter")) tell_placeholder(*input, first);
  }

 private:
  /// Pictures of one pixel are a placeholder: programs set the size before they run such a network.
  static void tell_placeholder(Node& input, size_t first) {
    const PartialShape& shape = input.out(0).tensor().shape;
    if (shape.rank() != 4 || shape[2] != Dimension(1) || shape[3] != Dimension(1)) return;
    const std::string open = cat(to_string(shape[0]), ",", to_string(shape[1]), ",?,?");
    input.graph().model().diagnostics.amend_errors(
        first, {},
        msg("; if 1 x 1 is a placeholder, give the size of your pictures, or leave it open: --input ",
            printable(input.name()), " --input_shape [", open, "]"));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(PartialInfer)
}  // namespace mo
