// PriorBox (opset1; opset8 with min_max_aspect_ratios_order false), PriorBoxClustered (opset1): the sizes of a grid and
// of an image, both [height, width]. The result [2, height * width * boxes * 4] has the boxes of each cell and their
// variances.

#include <cmath>
#include <set>

#include "core/ops/detection.h"
#include "core/ops/known.h"

namespace mo {
namespace {

/// The largest number of boxes in a cell. More are a mistake.
constexpr int64_t kMostBoxes = 1 << 20;

/// The number of different ratios, rounded to six decimals. 1 is always one of them; with flip, so are their
/// reciprocals.
int64_t ratios_of(const InferContext& c) {
  std::set<double> ratios{1};
  const bool flip = c.node().get_bool("flip");
  for (const double ratio : c.node().get_floats("aspect_ratio")) {
    if (!(ratio > 0) || !std::isfinite(ratio)) c.fail(Code::BadAttribute, msg("aspect_ratio has ", ratio));
    ratios.insert(std::round(ratio * 1e6) / 1e6);
    if (flip) ratios.insert(std::round(1e6 / ratio) / 1e6);
  }
  return static_cast<int64_t>(ratios.size());
}

int64_t boxes_of_prior_box(const InferContext& c) {
  const Node& node = c.node();
  const auto count = [&](const char* name) { return static_cast<int64_t>(node.get_floats(name).size()); };
  const int64_t ratios = ratios_of(c), fixed = count("fixed_size"), fixed_ratios = count("fixed_ratio");
  int64_t boxes = node.get_bool("scale_all_sizes", true) ? ratios * count("min_size") + count("max_size")
                                                         : ratios + count("min_size") - 1;
  if (fixed) boxes = ratios * fixed;
  for (const double density : node.get_floats("density")) {
    if (!(density >= 1 && density <= 1024)) c.fail(Code::BadAttribute, msg("density has ", density));
    const auto whole = static_cast<int64_t>(density);
    boxes += (fixed_ratios ? fixed_ratios : ratios) * (whole * whole - 1);
    if (boxes > kMostBoxes) break;
  }
  return boxes;
}

void infer_prior_box(InferContext& c) {
  require_inputs(c, 2);
  for (const int i : {0, 1}) {
    c.require_rank(i, 1, 1);
    agree(c, dimension_of(c, i, 0), 2, msg("numbers of size ", i));
    if (c.type(i) != ElementType::Unknown && !is_integer(c.type(i)))
      c.fail(Code::UnsupportedType, msg("a size of type ", ir_name(c.type(i))));
  }
  const bool clustered = c.node().op() == "PriorBoxClustered";
  const auto widths = static_cast<int64_t>(c.node().get_floats("width").size());
  if (clustered && widths != static_cast<int64_t>(c.node().get_floats("height").size()))
    c.fail(Code::BadAttribute, "width and height have different lengths");
  const int64_t boxes = clustered ? widths : boxes_of_prior_box(c);
  if (boxes < 1 || boxes > kMostBoxes) c.fail(Code::BadAttribute, msg(boxes, " boxes in a cell"));
  Interval count = boxes * 4;
  const auto grid = elements_of(c, 0);
  for (size_t i = 0; i < 2; ++i) count = count * (grid && grid->size() == 2 ? to_dimension((*grid)[i]) : kAnyDimension);
  c.set(0, {2, to_dimension(count)}, ElementType::F32);
}

void add_lists(const Node& n, IrAttributes& a, std::initializer_list<const char*> names) {
  for (const char* name : names) a.add(name, n.get_floats(name));
}

void attributes_prior_box(const Node& n, IrAttributes& a) {
  add_lists(n, a, {"min_size", "max_size", "aspect_ratio", "density", "fixed_ratio", "fixed_size"});
  a.add("clip", n.get_bool("clip"));
  a.add("flip", n.get_bool("flip"));
  a.add("step", n.get_float("step"));
  a.add("offset", n.get_float("offset"));
  add_lists(n, a, {"variance"});
  a.add("scale_all_sizes", n.get_bool("scale_all_sizes", true));
  if (!n.get_bool("min_max_aspect_ratios_order", true)) a.add("min_max_aspect_ratios_order", false);
}

std::string_view version_prior_box(const Node& n) {
  return n.get_bool("min_max_aspect_ratios_order", true) ? "opset1" : "opset8";
}

void attributes_prior_box_clustered(const Node& n, IrAttributes& a) {
  for (const char* name : {"step", "step_w", "step_h"}) a.add(name, n.get_float(name));
  add_lists(n, a, {"width", "height"});
  a.add("clip", n.get_bool("clip", true));
  a.add("offset", n.get_float("offset"));
  add_lists(n, a, {"variance"});
}

constexpr OpDef kPriorBoxDefs[] = {
    {.op = "PriorBox",
     .type = "PriorBox",
     .version = "opset1",
     .infer = infer_prior_box,
     .ir_attributes = attributes_prior_box,
     .version_of = version_prior_box},
    {.op = "PriorBoxClustered",
     .type = "PriorBoxClustered",
     .version = "opset1",
     .infer = infer_prior_box,
     .ir_attributes = attributes_prior_box_clustered},
};

}  // namespace

OpFamily ops_PriorBox() { return kPriorBoxDefs; }

}  // namespace mo
