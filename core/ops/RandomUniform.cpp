// RandomUniform (opset8): shape [n], minimum, maximum (scalars); attributes output_type, op_seed, global_seed.
// Multinomial (opset13): probabilities [batch, classes], number of samples; attributes convert_type, with_replacement,
// log_probs, op_seed, global_seed.

#include "core/ops/known.h"

namespace mo {
namespace {

void infer_random_uniform(InferContext& c) {
  const auto shape = shape_elements_of(c, 0);
  const ElementType type = c.node().get_type("output_type", ElementType::F32);
  if (!shape) return c.set(0, {}, type);
  std::vector<Dimension> out;
  for (const Interval& d : *shape) out.push_back(to_dimension(d));
  c.set(0, out, type);
}
void attributes_random_uniform(const Node& n, IrAttributes& a) {
  a.add("output_type", n.get_type("output_type", ElementType::F32));
  a.add("op_seed", n.get_int("op_seed"));
  a.add("global_seed", n.get_int("global_seed"));
}

void infer_multinomial(InferContext& c) {
  c.require_rank(0, 2, 2);
  const auto samples = elements_of(c, 1);
  const Dimension batch = c.shape(0).has_rank() ? c.shape(0)[0] : kAnyDimension;
  c.set(0, {batch, samples && samples->size() == 1 ? to_dimension((*samples)[0]) : kAnyDimension},
        c.node().get_type("convert_type", ElementType::I64));
}
void attributes_multinomial(const Node& n, IrAttributes& a) {
  a.add("convert_type", n.get_type("convert_type", ElementType::I64));
  a.add("with_replacement", n.get_bool("with_replacement", true));
  a.add("log_probs", n.get_bool("log_probs"));
  a.add("global_seed", n.get_int("global_seed"));
  a.add("op_seed", n.get_int("op_seed"));
}

constexpr OpDef kRandomUniformDefs[] = {
    {.op = "RandomUniform",
     .type = "RandomUniform",
     .version = "opset8",
     .infer = infer_random_uniform,
     .ir_attributes = attributes_random_uniform,
     .layout = {LayoutClass::Reshapes, {}}},
    {.op = "Multinomial",
     .type = "Multinomial",
     .version = "opset13",
     .infer = infer_multinomial,
     .ir_attributes = attributes_multinomial,
     .layout = {LayoutClass::Reshapes, {}}},
};

}  // namespace

OpFamily ops_RandomUniform() { return kRandomUniformDefs; }

}  // namespace mo
