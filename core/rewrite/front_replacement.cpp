#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

[[noreturn]] void fail_not_overridden(const char* method) {
  throw Error(Code::BadPattern, msg("the transformation overrides neither ", method, " nor find_and_replace_pattern"));
}

/// Moves all consumers of `from` to `to`.
void take_over(OutPort from, OutPort to) {
  if (to.index() < 0 || to.index() >= to.node().out_count())
    throw Error(Code::NoSuchPort, msg("output ", to.index()), to.node().place());
  from.connection().set_source(to, TensorNames::Merge);
}

void remove_all(Graph& graph, const std::vector<Node*>& nodes) {
  for (Node* node : nodes)
    if (node) graph.remove(*node);
}

}  // namespace

// FrontReplacementPattern

Pattern FrontReplacementPattern::pattern() { fail_not_overridden("pattern"); }
void FrontReplacementPattern::replace_pattern(Graph&, const Match&) { fail_not_overridden("replace_pattern"); }

void FrontReplacementPattern::find_and_replace_pattern(Graph& graph) {
  for_each_match(graph, pattern(), false, [&](const Match& match) { replace_pattern(graph, match); });
}

// FrontReplacementSubgraph

Pattern FrontReplacementSubgraph::pattern() { fail_not_overridden("pattern"); }

FrontReplacementSubgraph::Replacement FrontReplacementSubgraph::generate_sub_graph(Graph&, const Match&) {
  fail_not_overridden("replace_sub_graph, generate_sub_graph");
}

FrontReplacementSubgraph::InputEdges FrontReplacementSubgraph::input_edges_match(Graph&, const Match&,
                                                                                 const Replacement&) {
  return {};
}

FrontReplacementSubgraph::OutputEdges FrontReplacementSubgraph::output_edges_match(Graph&, const Match&,
                                                                                   const Replacement&) {
  return {};
}

std::vector<Node*> FrontReplacementSubgraph::nodes_to_remove(Graph&, const Match& match) {
  std::vector<Node*> nodes;
  for (const PatternNode& member : match.nodes()) nodes.push_back(member.node);
  return nodes;
}

void FrontReplacementSubgraph::replace_sub_graph(Graph& graph, const Match& match) {
  const Replacement replacement = generate_sub_graph(graph, match);
  for (const auto& [old_input, new_input] : input_edges_match(graph, match, replacement))
    if (const OutPort source = old_input.source()) new_input.connect(source);
  for (const auto& [old_output, new_output] : output_edges_match(graph, match, replacement))
    take_over(old_output, new_output);
  remove_all(graph, nodes_to_remove(graph, match));
}

void FrontReplacementSubgraph::find_and_replace_pattern(Graph& graph) {
  for_each_match(graph, pattern(), false, [&](const Match& match) { replace_sub_graph(graph, match); });
}

// FrontReplacementOp

std::string FrontReplacementOp::op() const { fail_not_overridden("op"); }
std::vector<OutPort> FrontReplacementOp::replace_op(Graph&, Node&) { fail_not_overridden("replace_op"); }

Pattern FrontReplacementOp::pattern() { return {{{"op", {{"op", op()}}}}, {}}; }

void FrontReplacementOp::replace_sub_graph(Graph& graph, const Match& match) {
  Node& node = match.op("op");
  const std::vector<OutPort> outputs = replace_op(graph, node);
  for (int i = 0; i < node.out_count(); ++i) {
    const OutPort old(&node, i);
    if (old.disconnected()) continue;
    const OutPort replacement = static_cast<size_t>(i) < outputs.size() ? outputs[static_cast<size_t>(i)] : OutPort();
    if (!replacement || &replacement.node() == &node) throw Error(Code::NotReplaced, msg("output ", i), node.place());
    take_over(old, replacement);
  }
  remove_all(graph, nodes_to_remove(graph, match));
}

}  // namespace mo
