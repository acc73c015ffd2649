// PriorBox and PriorBoxClustered: boxes for each cell of a feature map, and their variances.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"

namespace mo::caffe {
namespace {

constexpr double kMostDensity = 256;
constexpr size_t kMostBoxes = 1 << 16;

/// A number for height and one for width; 0: it follows from the sizes.
struct Pair {
  double height = 0, width = 0;
};

Pair steps_of(const Node& node) {
  const double both = node.get_float("step");
  return {node.get_float("step_h", both), node.get_float("step_w", both)};
}

/// The size of the image, where the text gives it; the second input's otherwise.
OutPort image_of(Node& node, Builder& b) {
  const int64_t both = node.get_int("img_size"), height = node.get_int("img_h", both),
                width = node.get_int("img_w", both);
  if (height > 0 && width > 0) return b.i64({height, width});
  require_input(node, 1);
  return b.dims_of(node.source(1), {2, 3});
}

/// One for all, or one for each number of a box. Caffe's default is 0.1.
Doubles variances_of(const Node& node) {
  Doubles variances = node.get_floats("variance");
  if (variances.size() != 1 && variances.size() != 4 && !variances.empty())
    throw Error(Code::BadAttribute, msg(variances.size(), " of variance"));
  return variances.empty() ? Doubles{0.1} : variances;
}

/// Caffe keeps sizes as integers: 35.84 is 35.
void cut_to_integers(Doubles& sizes) {
  for (double& size : sizes) size = std::trunc(size);
}

void require_positive(const Doubles& sizes, const char* name) {
  for (const double size : sizes)
    if (!(size > 0) || !std::isfinite(size)) throw Error(Code::BadAttribute, msg(name, " is ", size));
}

/// A box of a cell: its size, and how far its middle is from that of the cell.
struct Box {
  double height, width, down = 0, across = 0;
};
using Boxes = std::vector<Box>;

/// 1, each other ratio once, and with `flip` the reciprocal of each.
Doubles every_ratio(const Doubles& ratios, bool flip) {
  Doubles all{1};
  const auto add = [&](double ratio) {
    for (const double one : all)
      if (std::fabs(ratio - one) < 1e-6) return false;
    all.push_back(ratio);
    return true;
  };
  for (const double ratio : ratios)
    if (add(ratio) && flip) all.push_back(1 / ratio);
  return all;
}

void add_boxes(Boxes& out, const Doubles& least, const Doubles& most, const Doubles& ratios) {
  for (size_t i = 0; i < least.size(); ++i) {
    out.push_back({least[i], least[i]});
    if (i < most.size()) out.push_back({std::sqrt(least[i] * most[i]), std::sqrt(least[i] * most[i])});
    for (size_t r = 1; r < ratios.size(); ++r)
      out.push_back({least[i] / std::sqrt(ratios[r]), least[i] * std::sqrt(ratios[r])});
  }
}

/// Of each size and ratio density x density boxes, whole numbers of pixels apart.
Boxes fixed_boxes(const Doubles& sizes, const Doubles& densities, const Doubles& ratios) {
  if (densities.size() != sizes.size())
    throw Error(Code::BadAttribute, msg(densities.size(), " of density for ", sizes.size(), " of fixed_size"));
  Boxes out;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const double density = std::trunc(densities[i]);
    if (!(density >= 1 && density <= kMostDensity)) throw Error(Code::BadAttribute, msg("density is ", densities[i]));
    const double shift = std::trunc(sizes[i] / density), first = shift / 2 - std::floor(std::trunc(sizes[i]) / 2);
    for (const double ratio : ratios) {
      const double root = std::sqrt(ratio);
      for (double row = 0; row < density; ++row)
        for (double column = 0; column < density; ++column)
          out.push_back({sizes[i] / root, sizes[i] * root, first + row * shift, first + column * shift});
      if (out.size() > kMostBoxes) throw Error(Code::BadAttribute, msg("more than ", kMostBoxes, " boxes for a cell"));
    }
  }
  return out;
}

/// The middles of the cells along one axis, in parts of the image.
OutPort middles(Builder& b, OutPort cells, OutPort image, double step, double offset) {
  const OutPort numbers = b.convert(
      b.op("Range", {b.i64_scalar(0), cells, b.i64_scalar(1)}, {{"output_type", ElementType::I64}}), ElementType::F32);
  const OutPort at = b.op("Add", {numbers, b.f32_scalar(static_cast<float>(offset))});
  if (step == 0) return b.op("Div", {at, b.convert(cells, ElementType::F32)});
  return b.op("Div", {b.op("Mul", {at, b.f32_scalar(static_cast<float>(step))}), image});
}

/// The first boxes stay within the image, with `clip` all do.
OutPort within_image(Node& node, Builder& b, OutPort corners, size_t first, size_t count) {
  if (node.get_bool("clip") || first == count) return b.op("AttributedClamp", {corners}, {{"min", 0.0}, {"max", 1.0}});
  if (first == 0) return corners;
  constexpr float kFar = std::numeric_limits<float>::max();
  std::vector<float> low(count, -kFar), high(count, kFar);
  std::fill_n(low.begin(), first, 0.0F);
  std::fill_n(high.begin(), first, 1.0F);
  const auto size = static_cast<int64_t>(count);
  const OutPort raised = b.op("Maximum", {corners, b.constant(make_f32({size, 1}, low))});
  return b.op("Minimum", {raised, b.constant(make_f32({size, 1}, high))});
}

/// What IR's PriorBox lacks: a step for each axis, an offset without steps, and other sizes beside fixed ones, which
/// are the first.
void become_sum(Node& node, Builder& b, OutPort image, const Boxes& boxes, size_t fixed) {
  const Pair steps = steps_of(node);
  const double offset = node.get_float("offset", 0.5);
  const OutPort x = node.source(0), size = b.convert(image, ElementType::F32);
  const auto part = [&](OutPort of, int64_t i) { return b.gather(of, b.i64_scalar(i), 0); };
  const OutPort height = part(size, 0), width = part(size, 1);
  const OutPort cells = b.dims_of(x, {2, 3}), rows = part(cells, 0), columns = part(cells, 1);
  const OutPort down = b.reshape(middles(b, rows, height, steps.height, offset), {-1, 1, 1, 1}),
                across = b.reshape(middles(b, columns, width, steps.width, offset), {1, -1, 1, 1});
  const OutPort in_x = b.constant(make_f32({4}, {1, 0, 1, 0})), in_y = b.constant(make_f32({4}, {0, 1, 0, 1}));
  const OutPort centers = b.op("Add", {b.op("Mul", {across, in_x}), b.op("Mul", {down, in_y})});
  std::vector<float> halves;
  for (const Box& box : boxes)
    for (const double sign : {-0.5, 0.5})
      for (const double at : {box.across + sign * box.width, box.down + sign * box.height})
        halves.push_back(static_cast<float>(at));
  const auto count = static_cast<int64_t>(boxes.size());
  const OutPort sizes = b.gather(size, b.i64({1, 0, 1, 0}), 0);
  const OutPort corners = b.op("Add", {centers, b.op("Div", {b.constant(make_f32({count, 4}, halves)), sizes})});
  std::vector<float> variances;
  const Doubles given = variances_of(node);
  for (size_t i = 0; i < 4; ++i) variances.push_back(static_cast<float>(given[given.size() == 4 ? i : 0]));
  const OutPort none = b.op("Mul", {corners, b.f32_scalar(0)});
  const OutPort spread = b.op("Add", {none, b.constant(make_f32({4}, variances))});
  const OutPort first = b.reshape(within_image(node, b, corners, fixed, boxes.size()), {1, 1, -1}, false);
  const OutPort second = b.reshape(spread, {1, 1, -1}, false);
  become(node, "Concat", {first, second});
  node.set("axis", int64_t{1});
}

void become_boxes(Node& node, Builder& b, const char* op, OutPort image, const Attributes& attributes) {
  const OutPort grid = b.dims_of(node.source(0), {2, 3});
  const OutPort boxes = b.op(op, {grid, image}, attributes), axis = b.i64({0});
  become(node, "Unsqueeze", {boxes, axis});
}

}  // namespace

