// GraphLoader's part for operators with graphs: cond, while_loop, scan and map.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/pytorch/load/graph_loader.h"
#include "core/graph/body.h"

namespace mo::pytorch {
namespace {

/// How an operator connects its graphs. Its last argument has what is the same in all iterations.
struct HigherOrder {
  std::string_view target;
  Strings bodies;  ///< attributes of the node, in the order of its graphs
  bool is_while;   ///< the body passes on what is the same in all iterations, too; else that is captured
};

const HigherOrder* higher_order(std::string_view target) {
  static const HigherOrder kAll[] = {
      {"torch.ops.higher_order.cond", {kBranches[0], kBranches[1]}, false},
      {"torch.ops.higher_order.while_loop", {"cond", "body"}, true},
      {"torch.ops.higher_order.scan", {"body"}, false},
      {"torch.ops.higher_order.map_impl", {"body"}, false},
  };
  for (const HigherOrder& one : kAll)
    if (one.target == target) return &one;
  return nullptr;
}

}  // namespace

/// What the graphs of an operation read.
struct GraphLoader::Bodies {
  struct Input {
    const Constant* weight = nullptr;  ///< each body has it
    int port = -1;                     ///< of the owner, if it is captured; else it has a position
  };
  std::vector<Input> inputs;
  size_t fixed_results = 0;  ///< inputs with a position that the body passes on, at the end
  bool is_branch = false;
};

/// The graphs of the operation become bodies of the node. Of `sources`, its inputs, those that are weights in all
/// iterations are removed: each body has them as constants.
void GraphLoader::add_bodies(Scope& scope, Node& node, const Operation& operation, Strings& sources) {
  const HigherOrder* how = higher_order(operation.target);
  if (!how) throw Error(Code::UnsupportedOp, node.op());
  std::vector<const ProgramGraph*> graphs;
  size_t before = 0;  // inputs that no body reads: the condition
  for (const NamedArgument& input : operation.inputs) {
    if (input.value.graph) graphs.push_back(input.value.graph.get());
    if (graphs.empty()) before += input.value.names.size();
  }
  if (graphs.size() != how->bodies.size())
    throw Error(Code::CorruptFile, msg(graphs.size(), " graphs of ", how->bodies.size()));
  if (operation.inputs.size() < 2 || operation.inputs.back().value.graph)
    throw Error(Code::CorruptFile, "the values of the graphs are missing");
  const size_t fixed = operation.inputs.back().value.names.size();
  if (before + fixed > sources.size()) throw Error(Code::CorruptFile, "the values of the graphs are missing");
  node.set("scanned_inputs", static_cast<int64_t>(operation.inputs.rbegin()[1].value.names.size()));
  Bodies bodies;
  bodies.is_branch = how->target.ends_with("cond");
  Strings kept(sources.begin(), sources.begin() + static_cast<std::ptrdiff_t>(before));
  for (size_t i = before; i < sources.size(); ++i) {
    const bool is_fixed = i + fixed >= sources.size();
    const OutPort source = read(scope, sources[i]);
    Bodies::Input& input = bodies.inputs.emplace_back();
    if (is_fixed && source.node().op() == "Const") {
      input.weight = source.node().get_constant("value");
      if (input.weight) continue;
    }
    if (is_fixed && how->is_while) ++bodies.fixed_results;
    if (is_fixed && !how->is_while) input.port = static_cast<int>(kept.size());
    kept.push_back(sources[i]);
  }
  sources = std::move(kept);
  for (size_t i = 0; i < graphs.size(); ++i) {
    Bodies own = bodies;
    if (how->bodies[i] == "cond") own.fixed_results = 0;
    add_body(node, how->bodies[i], *graphs[i], own);
  }
}

void GraphLoader::add_body(Node& owner, const std::string& attribute, const ProgramGraph& program,
                           const Bodies& bodies) {
  const Strings names = names_of(program.inputs);
  if (names.size() != bodies.inputs.size())
    throw Error(Code::UnsupportedForm, msg(bodies.inputs.size(), " values for ", names.size(), " inputs of a graph"));
  const auto body = std::make_shared<Graph>(owner.graph().shared_model(), &owner);
  owner.set(attribute, body);
  Scope scope{*body, program};
  std::vector<OutPort> positional;
  for (size_t i = 0; i < names.size(); ++i) {
    OutPort value;
    if (bodies.inputs[i].weight) {
      value = body->constant(*bodies.inputs[i].weight, names[i]).out(0);
    } else {
      Node& parameter = body->add_node("Parameter", names[i]);
      parameter.add_out_ports(1);
      value = parameter.out(0);
      if (bodies.inputs[i].port >= 0) {
        parameter.set("external_port_id", int64_t{bodies.inputs[i].port});
      } else {
        positional.push_back(value);
      }
    }
    if (!scope.values.emplace(names[i], value).second) throw Error(Code::DuplicateTensor, std::string(names[i]));
  }
  add_operations(scope);
  const auto add = [&](const std::string& name, OutPort value) {
    Node& result = body->add_node("Result", cat(name, "/sink_port_0"));
    result.add_in_ports(1);
    result.in(0).connect(value);
    if (bodies.is_branch) result.set("external_port_id", static_cast<int64_t>(body->results.size()) - 1);
  };
  for (const ProgramValue& output : program.outputs) {
    if (output.is_value()) {
      add(output.names[0], read(scope, output.names[0]));
    } else if (output.is_one_number()) {
      add(attribute, body->constant(make_i64_scalar(output.numbers.at(0)), attribute).out(0));
    } else {
      throw Error(Code::UnsupportedForm, "a graph returns something that is no tensor");
    }
  }
  for (size_t i = positional.size() - bodies.fixed_results; i < positional.size(); ++i)
    add(positional[i].node().name(), positional[i]);
}

}  // namespace mo::pytorch
