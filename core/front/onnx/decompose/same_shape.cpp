#include "core/front/onnx/decompose/same_shape.h"

#include <algorithm>

#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo::onnx {
namespace {

bool all_static(Node& node) {
  for (int i = 0; i < node.out_count(); ++i)
    if (node.has_out_port(i) && !node.out(i).tensor().shape.is_static()) return false;
  return true;
}

/// Whether only the shape of that input, and not its values, decides about the shapes of the outputs.
bool counts_by_shape(const Node& node, int input) {
  const OpDef* def = node.definition();
  if (!def) return false;
  const std::string& op = node.op();
  if (def->layout.broadcasts || op == "MatMul" || op == "Concat") return true;
  if (op == "Gather") return input < 2;
  if (input > 0) return false;
  const LayoutClass kind = def->layout.kind;
  return kind == LayoutClass::Follows || kind == LayoutClass::Spatial || op == "Reshape" || op == "Squeeze" ||
         op == "Unsqueeze" || op == "Tile" || (kind == LayoutClass::None && node.in_count() == 1);
}

}  // namespace

std::vector<char> same_shapes(const Graph& body) {
  enum : char { Changes, SameShape, SameValue };
  std::vector<char> found(body.ids(), Changes);
  for (Node* node : body.topological_order()) {
    char& known = found[static_cast<size_t>(node->id())];
    if (node->op() == "Parameter") {
      known = invariant_source(*node) ? SameValue : node->has("axis") || all_static(*node) ? SameShape : Changes;
      continue;
    }
    // Operations without inputs are constants, or random.
    bool values = node->op() == "Const" || node->in_count() > 0, shapes = node->in_count() > 0;
    for (int i = 0; i < node->in_count(); ++i) {
      const OutPort source = node->source(i);
      const char given = source ? found[static_cast<size_t>(source.node().id())] : char{SameValue};
      values &= given == SameValue;
      shapes &= given == SameValue || (given == SameShape && counts_by_shape(*node, i));
    }
    values &= node->op().find("Random") == std::string::npos && node->op() != "Multinomial";
    if (node->op() == "ShapeOf") values = shapes;
    known = values ? SameValue : shapes || all_static(*node) ? SameShape : Changes;
  }
  return found;
}

}  // namespace mo::onnx
