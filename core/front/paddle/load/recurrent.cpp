// GraphLoader's part for recurrent, the loop of StaticRNN: it becomes a TensorIterator.

#include "core/build/builder.h"
#include "core/build/loop_builder.h"
#include "core/front/paddle/load/graph_loader.h"

namespace mo::paddle {
namespace {

const Strings& none() {
  static const Strings empty;
  return empty;
}

const Strings& names_in(const Strings* slot) { return slot ? *slot : none(); }

const Strings& attribute(const OperatorDesc& desc, std::string_view name) {
  return names_in(desc.attributes.get_if<Strings>(name));
}

}  // namespace

/// Its sequences, [time, ...], are read row by row, and its outputs written so, under their own names. A state has one
/// name in the block for the last step and one for this; what the block reads besides is the same in all steps.
void GraphLoader::add_recurrent(const OperatorDesc& desc, Scope& scope) {
  const Strings &sequences = names_in(desc.input("inputs")), &first = names_in(desc.input("initial_states"));
  const Strings &before = attribute(desc, "ex_states"), &after = attribute(desc, "states");
  const Strings& outputs = names_in(desc.output("outputs"));
  if (first.size() != before.size() || first.size() != after.size())
    throw Error(Code::BadAttribute,
                msg(first.size(), " initial_states, ", before.size(), " ex_states, ", after.size(), " states"));
  if (sequences.empty()) throw Error(Code::MissingInput, "inputs");
  const bool* reversed = desc.attributes.get_if<bool>("reverse");
  const bool reverse = reversed && *reversed;
  std::vector<OutPort> given;
  for (const Strings* names : {&sequences, &first})
    for (const std::string& name : *names) given.push_back(read(name, scope));
  Node& node = new_node(desc, scope, outputs.empty() ? desc.type : outputs[0]);
  const auto body = open_body(node, "body", block_of(desc), scope);
  const auto parameter = [&](const std::string& name, size_t input) -> Node& {
    Node& made = body->graph->add_node("Parameter", name);
    made.add_out_ports(1);
    made.set("external_port_id", static_cast<int64_t>(input));
    return made;
  };
  for (size_t i = 0; i < sequences.size(); ++i) {
    Node& made = parameter(sequences[i], i);
    set_slices(made, 0, reverse);
    write(sequences[i], Builder(*body->graph, sequences[i]).squeeze(made.out(0), {0}), *body);
  }
  for (size_t i = 0; i < before.size(); ++i) {
    Node& made = parameter(before[i], sequences.size() + i);
    made.set("back_edge", static_cast<int64_t>(i));
    write(before[i], made.out(0), *body);
  }
  load_block(*body);
  if (diagnostics_.has_errors()) throw Error::reported();
  const auto result = [&](OutPort port, const std::string& name, size_t output) -> Node& {
    Node& made = body->graph->add_node("Result", name + "/sink_port_0");
    made.add_in_ports(1);
    made.in(0).connect(port);
    made.set("external_port_id", static_cast<int64_t>(output));
    return made;
  };
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OutPort row = Builder(*body->graph, outputs[i]).unsqueeze(read(outputs[i], *body), {0});
    set_slices(result(row, outputs[i], i), 0, reverse);
  }
  for (size_t i = 0; i < after.size(); ++i)
    result(read(after[i], *body), after[i], outputs.size() + i).set("internal_layer_id", static_cast<int64_t>(i));
  for (const auto& [outside, inside] : body->captured) {
    inside->set("external_port_id", static_cast<int64_t>(given.size()));
    given.push_back(outside);
  }
  node.add_in_ports(static_cast<int>(given.size()));
  for (size_t i = 0; i < given.size(); ++i) node.in(static_cast<int>(i)).connect(given[i]);
  node.add_out_ports(static_cast<int>(outputs.size() + after.size()));
  for (size_t i = 0; i < outputs.size(); ++i) write(outputs[i], node.out(static_cast<int>(i)), scope);
}

}  // namespace mo::paddle
