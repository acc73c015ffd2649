// Before: input a of the model; output b of the model
// After:  ReadValue, b -> Assign: a and b become a state instead of an input and an output
// Conditions: type and shape of b are those of a.

#include <algorithm>

#include "core/back/requested/requested_transforms.h"
#include "core/base/text.h"
#include "core/build/builder.h"

namespace mo {
namespace {

[[noreturn]] void refuse(const Detail& detail, Place place = {.op = "MakeStateful"}) {
  throw Error(Code::NotAState, detail, std::move(place));
}

void join_states(Graph& graph, Node& parameter, Node& result, const std::string& variable_id) {
  const Tensor input = parameter.out(0).tensor();
  const Tensor& output = result.source(0).tensor();
  if (input.type != output.type)
    refuse(msg("the input is ", ir_name(input.type), ", the output ", ir_name(output.type)), result.place());
  PartialShape both;
  try {
    both = merge(input.shape, output.shape);
  } catch (const Error&) {
    refuse(msg("the input is [", to_string(input.shape), "], the output [", to_string(output.shape), "]"),
           result.place());
  }
  Builder b(parameter);
  Node& read = b.node("ReadValue", {},
                      {{"variable_id", variable_id}, {"variable_type", input.type}, {"variable_shape", input.shape}});
  const std::string name = parameter.name();
  parameter.out(0).connection().set_source(read, TensorNames::Merge);
  b.node("Assign", {result.source(0)}, {{"variable_id", variable_id}});
  graph.remove(result);
  graph.remove(parameter);
  read.set_name(name);
}

}  // namespace

VariableIds::VariableIds(Graph& graph) {
  Graph* model = &graph;
  while (model->owner()) model = &model->owner()->graph();
  for_each_graph(*model, [&](Graph& each) {
    for (const Node* read : each.nodes("ReadValue")) used_.insert(read->get_string("variable_id"));
  });
}

std::string VariableIds::unused(std::string id) {
  while (!used_.insert(id).second) id += "_";
  return id;
}

void make_stateful(Graph& graph, const std::map<std::string, std::string>& param_res_names) {
  VariableIds ids(graph);
  for (const auto& names : param_res_names) {
    const std::string &input = names.first, &output = names.second;
    const auto parameter = std::find_if(graph.parameters.begin(), graph.parameters.end(),
                                        [&](Node* node) { return node->out(0).tensor().has_name(input); });
    if (parameter == graph.parameters.end()) refuse(msg("the model has no input \"", printable(input), "\""));
    const auto result = std::find_if(graph.results.begin(), graph.results.end(),
                                     [&](Node* node) { return node->source(0).tensor().has_name(output); });
    if (result == graph.results.end()) refuse(msg("the model has no output \"", printable(output), "\""));
    // Two pairs of names may give the same id, and the model may have it.
    join_states(graph, **parameter, **result, ids.unused(input + output));
  }
  if (graph.results.empty()) refuse("the model has no other output");
}

}  // namespace mo
