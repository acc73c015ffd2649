// RegionYolo (opset1): boxes [N, C, H, W] of a grid with `num` anchors; those in `mask` are decoded. With do_softmax
// the axes from `axis` to `end_axis` become one, else the result is [N, (classes + coords + 1) * masks, H, W].

#include "core/ops/known.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

/// Without a mask all anchors.
Ints mask_of(const Node& node) {
  Ints mask = node.get_ints("mask");
  if (mask.empty())
    for (int64_t i = 0, num = std::min<int64_t>(node.get_int("num"), 1 << 16); i < num; ++i) mask.push_back(i);
  return mask;
}

void infer_region_yolo(InferContext& c) {
  require_inputs(c, 1);
  c.require_rank(0, 4, 4);
  const Node& node = c.node();
  const int64_t classes = node.get_int("classes"), coords = node.get_int("coords");
  if (classes < 0 || coords < 0 || classes > 1 << 20 || coords > 1 << 20)
    c.fail(Code::BadAttribute, msg(classes, " classes, ", coords, " coords"));
  if (!c.shape(0).has_rank()) return c.set(0, {}, c.type(0));
  std::vector<Dimension> sizes = c.shape(0).dimensions();
  if (node.get_bool("do_softmax", true)) {
    const auto at = [&](std::string_view name, int64_t otherwise) {
      const int64_t axis = node.get_int(name, otherwise);
      if (axis < -4 || axis > 3) c.fail(Code::BadAttribute, msg(name, " is ", axis));
      return static_cast<size_t>(axis < 0 ? axis + 4 : axis);
    };
    const size_t begin = at("axis", 1), end = at("end_axis", -1);
    for (size_t i = begin; i < end; ++i) sizes[begin] = to_dimension(sizes[begin] * sizes[i + 1]);
    if (begin < end) sizes.erase(sizes.begin() + begin + 1, sizes.begin() + end + 1);
  } else {
    sizes[1] = (classes + coords + 1) * static_cast<int64_t>(mask_of(node).size());
  }
  c.set(0, PartialShape(sizes), c.type(0));
}

void attributes_region_yolo(const Node& n, IrAttributes& a) {
  if (const Doubles anchors = n.get_floats("anchors"); !anchors.empty()) a.add("anchors", anchors);
  a.add("axis", n.get_int("axis", 1));
  a.add("coords", n.get_int("coords"));
  a.add("classes", n.get_int("classes"));
  a.add("end_axis", n.get_int("end_axis", -1));
  a.add("num", n.get_int("num"));
  a.add("do_softmax", n.get_bool("do_softmax", true));
  a.add("mask", mask_of(n));
}

constexpr OpDef kRegionYoloDefs[] = {
    {.op = "RegionYolo",
     .type = "RegionYolo",
     .version = "opset1",
     .infer = infer_region_yolo,
     .ir_attributes = attributes_region_yolo,
     .layout = {LayoutClass::Reshapes}},
};

}  // namespace

OpFamily ops_RegionYolo() { return kRegionYoloDefs; }

}  // namespace mo
