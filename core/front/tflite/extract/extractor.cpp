#include "core/front/tflite/extract/extractor.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/tflite/extract/model.h"
#include "core/graph/framework_node.h"

namespace mo::tflite {

#define MO_OPERATORS "core/front/tflite/extract/operators.def"
#include "core/front/common/operator_rows.inc"

const Operators& operators() {
  static const Operators all(kRows);
  return all;
}

std::string activation_op(int64_t activation) {
  constexpr const char* kActivations[] = {"", "ReLU", "AttributedClamp", "AttributedClamp", "Tanh"};
  if (activation < 0 || static_cast<size_t>(activation) >= std::size(kActivations))
    throw Error(Code::UnsupportedForm, msg("activation ", activation));
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

LiteModel::LiteModel() : LoadedModel(operators()) {}

bool LiteModel::prepare(Node& node) { return node.has("is_complex") && extract_complex(node); }

void LiteModel::finish(Node& node) {
  if (!node.has("fused_activation_function")) return;
  const int64_t activation = node.get_int("fused_activation_function");
  node.attributes.erase("fused_activation_function");
  add_activation(node, activation);
}

void LiteModel::extract_unknown(Node& node) {
  const std::string& name = node.pb->op;
  if (!name.starts_with("Flex")) throw Error(Code::UnsupportedOp, printable(name));
  throw Error(Code::UnsupportedOp, msg(printable(name), ": TensorFlow's ", printable(name.substr(4))), {},
              "convert the TensorFlow model that this one was made from, or teach it with an extension");
}

}  // namespace mo::tflite
