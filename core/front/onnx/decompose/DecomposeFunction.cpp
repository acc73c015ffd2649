// Before: y = an operator that ONNX defines by a function and that has no row in operators.def
// After:  the nodes of that function, with the operator's inputs and attributes
// Conditions: none. Functions inside the function are expanded in the same way.

#include "core/base/memory_file.h"
#include "core/front/onnx/extract/model.h"
#include "core/front/onnx/load/graph_loader.h"
#include "core/front/onnx/load/schema.h"
#include "core/graph/body.h"
#include "core/graph/framework_node.h"
#include "core/ops/contract.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeFunction final : public Decomposition {
 public:
  Names ops() const override { return onnx::function_ops(); }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    Graph& graph = b.graph();
    MemoryFile definition(onnx::function_body(node.op(), node.get_int("opset", INT64_MAX)));
    Files files(definition);
    Window window(files, files.open_given({}));
    Diagnostics diagnostics;
    const size_t first = graph.ids();
    const std::vector<OutPort> results = onnx::ModelLoader(graph, window, diagnostics).load_function(node);
    if (diagnostics.has_errors()) throw Error(Code::Unexpected, diagnostics.messages()[0].text);
    for (size_t id = first; id < graph.ids(); ++id) {
      settle(graph.node(static_cast<int>(id)), files);
      graph.node(static_cast<int>(id)).require_shape_inference();
    }

    // Inference replaces nodes; their consumers stay connected.
    std::vector<Node*> exits;
    for (const OutPort& result : results) {
      exits.push_back(&graph.add_node("Identity", node.name() + "/output"));
      exits.back()->add_in_ports(1);
      if (result) exits.back()->in(0).connect(result);
    }
    for (size_t id = first, last = graph.ids() - exits.size(); id < last; ++id)
      infer_or_decompose(graph.node(static_cast<int>(id)));
    std::vector<OutPort> ports;
    for (Node* exit : exits) {
      ports.push_back(exit->source(0));
      graph.remove(*exit);
    }
    return ports;
  }

 private:
  /// Makes the node and its bodies internal operations, which no longer need the definition's file.
  static void settle(Node& node, Files& files) {
    for (const auto& [key, value] : Attributes(node.attributes))
      if (const auto* constant = std::get_if<Constant>(&value))
        node.set(key, owned(constant->type, constant->shape, *read_all(*constant, files, kConstantLimit)));
    if (node.pb) {
      auto pb = std::make_shared<FrameworkNode>(FrameworkNode{node.pb->op, node.pb->domain, node.pb->since});
      pb->format = node.pb->format;
      node.pb = std::move(pb);
      const Strings loaded = attribute_names(node);
      onnx::OnnxModel().extract(node);
      hold_to_contract(node, loaded);
    }
    for (Graph* body : bodies_of(node))
      for (Node* inner : body->nodes()) settle(*inner, files);
  }

  static constexpr uint64_t kConstantLimit = 1 << 16;  ///< bytes of a constant
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFunction)
}  // namespace mo
