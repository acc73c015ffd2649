// The input of a detection model. Its preprocessing is removed, so the input gets images of the size to which they
// would be resized.

#include <algorithm>
#include <cmath>

#include "core/front/tf/detection/detection.h"

namespace mo::tf {
namespace {

struct Size {
  int64_t height = 0, width = 0;
  bool operator==(const Size&) const = default;
};
std::string to_text(const Size& size) { return cat("(", size.height, ", ", size.width, ")"); }

/// Half to even, as TensorFlow and Python round.
int64_t rounded(double value) { return static_cast<int64_t>(std::rint(value)); }

/// The shorter side becomes `least`, unless the longer one would exceed `most`.
Size keep_aspect_ratio(const Size& size, int64_t least, int64_t most) {
  const auto shorter = static_cast<double>(std::min(size.height, size.width));
  const auto longer = static_cast<double>(std::max(size.height, size.width));
  const double ratio = std::min(static_cast<double>(least) / shorter, static_cast<double>(most) / longer);
  return {std::max<int64_t>(rounded(static_cast<double>(size.height) * ratio), 1),
          std::max<int64_t>(rounded(static_cast<double>(size.width) * ratio), 1)};
}

/// `given` is the size that the model or --input_shape gives.
Size image_size(Diagnostics& diagnostics, const std::optional<Size>& given, const PipelineConfig& config) {
  const auto warn = [&](const Detail& text) { diagnostics.warn(Code::ImageSizeDiffers, text); };
  if (config.image_height.has() && config.image_width.has()) {
    const Size fixed{*config.image_height.value, *config.image_width.value};
    if (given && *given != fixed) warn(msg("to ", to_text(fixed), ", the input has ", to_text(*given)));
    return given.value_or(fixed);
  }
  if (!config.min_dimension.has() || !config.max_dimension.has())
    throw Error(Code::PipelineFieldMissing,
                "image_resizer/fixed_shape_resizer or image_resizer/keep_aspect_ratio_resizer",
                config.image_height.place);
  const int64_t least = config.min_dimension.required(), most = config.max_dimension.required();
  if (config.pad_to_max_dimension.or_else(false)) {
    if (given && *given != Size{most, most})
      warn(msg("to ", to_text({most, most}), ", the input has ", to_text(*given)));
    return {most, most};
  }
  if (!given) {
    warn(msg("keeping the aspect ratio; the input gets ", to_text({least, least})));
    return {least, least};
  }
  const Size scaled = keep_aspect_ratio(*given, least, most);
  if (scaled != *given) warn(msg("to ", to_text(scaled), ", which the input gets in place of ", to_text(*given)));
  return scaled;
}

}  // namespace

Node& image_input(const Graph& graph, const ReplacementDescription& description) {
  for (const char* name : {"image_tensor", "input_tensor", "serving_default_input_tensor"})
    if (Node* node = graph.find(name); node && node->op() == "Parameter") return *node;
  fail_match(description, "the model has no input 'image_tensor' or 'input_tensor'; --input must not cut it off");
}

void set_image_size(Graph& graph, const ReplacementDescription& description, const PipelineConfig& config) {
  Node& input = image_input(graph, description);
  const PartialShape* shape = input.attributes.get_if<PartialShape>("shape");
  const bool known = shape && shape->has_rank();
  if (known && shape->rank() != 4)
    throw Error(Code::RankMismatch, msg("[", to_string(*shape), "] is no batch of images"), input.place());
  std::vector<Dimension> sizes =
      known ? shape->dimensions() : std::vector<Dimension>{kAnyDimension, kAnyDimension, kAnyDimension, 3};
  std::optional<Size> given;
  if (sizes[1].is_exact() && sizes[2].is_exact() && sizes[1].min > 0 && sizes[2].min > 0)
    given = Size{sizes[1].min, sizes[2].min};
  const Size size = image_size(graph.model().diagnostics, given, config);
  if (size.height <= 0 || size.width <= 0)
    throw Error(Code::BadFieldValue, msg("the images have the size ", to_text(size)), config.image_height.place);
  if (sizes[0] == kAnyDimension) sizes[0] = 1;
  sizes[1] = size.height;
  sizes[2] = size.width;
  input.set("shape", PartialShape(sizes));
}

}  // namespace mo::tf
