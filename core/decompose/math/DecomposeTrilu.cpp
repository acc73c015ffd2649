// Before: y = Trilu(x [, k]) {upper}
// After:  y = Select(column - row >= k, or <= k for the lower part, x, 0)
// Before: y = EyeLike(x) {dtype, k}
// After:  y = Eye(rows of x, columns of x, k) {output_type} [converted if IR's Eye does not have the type]
// Conditions: none.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTrilu final : public Decomposition {
 public:
  Names ops() const override { return {"Trilu", "EyeLike"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (node.op() == "EyeLike") return {eye(b, node, x)};
    if (x.tensor().shape.elements() == Interval(0)) return {x};
    const OutPort rows = b.unsqueeze(counted(b, dimension_of(b, x, -2)), {1});
    const OutPort columns = counted(b, dimension_of(b, x, -1));
    const OutPort k = node.has_in(1) ? to_i64_scalar(b, node.source(1)) : b.i64_scalar(0);
    const bool upper = node.get_int("upper") != 0;
    const OutPort kept = b.op(upper ? "GreaterEqual" : "LessEqual", {b.op("Sub", {columns, rows}), k});
    return {b.op("Select", {kept, x, b.scalar_like(x, 0)})};
  }

 private:
  static OutPort eye(Builder& b, const Node& node, OutPort x) {
    const ElementType type = node.get_type("dtype", x.tensor().type);
    const ElementType made =
        type == ElementType::I64 || type == ElementType::I32 || type == ElementType::U8 || type == ElementType::I8
            ? type
            : ElementType::F32;
    const OutPort rows = dimension_of(b, x, 0), columns = dimension_of(b, x, 1);
    const OutPort y = b.op("Eye", {rows, columns, b.i64_scalar(node.get_int("k"))}, {{"output_type", made}});
    return b.convert(y, type);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTrilu)
}  // namespace mo
