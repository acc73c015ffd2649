#include "core/front/tf/extract/extractor.h"

#include "core/base/text.h"
#include "core/build/attribute_rows.h"
#include "core/front/rows_by_name.h"
#include "core/front/tf/load/tensor_proto.h"
#include "core/graph/framework_node.h"

namespace mo::tf {

#define TF_SAME(name, internal, attributes)
#define TF_CALL(name, function, ops) void function(Node&);
#define TF_REFUSED(name, reason)
#include "core/front/tf/extract/operators.def"

std::span<const Operator> operators() {
  static constexpr Operator kRows[] = {
#define TF_SAME(name, internal, attributes) {#name, #internal, attributes, nullptr, nullptr},
#define TF_CALL(name, function, ops) {#name, nullptr, nullptr, function, nullptr},
#define TF_REFUSED(name, reason) {#name, nullptr, nullptr, nullptr, reason},
#include "core/front/tf/extract/operators.def"
  };
  return kRows;
}

namespace {

const Operator* find_operator(std::string_view name) {
  static const RowsByName<Operator> by_name(operators());
  return by_name.find(name);
}

/// Sets the internal op of an operation on complex numbers, which are pairs in a last dimension. Some keep their op.
void extract_complex(Node& node) {
  const std::string& op = node.op();
  constexpr std::pair<std::string_view, const char*> kComplex[] = {{"Mul", "ComplexProduct"},
                                                                   {"RealDiv", "ComplexQuotient"},
                                                                   {"Div", "ComplexQuotient"},
                                                                   {"Reshape", "ComplexReshape"}};
  for (const auto& [name, internal] : kComplex)
    if (op == name) return node.set_op(internal);
  constexpr std::string_view kSame[] = {"Add",          "AddV2", "Sub",  "Neg",        "AddN",  "Identity", "Snapshot",
                                        "StopGradient", "Real",  "Imag", "ComplexAbs", "Angle", "Conj"};
  for (const std::string_view name : kSame)
    if (op == name) return;
  if (op.find("FFT") == std::string::npos) throw Error(Code::UnsupportedForm, "of complex numbers");
}

}  // namespace

void extract(Node& node) {
  if (node.op() == "Const") return;  // it is one from the start
  const Operator* row = find_operator(node.pb->op);
  try {
    if (!row) throw Error(Code::UnsupportedOp, node.pb->op);
    if (row->refusal) throw Error(Code::UnsupportedOp, cat(node.pb->op, ": ", row->refusal));
    if (const std::string* variable = node.attributes.get_if<std::string>("unkept"))
      throw Error(Code::UnsupportedForm, cat("a branch or loop of TensorFlow 1 changes the variable ",
                                             printable(*variable), " only by a control dependency"));
    if (const int64_t* type = node.attributes.get_if<int64_t>("T"); type && is_complex(*type)) {
      extract_complex(node);
      if (node.op() != row->name) return;
    }
    if (row->extract) return row->extract(node);
    node.set_op(std::string(row->internal));
    apply_attributes(node, row->attributes);
  } catch (Error& error) {
    error.place() = node.place();
    throw;
  }
}

bool is_extracted(std::string_view operation) {
  const Operator* row = find_operator(operation);
  return row && !row->refusal;
}

ElementType type_of(const Node& node, std::string_view attribute) {
  if (const ElementType* type = node.attributes.get_if<ElementType>(attribute)) return *type;
  if (!node.has(attribute)) throw Error(Code::MissingAttribute, std::string(attribute));
  throw Error(Code::UnsupportedType, type_name(node.get_int(attribute)));
}

}  // namespace mo::tf
