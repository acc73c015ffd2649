#include "core/front/pytorch/load/declared.h"

#include <unordered_set>

namespace mo::pytorch {
namespace {

class Declarations {
 public:
  void add(const ProgramGraph& graph) {
    for (const auto& [name, meta] : graph.tensors) {
      const bool is_first = seen_.insert(name).second;
      if (is_first)
        out.emplace(name, Declared{meta.type, meta.is_complex ? with_pairs(meta.shape) : meta.shape});
      else
        out.erase(name);
    }
    for (const Operation& operation : graph.operations) {
      if (operation.target.starts_with("torch.ops.aten.lstm.")) forget_states(operation);
      for (const NamedArgument& input : operation.inputs)
        if (input.value.graph) add(*input.value.graph);
    }
  }

  DeclaredTensors out;

 private:
  /// PyTorch before 2.9 gives the states of an LSTM, [layers, batch, hidden], an axis that they do not have.
  void forget_states(const Operation& lstm) {
    for (const ProgramValue& output : lstm.outputs)
      for (const std::string& name : output.names)
        if (const auto found = out.find(name); found != out.end() && found->second.shape.rank() > 3) out.erase(found);
  }

  std::unordered_set<std::string> seen_;
};

}  // namespace

DeclaredTensors declared_tensors(const Program& program) {
  Declarations all;
  all.add(program.graph);
  size_t user = 0;
  for (const OutputSpec& output : program.outputs) {
    if (output.kind != "user_output") continue;
    const std::string name = user < program.output_names.size() ? program.output_names[user] : std::string();
    ++user;
    if (!output.value.is_value() || output.value.names[0] != name) all.out.erase(name);
  }
  return std::move(all.out);
}

PartialShape with_pairs(const PartialShape& shape) {
  std::vector<Dimension> sizes = shape.dimensions();
  sizes.emplace_back(2);
  return PartialShape(std::move(sizes));
}

}  // namespace mo::pytorch
