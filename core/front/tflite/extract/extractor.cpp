#include "core/front/tflite/extract/extractor.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/build/attribute_rows.h"
#include "core/build/builder.h"
#include "core/front/rows_by_name.h"
#include "core/graph/framework_node.h"

namespace mo::tflite {

#define LITE_SAME(code, name, options, internal, attributes)
#define LITE_CALL(code, name, options, function, ops) void function(Node&);
#define LITE_LOADED(code, name, options, how)
#define LITE_REFUSED(code, name, reason)
#include "core/front/tflite/extract/operators.def"

std::span<const Operator> operators() {
  static constexpr Operator kRows[] = {
#define LITE_SAME(code, name, options, internal, attributes) \
  {code, #name, options, #internal, attributes, nullptr, nullptr},
#define LITE_CALL(code, name, options, function, ops) {code, #name, options, nullptr, nullptr, function, nullptr},
#define LITE_LOADED(code, name, options, how) {code, #name, options, nullptr, nullptr, nullptr, nullptr},
#define LITE_REFUSED(code, name, reason) {code, #name, "", nullptr, nullptr, nullptr, reason},
#include "core/front/tflite/extract/operators.def"
  };
  return kRows;
}

const Operator* find_operator(std::string_view name) {
  static const RowsByName<Operator> by_name(operators());
  return by_name.find(name);
}

std::string operator_name(int code) {
  for (const Operator& row : operators())
    if (row.code == code) return row.name;
  return cat("BUILTIN_", code);
}

std::string activation_op(int64_t activation) {
  constexpr const char* kActivations[] = {"", "ReLU", "AttributedClamp", "AttributedClamp", "Tanh"};
  if (activation < 0 || static_cast<size_t>(activation) >= std::size(kActivations))
    throw Error(Code::UnsupportedForm, cat("activation ", activation));
  return kActivations[activation];
}

void add_activation(Node& node, int64_t activation) {
  const std::string op = activation_op(activation);
  if (op.empty()) return;
  Node& made = node.graph().add_node(op, node.name() + "/" + op);
  made.add_in_ports(1);
  made.add_out_ports(1);
  if (op == "AttributedClamp") {
    made.set("min", activation == 2 ? -1.0 : 0.0);
    made.set("max", activation == 2 ? 1.0 : 6.0);
  }
  node.out(0).connection().set_source(made.out(0), TensorNames::Merge);
  node.out(0).connect(made.in(0));
}

namespace {

/// Operators on complex numbers, which are pairs in a last dimension. CAST keeps the real part. True if the node is
/// extracted. Throws UnsupportedForm for operators that would take pairs for a dimension.
bool extract_complex(Node& node) {
  constexpr std::pair<std::string_view, const char*> kComplex[] = {
      {"CAST", "Real"}, {"MUL", "ComplexProduct"}, {"DIV", "ComplexQuotient"}, {"RESHAPE", "ComplexReshape"}};
  node.attributes.erase("is_complex");
  const std::string op = node.op();
  for (const auto& [name, internal] : kComplex)
    if (op == name) return node.attributes = {}, node.set_op(internal), true;
  if (op == "SQUEEZE") {
    Ints axes = node.get_ints("squeeze_dims");
    if (axes.empty()) throw Error(Code::UnsupportedForm, "of complex numbers, without dimensions");
    for (int64_t& axis : axes) axis -= axis < 0 ? 1 : 0;
    node.set("squeeze_dims", axes);
    return false;
  }
  constexpr std::string_view kSame[] = {"ADD", "SUB", "NEG", "ADD_N", "REAL", "IMAG", "COMPLEX_ABS"};
  if (std::find(std::begin(kSame), std::end(kSame), op) == std::end(kSame))
    throw Error(Code::UnsupportedForm, "of complex numbers");
  return false;
}

}  // namespace

void extract(Node& node) {
  const std::string name = node.pb->op;
  const Operator* row = find_operator(name);
  try {
    if (name.starts_with("Flex"))
      throw Error(Code::UnsupportedOp, cat(printable(name), ": TensorFlow's ", printable(name.substr(4))), {},
                  "convert the TensorFlow model that this one was made from, or teach it with an extension");
    if (!row) throw Error(Code::UnsupportedOp, printable(name));
    if (row->refusal) throw Error(Code::UnsupportedOp, cat(name, ": ", row->refusal));
    if (node.has("is_complex") && extract_complex(node)) return;
    const int64_t activation = node.get_int("fused_activation_function");
    if (row->extract) {
      row->extract(node);
    } else if (row->internal) {
      node.set_op(std::string(row->internal));
      apply_attributes(node, row->attributes);
    }
    if (node.has("fused_activation_function")) {
      node.attributes.erase("fused_activation_function");
      add_activation(node, activation);
    }
  } catch (Error& error) {
    error.place() = node.place();
    throw;
  }
}

}  // namespace mo::tflite
