// Before: an input without a rank -> operations
// After:  the rank, and sizes of channels, that these operations demand: [?, ?, ?, 3] of a convolution of 3 channels;
//         or a warning that names the input, an error if its framework has no inputs of open rank (needs_rank)
// Conditions: neither the model nor an option gives its shape. Readers in bodies count, too. Where the conversion fails
// anyway, there is no warning.

#include <map>

#include "core/base/text.h"
#include "core/graph/body.h"
#include "core/middle/rank_rules.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

bool has_rank(const Node& parameter) {
  const PartialShape* shape = parameter.attributes.get_if<PartialShape>("shape");
  return shape && shape->has_rank();
}

/// What is known from both; the first, if they contradict each other, which inference reports.
void add(PartialShape& to, const PartialShape& more) {
  try {
    to = merge(to, more);
  } catch (const Error&) {
  }
}

class Demands {
 public:
  /// Readers come before what they read. Gives what is demanded of each Parameter.
  std::map<const Node*, PartialShape> of(const Graph& graph) {
    std::map<std::pair<const Node*, int>, PartialShape> of_inputs;
    std::map<const Node*, PartialShape> out;
    const std::vector<Node*> order = graph.topological_order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      Node& node = **at;
      std::vector<PartialShape> outputs(static_cast<size_t>(node.out_count()));
      for (int i = 0; i < node.out_count(); ++i)
        for (const InPort& reader : OutPort(&node, i).destinations())
          if (const auto found = of_inputs.find({&reader.node(), reader.index()}); found != of_inputs.end())
            add(outputs[static_cast<size_t>(i)], found->second);
      if (node.op() == "Parameter" && !outputs.empty()) out[&node] = outputs[0];
      const auto set = [&](int input, const PartialShape& shape) {
        if (shape.has_rank()) add(of_inputs[{&node, input}], shape);
      };
      for (int i = 0; i < node.in_count(); ++i)
        if (node.has_in(i) && node.source(i).node().op() != "Const") set(i, demanded_shape({node, i, outputs}));
      for (const Graph* body : bodies_of(node))
        for (const auto& [parameter, shape] : of(*body))
          if (const int input = input_of(*parameter); input >= 0) set(input, shape);
    }
    return out;
  }

 private:
  /// The owner's input that a body's Parameter reads as a whole; -1 for slices and counters. A While has its variables
  /// in order.
  static int input_of(const Node& parameter) {
    const Graph& body = parameter.graph();
    if (parameter.has("axis")) return -1;
    if (body.owner()->op() != "While") return static_cast<int>(parameter.get_int("external_port_id", -1));
    for (size_t i = 0; i < body.parameters.size(); ++i)
      if (body.parameters[i] == &parameter) return static_cast<int>(i);
    return -1;
  }
};

/// With the option to type.
Detail line_for(const std::string& name) {
  return msg("\"", name, "\": as many numbers as it has dimensions, such as --input_shape ", name, "[1,3,224,224]");
}

class RankOfInputs final : public Transform {
 public:
  Names run_after() const override { return {"FrontFinish"}; }
  Names run_before() const override { return {"PartialInfer"}; }
  bool run_not_recursively() const override { return true; }
  bool graph_condition(Graph& graph) const override {
    for (const Node* parameter : graph.parameters)
      if (!has_rank(*parameter)) return true;
    return false;
  }

  void find_and_replace_pattern(Graph& graph) override {
    const auto demands = Demands().of(graph);
    std::vector<const Node*> lacking;
    for (Node* parameter : graph.parameters) {
      if (has_rank(*parameter)) continue;
      const auto found = demands.find(parameter);
      if (found != demands.end() && found->second.has_rank())
        parameter->set("shape", found->second);
      else if (!graph.model().diagnostics.has_errors())
        lacking.push_back(parameter);
    }
    for (const Node* parameter : lacking) report(*parameter, graph.model().diagnostics);
  }

 private:
  static void report(const Node& parameter, Diagnostics& diagnostics) {
    const Detail line = line_for(printable(parameter.name()));
    if (parameter.get_bool("needs_rank", false))
      diagnostics.add(Error(Code::InputWithoutRank, line, parameter.place()));
    else
      diagnostics.warn(Code::InputWithoutRank, line, parameter.place());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(RankOfInputs)
}  // namespace mo
