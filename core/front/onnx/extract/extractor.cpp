#include "core/front/onnx/extract/extractor.h"

#include <map>

#include "core/base/text.h"
#include "core/front/onnx/extract/model.h"
#include "core/front/onnx/load/schema.h"
#include "core/graph/framework_node.h"
#include "core/ops/contract.h"

namespace mo::onnx {

#define MO_OPERATORS "core/front/onnx/extract/operators.def"
#include "core/front/common/operator_rows.inc"

const Operators& operators() {
  static const Operators all(kRows, "org.openvinotoolkit");
  return all;
}

OnnxModel::OnnxModel() : LoadedModel(operators()) {}

bool OnnxModel::prepare(Node& node) { return check_ports(node), false; }

void OnnxModel::finish(Node& node) {
  const Contract* contract = find_contract(node.op());
  if (!contract) return;
  for (const std::string& name : attribute_names(node)) {
    const int64_t* number = node.attributes.get_if<int64_t>(name);
    if (!number || !is_type_attribute(*contract, name)) continue;
    if (const int64_t type = *number)
      node.set(name, element_type(type));
    else
      node.attributes.erase(name);
  }
}

void OnnxModel::extract_unknown(Node& node) {
  const FrameworkNode& from = *node.pb;
  const std::string name = function_op(from.op, from.domain);
  if (function_body(name, from.since).empty()) {
    const bool is_onnx = newest_opset(from.domain) != 0;
    if (!is_onnx || find_schema(from.op, from.domain, from.since)) throw Error(Code::UnsupportedOp, name);
    throw Error(Code::UnsupportedOp, msg(name, ", which ONNX does not have"), {},
                "check the operation's name and domain; one of your own needs a function in the model or an extension");
  }
  check_ports(node);
  node.set("opset", from.since);
  node.set_op(name);
}

ElementType element_type(int64_t data_type) {
  switch (data_type) {
    case 1: return ElementType::F32;
    case 2: return ElementType::U8;
    case 3: return ElementType::I8;
    case 4: return ElementType::U16;
    case 5: return ElementType::I16;
    case 6: return ElementType::I32;
    case 7: return ElementType::I64;
    case 8: return ElementType::String;
    case 9: return ElementType::Bool;
    case 10: return ElementType::F16;
    case 11: return ElementType::F64;
    case 12: return ElementType::U32;
    case 13: return ElementType::U64;
    case 16: return ElementType::BF16;
    case 17: return ElementType::F8E4M3;
    case 18: return ElementType::F8E4M3FNUZ;
    case 19: return ElementType::F8E5M2;
    case 20: return ElementType::F8E5M2FNUZ;
    case 21: return ElementType::U4;
    case 22: return ElementType::I4;
    case 23: return ElementType::F4E2M1;
    case 24: return ElementType::F8E8M0;
    case 25: return ElementType::U2;
    case 26: return ElementType::I2;
    default: break;
  }
  static const std::map<int64_t, std::string_view> names = {{0, "undefined"}, {14, "complex64"}, {15, "complex128"}};
  const auto name = names.find(data_type);
  throw Error(Code::UnsupportedType, name == names.end() ? msg("data type ", data_type) : Detail(name->second));
}

}  // namespace mo::onnx
