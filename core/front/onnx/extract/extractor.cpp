#include "core/front/onnx/extract/extractor.h"

#include <map>
#include <unordered_map>

#include "core/base/text.h"
#include "core/build/attribute_rows.h"
#include "core/front/onnx/load/schema.h"
#include "core/graph/framework_node.h"
#include "core/ops/contract.h"

namespace mo::onnx {

#define ONNX_SAME(name, domain, internal, attributes)
#define ONNX_CALL(name, domain, function, ops) void function(Node&);
#define ONNX_REFUSED(name, domain, reason)
#include "core/front/onnx/extract/operators.def"

std::span<const Operator> operators() {
  static constexpr Operator kRows[] = {
#define ONNX_SAME(name, domain, internal, attributes) {#name, domain, #internal, attributes, nullptr, nullptr},
#define ONNX_CALL(name, domain, function, ops) {#name, domain, nullptr, nullptr, function, nullptr},
#define ONNX_REFUSED(name, domain, reason) {#name, domain, nullptr, nullptr, nullptr, reason},
#include "core/front/onnx/extract/operators.def"
  };
  return kRows;
}

const Operator* find_operator(std::string_view name, std::string_view domain) {
  static const std::unordered_multimap<std::string_view, const Operator*> by_name = [] {
    std::unordered_multimap<std::string_view, const Operator*> map;
    for (const Operator& row : operators()) map.emplace(row.name, &row);
    return map;
  }();
  const auto [begin, end] = by_name.equal_range(name);
  for (auto at = begin; at != end; ++at)
    if (at->second->domain == domain) return at->second;
  return nullptr;
}

namespace {

/// Replaces ONNX's numbers of element types by types where the contract wants a type; 0 means none.
void name_types(Node& node) {
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

[[noreturn]] void refuse(const Node& node, const std::string& name) {
  const bool is_onnx = newest_opset(node.pb->domain) != 0;
  if (!is_onnx || find_schema(node.pb->op, node.pb->domain, node.pb->since))
    throw Error(Code::UnsupportedOp, name, node.place());
  throw Error(Code::UnsupportedOp, cat(name, ", which ONNX does not have"), node.place(),
              "check the operation's name and domain; one of your own needs a function in the model or an extension");
}

}  // namespace

void extract(Node& node) {
  const Operator* row = find_operator(node.pb->op, node.pb->domain);
  if (!row && node.pb->domain.empty()) row = find_operator(node.pb->op, "org.openvinotoolkit");
  try {
    if (!row || row->refusal) {
      const std::string op = function_op(node.pb->op, node.pb->domain);
      if (row) throw Error(Code::UnsupportedOp, cat(op, ": ", row->refusal), node.place());
      if (function_body(op, node.pb->since).empty()) refuse(node, op);
      check_ports(node);
      node.set("opset", node.pb->since);
      return node.set_op(op);
    }
    check_ports(node);
    if (row->extract) {
      row->extract(node);
    } else {
      node.set_op(std::string(row->internal));
      apply_attributes(node, row->attributes);
    }
    name_types(node);
  } catch (Error& error) {
    error.place() = node.place();
    throw;
  }
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
  throw Error(Code::UnsupportedType, name == names.end() ? cat("data type ", data_type) : std::string(name->second));
}

}  // namespace mo::onnx
