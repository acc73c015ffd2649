#include "core/back/constant_operands.h"

#include "core/base/text.h"
#include "core/ops/op_def.h"

namespace mo {

bool is_constant(OutPort port) { return port && port.tensor().value && !port.tensor().from_shape; }

bool is_made_of_constants(OutPort port, int steps) {
  const Node& node = port.node();
  if (node.op() == "Const") return true;
  for (int i = 0; i < node.in_count(); ++i)
    if (const OutPort source = node.source(i); source && (steps == 0 || !is_made_of_constants(source, steps - 1)))
      return false;
  return node.in_count() > 0;
}

bool joins_constants(const Node& node, int data) {
  const OpDef* definition = node.definition();
  if (!definition || node.out_count() != 1) return false;
  if (node.in_count() > 1 && !definition->layout.broadcasts) return false;
  if (node.in_count() == 1 && definition->layout.kind != LayoutClass::None) return false;
  for (int i = 0; i < node.in_count(); ++i)
    if (i != data && !is_constant(node.source(i))) return false;
  return true;
}

bool is_elementwise(const Node& node) {
  const OpDef* definition = node.definition();
  return definition && definition->layout.broadcasts;
}

bool joins_tensors(const InPort& reader) {
  return is_elementwise(reader.node()) && !joins_constants(reader.node(), reader.index());
}

int data_input(const Node& node) { return node.in_count() == 2 && is_constant(node.source(0)) ? 1 : 0; }

bool varies_along(const Node& node, int data, int axis, int rank) {
  for (int i = 0; i < node.in_count(); ++i) {
    if (i == data || !is_constant(node.source(i))) continue;
    const Shape& shape = node.source(i).tensor().value->shape;
    // The one axis of a slope is that of the channels.
    if (node.op() == "PReLU" && shape.size() == 1 && rank > 1 && axis == 1 && shape[0] != 1) return true;
    const int at = axis - rank + static_cast<int>(shape.size());
    if (at >= 0 && shape[static_cast<size_t>(at)] != 1) return true;
  }
  return false;
}

bool moves_numbers(const Node& node) { return is_one_of(node.op(), {"Reshape", "Squeeze", "Unsqueeze", "Transpose"}); }

const Node* quantisation_of(OutPort port) {
  constexpr int kMostSteps = 6;
  for (int step = 0; port && step < kMostSteps; ++step) {
    const Node& node = port.node();
    if (node.op() == "FakeQuantize") return &node;
    if (!is_one_of(node.op(), {"Cast", "Sub", "Mul"}) && !moves_numbers(node)) break;
    port = node.source(data_input(node));
  }
  return nullptr;
}

InPort only_reader(OutPort port) {
  const std::vector<InPort> readers = port ? port.destinations() : std::vector<InPort>();
  return readers.size() == 1 ? readers[0] : InPort();
}

}  // namespace mo
