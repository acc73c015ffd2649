#include "core/front/tf/extract/extractor.h"

#include "core/base/text.h"
#include "core/front/tf/load/tensor_proto.h"
#include "core/graph/framework_node.h"

namespace mo::tf {

#define MO_OPERATORS "core/front/tf/extract/operators.def"
#include "core/front/common/operator_rows.inc"

const Operators& operators() {
  static const Operators all(kRows);
  return all;
}

namespace {

/// Operations on complex numbers, which are pairs in a last dimension. True if the internal op is set; others are
/// extracted as those on real numbers.
bool extract_complex(Node& node) {
  const std::string& op = node.op();
  constexpr std::pair<std::string_view, const char*> kComplex[] = {{"Mul", "ComplexProduct"},
                                                                   {"RealDiv", "ComplexQuotient"},
                                                                   {"Div", "ComplexQuotient"},
                                                                   {"Reshape", "ComplexReshape"}};
  for (const auto& [name, internal] : kComplex)
    if (op == name) return node.set_op(internal), true;
  constexpr std::string_view kSame[] = {"Add",          "AddV2", "Sub",  "Neg",        "AddN",  "Identity", "Snapshot",
                                        "StopGradient", "Real",  "Imag", "ComplexAbs", "Angle", "Conj"};
  for (const std::string_view name : kSame)
    if (op == name) return false;
  if (op.find("FFT") == std::string::npos) throw Error(Code::UnsupportedForm, "of complex numbers");
  return false;
}

}  // namespace

bool prepare(Node& node) {
  if (const std::string* variable = node.attributes.get_if<std::string>("unkept"))
    throw Error(Code::UnsupportedForm, msg("a branch or loop of TensorFlow 1 changes the variable ",
                                           printable(*variable), " only by a control dependency"));
  const int64_t* type = node.attributes.get_if<int64_t>("T");
  return type && is_complex(*type) && extract_complex(node);
}

bool is_extracted(std::string_view operation) {
  const Operator* row = operators().find(operation);
  return row && !row->refusal;
}

ElementType type_of(const Node& node, std::string_view attribute) {
  if (const ElementType* type = node.attributes.get_if<ElementType>(attribute)) return *type;
  if (!node.has(attribute)) throw Error(Code::MissingAttribute, std::string(attribute));
  throw Error(Code::UnsupportedType, type_name(node.get_int(attribute)));
}

}  // namespace mo::tf
