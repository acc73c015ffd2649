// Before: y = AttributedReshape(x) {shape} or (x, shape) {allowzero}, AttributedSqueeze(x) {axes} or (x, axes),
//         ExpandDims(x) {axes} or (x, axes), AttributedTranspose(x) {perm}, AttributedGather(x, indices) {axis},
//         Expand(x, shape), Tile(x, repeats) or, of operator sets up to 5, (x, tiles, axis)
// After:  y = Reshape, Squeeze, Unsqueeze, Transpose, Gather, Broadcast or Tile with inputs where these were attributes
// Conditions: none.

#include <numeric>

#include "core/front/onnx/extractor.h"
#include "core/pipeline/transform.h"

namespace mo {
namespace {

class DecomposeAttributed final : public Decomposition {
 public:
  Names ops() const override {
    return {"AttributedReshape", "AttributedSqueeze", "ExpandDims", "AttributedTranspose", "AttributedGather", "Expand", "AttributedTile"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    onnx::require_input(node, 0);
    const OutPort x = node.source(0);
    const std::string& op = node.op();
    if (op == "AttributedReshape") return {b.op("Reshape", {x, required(b, node, "shape")}, {{"special_zero", node.get_int("allowzero") == 0}})};
    if (op == "ExpandDims") return {b.op("Unsqueeze", {x, required(b, node, "axes")})};
    if (op == "AttributedTranspose") return {b.op("Transpose", {x, order(b, node)})};
    if (op == "AttributedSqueeze") {
      const OutPort axes = list(b, node, "axes");
      return {axes ? b.op("Squeeze", {x, axes}) : b.op("Squeeze", {x})};
    }
    onnx::require_input(node, 1);
    const OutPort second = node.source(1);
    if (op == "AttributedGather") return {b.gather(x, second, node.get_int("axis"))};
    if (op == "Expand") return {b.op("Broadcast", {x, second}, {{"mode", std::string("bidirectional")}})};
    return {b.op("Tile", {x, node.has_in(2) ? repeats(b, node) : second})};
  }

 private:
  /// The attribute, else input 1, else nothing.
  static OutPort list(Builder& b, const Node& node, std::string_view key) {
    if (node.attributes.get_if<Ints>(key)) return b.i64(node.get_ints(key));
    return node.source(1);
  }
  static OutPort required(Builder& b, const Node& node, std::string_view key) {
    const OutPort port = list(b, node, key);
    if (!port) throw Error(Code::MissingInput, std::string(key));
    return port;
  }

  /// Without perm the dimensions turn around, as they do for an empty order.
  static OutPort order(Builder& b, const Node& node) {
    const int rank = node.source(0).tensor().shape.rank();
    if (node.has("perm") || rank < 0) return b.i64(node.get_ints("perm"));
    Ints reversed(static_cast<size_t>(rank));
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    return b.i64(reversed);
  }

  /// Ones but for the axis.
  static OutPort repeats(Builder& b, const Node& node) {
    const auto& axis = node.source(2).tensor().ints;
    const int rank = node.source(0).tensor().shape.rank();
    if (rank < 0 || !axis || !axis->is_exact() || axis->elements.size() != 1)
      throw Error(Code::UnsupportedForm, "Tile along an axis known at run time only");
    std::vector<OutPort> parts(static_cast<size_t>(rank), b.i64({1}));
    parts[normalize_axis(axis->elements[0].min, rank)] = b.reshape(b.convert(node.source(1), ElementType::I64), {1}, false);
    return b.concat(parts, 0);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeAttributed)
}  // namespace mo
