#include "core/base/text.h"
#include "core/front/expansion.h"
#include "core/front/pytorch/load/prepare.h"

namespace mo::pytorch {
namespace {

using Renames = std::unordered_map<std::string, std::string>;

void rename(Strings& names, const Renames& renames) {
  for (std::string& name : names)
    if (const auto found = renames.find(name); found != renames.end()) name = found->second;
}

class Inliner {
 public:
  Inliner(ProgramGraph& graph, Expansion& expansion) : graph_(graph), expansion_(expansion) {}

  /// Returns the names that values have now.
  Renames run() {
    std::vector<Operation> operations = std::move(graph_.operations);
    graph_.operations.clear();
    Renames renames;
    for (Operation& operation : operations) take(std::move(operation), renames);
    for (ProgramValue& output : graph_.outputs) rename(output.names, renames);
    return renames;
  }

 private:
  static bool is_wrapper(const Operation& operation) {
    return is_one_of(operation.target, {"torch.ops.higher_order.wrap_with_set_grad_enabled",
                                        "torch.ops.higher_order.wrap_with_autocast"});
  }

  void take(Operation operation, Renames& renames) {
    for (NamedArgument& input : operation.inputs) rename(input.value.names, renames);
    if (!is_wrapper(operation)) {
      for (NamedArgument& input : operation.inputs)
        if (input.value.graph) Inliner(*input.value.graph, expansion_).run();
      graph_.operations.push_back(std::move(operation));
      return;
    }
    with_place([&] { return operation.place; }, [&] { inline_body(operation, renames); });
  }

  void inline_body(const Operation& operation, Renames& renames) {
    const auto refuse = [&](const Detail& what) { throw Error(Code::UnsupportedForm, what, {.op = operation.target}); };
    size_t at = 0;
    while (at < operation.inputs.size() && operation.inputs[at].value.kind != ProgramValue::Kind::Graph) ++at;
    if (at == operation.inputs.size()) refuse("a wrapper without a graph");
    // device, type, enabled, cache
    if (operation.target.ends_with("autocast") && at >= 3 && operation.inputs[2].value.numbers != Ints{0})
      refuse("autocast that is on");
    const ProgramGraph& body = *operation.inputs[at].value.graph;
    Strings operands;
    for (size_t i = at + 1; i < operation.inputs.size(); ++i) {
      const Strings& names = operation.inputs[i].value.names;
      operands.insert(operands.end(), names.begin(), names.end());
    }
    const Strings parameters = names_of(body.inputs);
    if (parameters.size() != operands.size())
      refuse(msg(operands.size(), " values for ", parameters.size(), " inputs"));
    const std::string suffix = cat("__", ++bodies_);
    Renames inner;
    for (size_t i = 0; i < parameters.size(); ++i) inner[parameters[i]] = operands[i];
    const auto own_name = [&](const std::string& name) {
      return inner.try_emplace(name, cat(name, suffix)).first->second;
    };
    for (const auto& [name, meta] : body.tensors)
      if (!inner.count(name)) graph_.tensors.emplace(own_name(name), meta);
    for (const auto& [name, bounds] : body.integers)
      if (!inner.count(name)) graph_.integers.emplace(own_name(name), bounds);
    for (const std::string& name : body.flags)
      if (!inner.count(name)) graph_.flags.insert(own_name(name));
    for (const std::string& name : body.reals)
      if (!inner.count(name)) graph_.reals.insert(own_name(name));
    for (Operation one : body.operations) {
      expansion_.add_node();
      if (one.module.empty()) one.module = operation.module;
      // The outputs of a wrapper get the names of what is in it.
      if (!is_wrapper(one))
        for (ProgramValue& output : one.outputs)
          for (std::string& name : output.names) name = own_name(name);
      take(std::move(one), inner);
    }
    Strings results = names_of(body.outputs);
    rename(results, inner);
    const Strings outputs = names_of(operation.outputs);
    if (results.size() != outputs.size()) refuse(msg(results.size(), " values for ", outputs.size(), " outputs"));
    for (size_t i = 0; i < outputs.size(); ++i) renames[outputs[i]] = results[i];
  }

  ProgramGraph& graph_;
  Expansion& expansion_;
  int bodies_ = 0;
};

}  // namespace

void inline_wrappers(Program& program) {
  Expansion expansion;
  const Renames renames = Inliner(program.graph, expansion).run();
  for (OutputSpec& output : program.outputs) rename(output.value.names, renames);
}

}  // namespace mo::pytorch
