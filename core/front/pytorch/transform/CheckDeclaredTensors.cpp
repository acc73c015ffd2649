// Before: tensors with the names that the program gives them, inferred
// After:  the same; WrongResult, with the first node whose known type or shape the program contradicts
// Conditions: the inputs are as the program says. Other ones, of --input_shape or of a cut, change what follows.

#include "core/base/text.h"
#include "core/front/pytorch/load/declared.h"
#include "core/graph/body.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

using pytorch::Declared;
using pytorch::DeclaredTensors;

bool contradict(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return false;
  if (a.rank() != b.rank()) return true;
  for (size_t i = 0; i < a.dimensions().size(); ++i)
    if (!intersect(a[i], b[i])) return true;
  return false;
}

bool contradict(const Tensor& inferred, const Declared& declared) {
  const bool types_known = inferred.type != ElementType::Unknown && declared.type != ElementType::Unknown;
  return (types_known && inferred.type != declared.type) || contradict(inferred.shape, declared.shape);
}

class CheckDeclaredTensors final : public Transform {
 public:
  Names run_after() const override { return {"PartialInfer"}; }
  Names run_before() const override { return {"PreMiddleStart"}; }
  bool run_not_recursively() const override { return true; }
  bool graph_condition(Graph& graph) const override {
    const DeclaredTensors* declared = pytorch::declared_tensors(graph.model());
    return declared && !declared->empty();
  }

  void find_and_replace_pattern(Graph& graph) override {
    const DeclaredTensors& declared = *pytorch::declared_tensors(graph.model());
    for (Node* input : graph.parameters)
      if (first_contradiction(*input, declared)) return;
    for_each_graph(graph, [&](Graph& one) {
      for (Node* node : one.topological_order())
        if (const auto found = first_contradiction(*node, declared)) refuse(*node, *found);
    });
  }

 private:
  struct Found {
    std::string name;
    const Tensor& tensor;
    const Declared& declared;
  };

  static std::optional<Found> first_contradiction(Node& node, const DeclaredTensors& declared) {
    for (int i = 0; i < node.out_count(); ++i) {
      if (!node.has_out_port(i)) continue;
      const Tensor& tensor = node.out(i).tensor();
      for (const std::string& name : tensor.names.all())
        if (const auto found = declared.find(name); found != declared.end() && contradict(tensor, found->second))
          return Found{name, tensor, found->second};
    }
    return {};
  }

  [[noreturn]] static void refuse(const Node& node, const Found& found) {
    throw Error(Code::WrongResult,
                msg(printable(found.name), " is ", ir_name(found.tensor.type), " [", to_string(found.tensor.shape),
                    "], ", ir_name(found.declared.type), " [", to_string(found.declared.shape), "] in the program"),
                node.place());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(CheckDeclaredTensors)
}  // namespace mo
