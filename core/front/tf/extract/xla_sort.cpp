// What the comparator of an XlaVariadicSort orders by. It is a function of two elements of each operand: 2k and 2k + 1
// are those of operand k.

#include <algorithm>
#include <map>

#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/extract/extractor.h"
#include "core/graph/body.h"

namespace mo::tf {
namespace {

/// JAX compares numbers by a total order: zeros and NaNs are made equal among themselves, then the bits are compared as
/// an integer. This follows an expression back to the argument that it has the order of.
class Comparator {
 public:
  explicit Comparator(const Graph& body) : body_(body) {}

  /// The operands by which it orders, the first one first; whether the largest element comes first. Throws
  /// UnsupportedForm.
  void read(Ints& keys, Ints& descending) {
    if (body_.results.size() != 1) fail();
    key(body_.results[0]->source(0), keys, descending);
  }

 private:
  static constexpr int kDeepest = 64, kMostKeys = 64;

  [[noreturn]] static void fail() {
    throw Error(Code::UnsupportedForm, "a comparator that is not < or > of one operand after another");
  }

  /// The tensor without operations that pass it on.
  static OutPort passed(OutPort port) {
    for (int i = 0; i < kDeepest && port; ++i) {
      const std::string& op = port.node().op();
      if (op != "Identity" && op != "StopGradient" && op != "PreventGradient" && op != "Snapshot") break;
      port = port.node().source(0);
    }
    if (!port) fail();
    return port;
  }
  static OutPort input(const Node& node, int i) { return passed(node.source(i)); }
  static bool is(const Node& node, std::string_view op, int inputs) {
    if (node.op() != op) return false;
    for (int i = 0; i < inputs; ++i)
      if (!node.source(i)) fail();
    return true;
  }

  /// The comparison of one key; behind it, or(less, and(equal, the comparison of the next one)).
  void key(OutPort port, Ints& keys, Ints& descending) {
    for (int depth = 0; depth < kMostKeys; ++depth) {
      const Node& node = passed(port).node();
      if (!is(node, "LogicalOr", 2)) return comparison(node, keys, descending);
      comparison(input(node, 0).node(), keys, descending);
      const Node& rest = input(node, 1).node();
      if (!is(rest, "LogicalAnd", 2)) fail();
      const Node& equal = input(rest, 0).node();
      if (!is(equal, "Equal", 2)) fail();
      const int64_t first = argument(input(equal, 0)), second = argument(input(equal, 1));
      if (first / 2 != keys.back() || (first ^ second) != 1) fail();
      port = rest.source(1);
    }
    fail();
  }

  void comparison(const Node& node, Ints& keys, Ints& descending) {
    OutPort less, greater;
    if (is(node, "Less", 2)) {
      less = input(node, 0), greater = input(node, 1);
    } else if (is(node, "Greater", 2)) {
      less = input(node, 1), greater = input(node, 0);
    } else if (is(node, "LogicalAnd", 2) && is(input(node, 0).node(), "LogicalNot", 1)) {
      less = input(input(node, 0).node(), 0), greater = input(node, 1);  // of booleans
    } else {
      fail();
    }
    const int64_t first = argument(less), second = argument(greater);
    if ((first ^ second) != 1) fail();
    keys.push_back(first / 2);
    descending.push_back(first & 1);
  }

  /// The argument whose order the number has.
  int64_t argument(OutPort port, int depth = 0) {
    port = passed(port);
    const Node& node = port.node();
    if (const auto found = known_.find(&node); found != known_.end()) return found->second;
    if (depth == kDeepest) fail();
    const int64_t found = node.op() == "Parameter" ? position(node) : argument(before(node, depth), depth + 1);
    known_.emplace(&node, found);
    return found;
  }

  int64_t position(const Node& parameter) const {
    const auto found = std::find(body_.parameters.begin(), body_.parameters.end(), &parameter);
    return found - body_.parameters.begin();
  }

  /// A number in the same order.
  OutPort before(const Node& node, int depth) {
    if (is(node, "SelectV2", 3)) return without_special(node, depth);
    if (is(node, "BitwiseXor", 2)) return before_order_of_bits(node);
    const ElementType* type = node.attributes.get_if<ElementType>("SrcT");
    if (!is(node, "Cast", 1) || !type || *type != ElementType::Bool) fail();
    return node.source(0);  // booleans are compared as integers
  }

  /// Select(x == 0, 0, x) and Select(x != x, NaN, x): of x.
  OutPort without_special(const Node& select, int depth) {
    const Node& condition = input(select, 0).node();
    const bool zero = is(condition, "Equal", 2);
    if (!zero && !is(condition, "NotEqual", 2)) fail();
    if (zero ? !is_constant(input(condition, 1)) : input(condition, 0) != input(condition, 1)) fail();
    if (!is_constant(input(select, 1))) fail();
    const int64_t of_condition = argument(input(condition, 0), depth + 1);
    if (of_condition != argument(input(select, 2), depth + 1)) fail();
    return select.source(2);
  }

  static bool is_constant(OutPort port) {
    const std::string& op = port.node().op();
    return op == "Const" || ((op == "Fill" || op == "BroadcastTo" || op == "ZerosLike") && port.node().source(0));
  }

  /// bits ^ (their sign, spread over all others): of the number with these bits.
  OutPort before_order_of_bits(const Node& order) {
    const OutPort bits = input(order, 0);
    OutPort sign = input(order, 1);
    for (int depth = 0; sign != bits; sign = input(sign.node(), 0)) {
      const bool shift = is(sign.node(), "RightShift", 2) && is_constant(input(sign.node(), 1));
      if (++depth > kDeepest || (!shift && !is(sign.node(), "Bitcast", 1))) fail();
    }
    if (!is(bits.node(), "Bitcast", 1)) fail();
    return bits.node().source(0);
  }

  const Graph& body_;
  std::map<const Node*, int64_t> known_;
};

}  // namespace

/// (tensors…, axis)
void extract_xla_variadic_sort(Node& node) {
  const Graph* comparator = node.get_graph("comparator");
  if (!comparator || node.in_count() < 2) throw Error(Code::MissingAttribute, "comparator");
  Ints keys, descending;
  Comparator(*comparator).read(keys, descending);
  node.attributes.erase("comparator");
  node.set("keys", keys);
  node.set("descending", descending);
  node.set_op("XlaSort");
}

/// Of the last axis.
void extract_xla_sort(Node& node) {
  const int last = node.op() == "XlaKeyValueSort" ? 2 : 1;
  node.add_in_ports(last + 1);
  node.in(last).connect(Builder(node).i64_scalar(-1));
  node.set("keys", Ints{0});
  node.set("descending", Ints{0});
  node.set_op("XlaSort");
}

}  // namespace mo::tf
