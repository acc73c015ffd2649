// Before: y = Div(x, z), of i8 or u8
// After:  y = Convert(Div(Convert(x), Convert(z))), in i32
// Conditions: the type is known. A runtime divides bytes in floating point, and rounds to the nearest.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class DivisionOfBytes final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Div")) {
      const ElementType type = node->out(0).tensor().type;
      if (type != ElementType::I8 && type != ElementType::U8) continue;
      Builder b(*node);
      const auto wide = [&](int i) { return b.convert(node->source(i), ElementType::I32); };
      const OutPort x = wide(0), z = wide(1);
      const OutPort quotient = b.op("Div", {x, z}, {{"m_pythondiv", node->get_bool("m_pythondiv", true)}});
      graph.replace(*node, b.convert(quotient, type).node());
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DivisionOfBytes)
}  // namespace mo
