// Before: Y = Case(x, captured) {then_graph, else_graph, index}: the first branch if x equals the index, or, without
//         it, if x is true
// After:  Y = If(Equal(x, index) | truth of x, captured) {then_graph, else_graph}; or the nodes of the branch that is
//         taken, if that is known
// Conditions: none.

#include "core/decompose/control/inline_body.h"
#include "core/decompose/control/truth.h"
#include "core/graph/body.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCase final : public Decomposition {
 public:
  Names ops() const override { return {"Case"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort condition = condition_of(b, node);
    if (const auto known = condition.tensor().exact_int()) return inline_branch(b, node, kBranches[*known ? 0 : 1]);
    Node& made = b.graph().add_node("If", node.name() + "/If");
    made.add_in_ports(node.in_count());
    made.add_out_ports(node.out_count());
    made.in(0).connect(condition);
    for (int i = 1; i < node.in_count(); ++i)
      if (node.has_in(i)) made.in(i).connect(node.source(i));
    for (const char* branch : kBranches) made.set(branch, copy_body(*node.get_graph(branch), made));
    for (int i = 0; i < node.out_count(); ++i)
      if (!node.has_out_port(i)) made.delete_out_port(i);
    infer_node(made);
    std::vector<OutPort> outputs;
    for (int i = 0; i < node.out_count(); ++i) outputs.push_back(node.has_out_port(i) ? made.out(i) : OutPort());
    return outputs;
  }

 private:
  static OutPort condition_of(Builder& b, const Node& node) {
    const OutPort x = node.source(0);
    if (node.has("index"))
      return b.op("Equal", {single(b, x), b.scalar_like(x, static_cast<double>(node.get_int("index")))});
    return truth_of(b, x, node.get_bool("lone"));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCase)
}  // namespace mo
