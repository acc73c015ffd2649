// Before: Y = Loop(0, condition, X) {body}
// After:  X
// Conditions: the number of iterations is a constant, or the condition is the constant false; each output that is read
// is a value that the loop carries. A runtime does not compile such a loop of constants.

#include "core/graph/body.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class LoopOfNoIteration final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Loop")) {
      if (!never_runs(*node)) continue;
      std::vector<OutPort> first(static_cast<size_t>(node->out_count()));
      for (const Node* parameter : node->get_graph("body")->parameters)
        if (const Node* result = back_edge_of(*parameter)) {
          const int64_t output = result->get_int("external_port_id", -1);
          const int input = static_cast<int>(parameter->get_int("external_port_id", -1));
          if (output >= 0 && output < node->out_count() && node->has_in(input) && !result->has("axis"))
            first[static_cast<size_t>(output)] = node->source(input);
        }
      if (!has_all(*node, first)) continue;
      for (int i = 0; i < node->out_count(); ++i)
        if (first[static_cast<size_t>(i)])
          node->out(i).connection().set_source(first[static_cast<size_t>(i)], TensorNames::Merge);
    }
  }

 private:
  static bool never_runs(const Node& loop) {
    const auto count = loop.has_in(0) ? loop.source(0).tensor().exact_int() : std::nullopt;
    const auto condition = loop.has_in(1) ? loop.source(1).tensor().exact_int() : std::nullopt;
    return count == 0 || condition == 0;
  }

  static bool has_all(Node& loop, const std::vector<OutPort>& first) {
    for (int i = 0; i < loop.out_count(); ++i)
      if (!first[static_cast<size_t>(i)] && loop.has_out_port(i) && !loop.out(i).disconnected()) return false;
    return true;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(LoopOfNoIteration)
}  // namespace mo
