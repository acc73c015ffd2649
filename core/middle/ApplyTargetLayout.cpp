// Before: Parameter {source_layout, target_layout} -> model -> Result {source_layout, target_layout}
// After:  Parameter with the shape in its target_layout -> Transpose to its source_layout -> model
//         -> Transpose to its target_layout -> Result
// Conditions: both layouts are known and differ. They have the rank of the tensor, else LayoutUnfit. Tensor names stay
// with the input and go to the output; the Transpose there gets the name of the node before, which is renamed to
// "<name>/prev".

#include <algorithm>

#include "core/base/layout_text.h"
#include "core/base/text.h"
#include "core/middle/model_inputs.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class ApplyTargetLayout final : public Transform {
 public:
  Names run_after() const override { return {"InsertReverseChannels"}; }
  Names run_before() const override { return {"MiddleStart"}; }
  bool run_not_recursively() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* parameter : graph.parameters) turn_input(*parameter);
    for (Node* result : graph.results) turn_output(*result);
  }

 private:
  /// The order of the Transpose from one layout of the node to the other; nothing if none is needed.
  static std::optional<Ints> order(const Node& node, const PartialShape& shape, const char* from, const char* to) {
    for (const char* layout : {from, to})
      if (const std::string text = node.get_string(layout);
          !text.empty() && shape.has_rank() && !axis_names(text, shape.rank()))
        throw Error(Code::LayoutUnfit, msg(text, " for the shape [", to_string(shape), "]"), node.place());
    if (!node.has(from) || !node.has(to)) return std::nullopt;
    auto order = order_between(node.get_string(from), node.get_string(to), shape.rank());
    if (!order) throw Error(Code::LayoutUnfit, msg(node.get_string(from), "->", node.get_string(to)), node.place());
    if (std::is_sorted(order->begin(), order->end())) return std::nullopt;
    return order;
  }

  static void turn_input(Node& parameter) {
    const OutPort out = parameter.out(0);
    const PartialShape source = out.tensor().shape;
    const auto to_target = order(parameter, source, "source_layout", "target_layout");
    if (!to_target) return;
    Ints back(to_target->size());
    PartialShape target = source;
    for (size_t i = 0; i < back.size(); ++i) {
      const auto from = static_cast<size_t>((*to_target)[i]);
      back[from] = static_cast<int64_t>(i);
      if (source.has_rank()) target[i] = source[from];
    }
    const std::vector<InPort> readers = out.destinations();
    parameter.set("shape", target);
    infer_node(parameter);
    insert_after_input(parameter, Builder(parameter).transpose(out, back), readers);
  }

  static void turn_output(Node& result) {
    const OutPort source = result.source(0);
    const auto to_target = order(result, source.tensor().shape, "source_layout", "target_layout");
    if (!to_target) return;
    Node& node = source.node();
    const OutPort turned = Builder(node).transpose(source, *to_target);
    result.in(0).connect(turned);
    if (node.op() == "Parameter") return;
    std::swap(turned.tensor().names, source.tensor().names);
    const std::string name = node.name(), before = cat(name, "/prev");
    Graph& graph = node.graph();
    if (source.index() == 0 && !graph.has_name(before)) graph.rename_nodes({{&node, before}, {&turned.node(), name}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ApplyTargetLayout)
}  // namespace mo
