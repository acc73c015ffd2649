// Select (opset1): condition (boolean), then, else, broadcast to each other.

#include "core/ops/elementwise.h"
#include "core/ops/known.h"

namespace mo {
namespace {

void select_ints(InferContext& c, const Shape& shape) {
  IntTensor result{shape, {}};
  const auto elements = element_count(shape);
  if (elements > 0) {
    std::vector<size_t> sources[3];
    for (int i = 0; i < 3; ++i) sources[i] = broadcast_sources(c.shape(i).to_shape(), shape);
    for (size_t k = 0; k < elements; ++k) {
      const Interval condition = c.ints(0) ? c.ints(0)->elements[sources[0][k]] : Interval(0, 1);
      const Interval yes = c.ints(1)->elements[sources[1][k]], no = c.ints(2)->elements[sources[2][k]];
      result.elements.push_back(condition == Interval(0) ? no : intersect(condition, 0) ? unite(yes, no) : yes);
    }
  }
  c.set_ints(0, std::move(result));
}

void infer_select(InferContext& c) {
  require_inputs(c, 3);
  ElementType type = c.type(1);
  if (type == ElementType::Unknown) type = c.type(2);
  c.set(0, broadcast(broadcast(c.shape(0), c.shape(1)), c.shape(2)), type);
  const PartialShape& out = c.node().out().tensor().shape;
  if (!out.is_static() || !c.shape(0).is_static() || !c.ints(1) || !c.ints(2)) return;
  const Shape shape = out.to_shape();
  if (element_count(shape) <= Tensor::kMaxInts) select_ints(c, shape);
}

void fold_select(InferContext& c) {
  const Shape shape = c.node().out().tensor().shape.to_shape();
  const ElementType type = c.node().out().tensor().type;
  if (bits(type) < 8 || c.value(1)->type != c.value(2)->type || element_count(shape) == 0) return;
  const auto width = static_cast<size_t>(bits(type)) / 8;
  const auto condition = read_ints(*c.value(0), c.files(), Model::kFoldOne);
  const auto yes = read_all(*c.value(1), c.files(), Model::kFoldOne),
             no = read_all(*c.value(2), c.files(), Model::kFoldOne);
  if (!condition || !yes || !no) return;
  std::vector<size_t> sources[3];
  for (int i = 0; i < 3; ++i) sources[i] = broadcast_sources(c.shape(i).to_shape(), shape);
  std::vector<std::byte> bytes;
  for (size_t k = 0; k < sources[0].size(); ++k) {
    const bool taken = (*condition)[sources[0][k]] != 0;
    const std::byte* from = (taken ? *yes : *no).data() + sources[taken ? 1 : 2][k] * width;
    bytes.insert(bytes.end(), from, from + width);
  }
  c.set_value(0, owned(type, shape, std::move(bytes)));
}

void attributes_select(const Node&, IrAttributes& a) { a.add("auto_broadcast", "numpy"); }

constexpr OpDef kSelectDefs[] = {
    {.op = "Select",
     .type = "Select",
     .version = "opset1",
     .infer = infer_select,
     .ir_attributes = attributes_select,
     .layout = kBroadcasting,
     .fold = fold_select},
};

}  // namespace

OpFamily ops_Select() { return kSelectDefs; }

}  // namespace mo
