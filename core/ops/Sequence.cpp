// Lists of tensors during conversion. IR has none: they disappear with the operations that read them.
//   Sequence: its elements, one per input.
//   SequenceOfSlices: all slices of the data along attribute axis; with keep_dims they keep that axis, of dimension 1.
//   Optional: without input; there is no value.
// The output describes the elements: it has their type, and no shape.

#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_sequence(InferContext& c) {
  ElementType type = ElementType::Unknown;
  for (int i = 0; i < c.in_count(); ++i) {
    if (!c.has_in(i)) c.fail(Code::MissingInput, cat("element ", i));
    if (type != ElementType::Unknown && c.type(i) != ElementType::Unknown && c.type(i) != type)
      c.fail(Code::BadValue, cat("element ", i, " is ", ir_name(c.type(i)), ", those before it are ", ir_name(type)));
    if (type == ElementType::Unknown) type = c.type(i);
  }
  c.set(0, {}, type);
}

constexpr OpDef row(std::string_view op) {
  return {.op = op,
          .type = "",
          .version = "",
          .infer = infer_sequence,
          .layout = {LayoutClass::Reshapes},
          .gives_tensors = false};
}

const OpDef kSequenceDefs[] = {
    row("Sequence"),
    row("Optional"),
    row("SequenceOfSlices"),
};

}  // namespace

OpFamily ops_Sequence() { return kSequenceDefs; }

}  // namespace mo
