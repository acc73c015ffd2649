// Before: y = AttributedReshape(x) {shape} or (x, shape) {allowzero}, AttributedSqueeze(x) {axes} or (x, axes),
//         AttributedTranspose(x) {perm}, AttributedGather(x, indices) {axis}, Expand(x, shape)
// After:  y = Reshape, Squeeze, Transpose, Gather or Broadcast with inputs where these were attributes
// Conditions: none.

#include <numeric>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeAttributed final : public Decomposition {
 public:
  Names ops() const override {
    return {"AttributedReshape", "AttributedSqueeze", "AttributedTranspose", "AttributedGather", "Expand"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const std::string& op = node.op();
    if (op == "AttributedReshape") {
      const OutPort shape = list(b, node, "shape");
      if (!shape) throw Error(Code::MissingInput, "shape");
      return {b.op("Reshape", {x, shape}, {{"special_zero", node.get_int("allowzero") == 0}})};
    }
    if (op == "AttributedTranspose") return {b.op("Transpose", {x, order(b, node)})};
    if (op == "AttributedSqueeze") {
      const OutPort axes = list(b, node, "axes");
      return {axes ? b.op("Squeeze", {x, axes}) : b.op("Squeeze", {x})};
    }
    require_input(node, 1);
    const OutPort second = node.source(1);
    if (op == "AttributedGather") return {b.gather(x, second, node.get_int("axis"))};
    return {b.op("Broadcast", {x, second}, {{"mode", "bidirectional"}})};
  }

 private:
  /// The attribute, else input 1, else empty.
  static OutPort list(Builder& b, const Node& node, std::string_view key) {
    if (node.attributes.get_if<Ints>(key)) return b.i64(node.get_ints(key));
    return node.source(1);
  }

  /// Without perm the dimensions are reversed. If their number is unknown, the order is empty, which means the same.
  static OutPort order(Builder& b, const Node& node) {
    const int rank = node.source(0).tensor().shape.rank();
    if (node.has("perm") || rank < 0) return b.i64(node.get_ints("perm"));
    Ints reversed(static_cast<size_t>(rank));
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    return b.i64(reversed);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeAttributed)
}  // namespace mo
