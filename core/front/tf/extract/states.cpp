// Functions of operators.def for operations that change variables: (value of the variable, …) becomes its next value.

#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/extract/extractor.h"
#include "core/graph/framework_node.h"

namespace mo::tf {
namespace {

/// "ScatterAdd", "ResourceScatterNdMin": what becomes of an element and its update.
std::string reduction_of(const Node& node) {
  constexpr std::pair<std::string_view, const char*> kReductions[] = {
      {"Add", "sum"}, {"Sub", "sub"}, {"Mul", "prod"}, {"Min", "min"}, {"Max", "max"}};
  for (const auto& [end, reduction] : kReductions)
    if (node.pb->op.ends_with(end)) return reduction;
  return "none";
}

}  // namespace

void extract_assign(Node& node) {
  require_input(node, 1);
  reorder_inputs(node, {1});
  node.set_op("Identity");
}

void extract_assign_changed(Node& node) { node.set_op(node.pb->op.starts_with("AssignAdd") ? "Add" : "Sub"); }

void extract_assign_slice(Node& node) { node.set_op("TensorStridedSliceUpdate"); }

void extract_scatter_nd(Node& node) {
  node.set("reduction", reduction_of(node));
  node.set_op("ScatterNDUpdate");
}

/// (value, indices of slices, their values, or one number for all of them)
void extract_scatter_rows(Node& node) {
  require_input(node, 2);
  Builder b(node);
  const OutPort indices = node.source(1);
  OutPort updates = node.source(2);
  const Constant* number = updates.node().op() == "Const" ? updates.node().get_constant("value") : nullptr;
  if (number && number->shape.empty()) {
    const OutPort rows = b.gather(node.source(0), indices, 0);
    updates = b.op("Broadcast", {updates, b.shape_of(rows)}, {{"mode", "numpy"}});
  }
  set_inputs(node, {node.source(0), b.unsqueeze(indices, {-1}), updates});
  extract_scatter_nd(node);
}

}  // namespace mo::tf
