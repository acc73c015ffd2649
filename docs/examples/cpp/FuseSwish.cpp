// Before: mul = beta * x; sum = exp(-mul) + 1; x / sum
// After:  Swish(x, beta)
// Conditions: beta is a constant scalar; the 1 is a constant.

#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class FuseSwish final : public FrontReplacementSubgraph {
 public:
  Names run_after() const override { return {"FrontStart"}; }
  /// A built-in transformation that looks for the same.
  Names run_before() const override { return {"SwishFusion"}; }

  Pattern pattern() override {
    return {.nodes = {{"mul", {{"op", "Mul"}}},
                      {"neg", {{"op", "Negative"}}},
                      {"exp", {{"op", "Exp"}}},
                      {"one", {{"op", "Const"}}},
                      {"add", {{"op", "Add"}}},
                      {"div", {{"op", "Div"}}}},
            .edges = {{"mul", "neg"}, {"neg", "exp"}, {"exp", "add"}, {"one", "add"}, {"add", "div", 1}}};
  }

  void replace_sub_graph(Graph& graph, const Match& match) override {
    Node &mul = match.op("mul"), &div = match.op("div");
    const OutPort x = div.source(0);
    const int at = mul.source(0) == x ? 0 : 1;
    const OutPort beta = mul.source(1 - at);
    if (!(mul.source(at) == x) || beta.node().op() != "Const" || !is_one(graph, match.op("one"))) return;
    Node& swish = graph.add_node("Swish");
    swish.add_in_ports(2);
    swish.add_out_ports(1);
    swish.in(0).connect(x);
    swish.in(1).connect(beta);
    div.out(0).connection().set_source(swish.out(0));
    graph.rename_nodes({{&div, div.name() + "/TBR"}, {&swish, div.name()}});
  }

 private:
  static bool is_one(Graph& graph, const Node& node) {
    const Constant& value = *node.get_constant("value");
    if (value.type != ElementType::F32 || value.elements() != 1) return false;
    const auto bytes = read_all(value, graph.files(), sizeof(float));
    float number = 0;
    if (bytes) std::memcpy(&number, bytes->data(), sizeof number);
    return number == 1;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(FuseSwish)
}  // namespace mo
