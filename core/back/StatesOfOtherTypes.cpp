// Before: x -> ReadValue -> y; z -> Assign, of i64, u64, u32, i16, u16 or f64
// After:  Convert(x) -> ReadValue -> Convert -> y; Convert(z) -> Assign, of i32 or f32
// Conditions: none. The runtime computes these types in i32 and f32 and has no state of them (docs/runtime.md).

#include "core/ops/op_def.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

ElementType state_type(ElementType type) {
  switch (type) {
    case ElementType::I64:
    case ElementType::U64:
    case ElementType::U32:
    case ElementType::I16:
    case ElementType::U16: return ElementType::I32;
    case ElementType::F64: return ElementType::F32;
    default: return type;
  }
}

class StatesOfOtherTypes final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ApplyRequestedTransforms"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* read : graph.nodes("ReadValue")) {
      const ElementType type = read->out(0).tensor().type, made = state_type(type);
      if (made == type) continue;
      const OutPort own = read->out(0);
      const std::vector<InPort> readers = own.destinations();
      if (read->has_in(0)) read->in(0).connect(Builder(*read).convert(read->source(0), made));
      read->set("variable_type", made);
      infer_node(*read);
      const OutPort back = Builder(*read).convert(own, type);
      for (const InPort& reader : readers) reader.connect(back);
    }
    for (Node* assign : graph.nodes("Assign")) {
      const ElementType type = assign->source(0).tensor().type;
      if (state_type(type) != type)
        assign->in(0).connect(Builder(*assign).convert(assign->source(0), state_type(type)));
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(StatesOfOtherTypes)
}  // namespace mo
