#include "core/front/tf/extract/extractor.h"

#include "core/base/text.h"
#include "core/front/tf/extract/complex.h"
#include "core/front/tf/load/tensor_proto.h"
#include "core/graph/framework_node.h"

namespace mo::tf {

#define MO_OPERATORS "core/front/tf/extract/operators.def"
#include "core/front/common/operator_rows.inc"

const Operators& operators() {
  static const Operators all(kRows);
  return all;
}

bool prepare(Node& node, const std::function<void(Node&)>& extract) {
  if (const std::string* variable = node.attributes.get_if<std::string>("unkept"))
    throw Error(Code::UnsupportedForm, msg("a branch or loop of TensorFlow 1 changes the variable ",
                                           printable(*variable), " only by a control dependency"));
  return is_of_complex(node) && extract_complex(node, extract);
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
