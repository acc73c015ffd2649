// If (opset8): condition [] or [1] boolean, then the inputs of the branches. Attributes then_graph and else_graph: the
// two bodies. core/graph/body.h explains their Parameters and Results.

#include "core/ops/body_inference.h"
#include "core/ops/branch_errors.h"

namespace mo {
namespace {

void infer_if(InferContext& c) {
  Node& node = c.node();
  if (!c.has_in(0)) c.fail(Code::MissingInput, "input 0, the condition");
  const Graph* branches[] = {node.get_graph(kBranches[0]), node.get_graph(kBranches[1])};
  if (!branches[0] || !branches[1]) c.fail(Code::MissingAttribute, msg(kBranches[branches[0] ? 1 : 0]));
  bool failed = false;
  for (const char* name : kBranches) {
    Graph& branch = *node.get_graph(name);
    for (Node* parameter : branch.parameters) parameter->require_shape_inference();
    const size_t before = branch.model().diagnostics.messages().size();
    // Infer both branches, so that the errors of both are reported.
    try {
      infer_body(branch);
    } catch (const Error& error) {
      if (!error.is_reported()) throw;
      tell_branch(node, name, before);
      failed = true;
    }
  }
  if (failed) throw Error::reported();
  set_if_outputs(node);
}

constexpr OpDef kIfDefs[] = {
    {.op = "If", .type = "If", .version = "opset8", .infer = infer_if, .layout = {LayoutClass::Reshapes}},
};

}  // namespace

void set_if_outputs(Node& node) {
  InferContext c(node);
  for (int i = 0; i < node.out_count(); ++i) {
    if (!node.has_out_port(i)) continue;
    const Node* from[] = {result_for(*node.get_graph(kBranches[0]), i), result_for(*node.get_graph(kBranches[1]), i)};
    if (!from[0] || !from[1]) c.fail(Code::InvalidGraph, msg("a branch does not make output ", i));
    const Tensor &a = result_tensor(*from[0]), &b = result_tensor(*from[1]);
    if (a.type != b.type && a.type != ElementType::Unknown && b.type != ElementType::Unknown)
      c.fail(Code::BadValue,
             msg("output ", i, " is ", ir_name(a.type), " in one branch and ", ir_name(b.type), " in the other"));
    c.set(i, unite(a.shape, b.shape), a.type == ElementType::Unknown ? b.type : a.type);
  }
}

OpFamily ops_If() { return kIfDefs; }

}  // namespace mo