/// (feature map, image)
void extract_prior_box(Node& node) {
  require_input(node, 0);
  Doubles least = node.get_floats("min_size"), most = node.get_floats("max_size");
  const Doubles ratios = node.get_floats("aspect_ratio"), fixed = node.get_floats("fixed_size"),
                fixed_ratios = node.get_floats("fixed_ratio");
  require_positive(least, "min_size");
  require_positive(ratios, "aspect_ratio");
  require_positive(fixed, "fixed_size");
  require_positive(fixed_ratios, "fixed_ratio");
  if (least.empty() && fixed.empty()) throw Error(Code::MissingAttribute, "min_size");
  if (!most.empty() && most.size() != least.size())
    throw Error(Code::BadAttribute, msg(most.size(), " of max_size for ", least.size(), " of min_size"));
  for (size_t i = 0; i < most.size(); ++i)
    if (!(most[i] > least[i])) throw Error(Code::BadAttribute, msg("max_size is ", most[i], ", min_size ", least[i]));
  cut_to_integers(least);
  cut_to_integers(most);
  const Pair steps = steps_of(node);
  const double offset = node.get_float("offset", 0.5);
  Builder b(node);
  const OutPort image = image_of(node, b);
  const Doubles all = every_ratio(ratios, node.get_bool("flip", true));
  Boxes boxes = fixed_boxes(fixed, node.get_floats("density"), fixed_ratios.empty() ? all : fixed_ratios);
  // Runtimes count boxes of fixed sizes by aspect_ratio, and no others beside them.
  const bool is_counted =
      fixed.empty() || (least.empty() && (fixed_ratios.empty() || fixed_ratios.size() == all.size()));
  const bool is_plain = steps.height == steps.width && (steps.height != 0 || offset == 0.5);
  if (!is_plain || !is_counted) {
    const size_t count = boxes.size();
    add_boxes(boxes, least, most, all);
    return become_sum(node, b, image, boxes, count);
  }
  Attributes attributes{{"flip", node.get_bool("flip", true)},
                        {"clip", node.get_bool("clip")},
                        {"step", steps.width},
                        {"offset", offset},
                        {"min_size", least},
                        {"max_size", most},
                        {"aspect_ratio", ratios},
                        {"variance", variances_of(node)}};
  attributes.set("fixed_size", fixed);
  attributes.set("fixed_ratio", fixed_ratios);
  attributes.set("density", node.get_floats("density"));
  become_boxes(node, b, "PriorBox", image, attributes);
}

/// Boxes of these widths and heights.
void extract_prior_box_clustered(Node& node) {
  require_input(node, 0);
  const Doubles widths = node.get_floats("width"), heights = node.get_floats("height");
  if (widths.empty() || widths.size() != heights.size())
    throw Error(Code::BadAttribute, msg(widths.size(), " of width, ", heights.size(), " of height"));
  Builder b(node);
  const OutPort image = image_of(node, b);
  const Pair steps = steps_of(node);
  become_boxes(node, b, "PriorBoxClustered", image,
               {{"width", widths},
                {"height", heights},
                {"clip", node.get_bool("clip")},
                {"step_w", steps.width},
                {"step_h", steps.height},
                {"offset", node.get_float("offset", 0.5)},
                {"variance", variances_of(node)}});
}

}  // namespace mo::caffe
