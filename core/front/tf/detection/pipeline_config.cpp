#include "core/front/tf/detection/pipeline_config.h"

#include <cmath>

#include "core/base/proto/text_message.h"
#include "core/base/text.h"

namespace mo::tf {
namespace {

/// The largest number that is accepted for sizes of images, classes and boxes.
constexpr int64_t kMost = 1 << 20;
constexpr size_t kMostValues = 1024;

/// A message and the place of its beginning.
struct Section {
  proto::Message message;
  Place place;
  std::string path;
};

/// The message `name` in `of`, with the place of its last occurrence; nullopt if there is none.
std::optional<Section> section(const Section& of, std::string_view name) {
  const proto::Entries found = of.message.occurrences(name);
  if (found.empty()) return std::nullopt;
  const proto::Source& source = of.message.source();
  if (!source.is_message(found.back()))
    throw source.error(Code::BadFieldValue, found.back(), msg(name, " is a message"));
  return Section{of.message.get_message(name), source.error(Code::BadFieldValue, found.back(), {}).place(),
                 cat(of.path, "/", name)};
}

class Reader {
 public:
  explicit Reader(Section model) : model_(std::move(model)) {}

  bool has(std::string_view path) const { return !find(path).second; }

  template <typename T>
  void operator()(Setting<T>& setting, std::string_view path, std::optional<T> otherwise = std::nullopt) const {
    const auto [at, missing] = find(path);
    setting.value = std::move(otherwise);
    setting.path = cat(model_.path, "/", path);
    setting.place = at.place;
    if (missing) return;
    const std::string field(path.substr(path.rfind('/') + 1));
    const proto::Entry entry = at.message.occurrences(field).back();
    setting.place = at.message.source().error(Code::BadFieldValue, entry, {}).place();
    setting.value = value_of(at.message, field, entry, T());
  }

 private:
  /// The message that has, or should have, the last part of the path; true if something of the path is missing.
  std::pair<Section, bool> find(std::string_view path) const {
    Section at = model_;
    for (size_t slash; (slash = path.find('/')) != std::string_view::npos; path.remove_prefix(slash + 1)) {
      std::optional<Section> next = section(at, path.substr(0, slash));
      if (!next) return {at, true};
      at = *std::move(next);
    }
    return {at, !at.message.has(path)};
  }

  [[noreturn]] static void refuse(const proto::Message& message, const proto::Entry& entry, std::string_view field,
                                  double value) {
    throw message.source().error(Code::BadFieldValue, entry, msg(field, " is ", value));
  }
  static int64_t value_of(const proto::Message& message, const std::string& field, const proto::Entry& entry, int64_t) {
    const int64_t value = message.get_int(field);
    if (value < 0 || value > kMost) refuse(message, entry, field, static_cast<double>(value));
    return value;
  }
  static double checked(const proto::Message& message, const std::string& field, const proto::Entry& entry,
                        double value) {
    if (!(std::fabs(value) <= static_cast<double>(kMost))) refuse(message, entry, field, value);
    return value;
  }
  static double value_of(const proto::Message& message, const std::string& field, const proto::Entry& entry, double) {
    return checked(message, field, entry, message.get_float(field));
  }
  static bool value_of(const proto::Message& message, const std::string& field, const proto::Entry&, bool) {
    return message.get_bool(field);
  }
  static std::string value_of(const proto::Message& message, const std::string& field, const proto::Entry&,
                              const std::string&) {
    return message.get_enum(field);
  }
  static std::vector<double> value_of(const proto::Message& message, const std::string& field,
                                      const proto::Entry& entry, const std::vector<double>&) {
    std::vector<double> values = message.floats(field);
    if (values.size() > kMostValues)
      throw message.source().error(Code::BadFieldValue, entry, msg(field, " has more than ", kMostValues, " values"));
    for (const double value : values)
      if (checked(message, field, entry, value) <= 0) refuse(message, entry, field, value);
    return values;
  }

  Section model_;
};

void read_anchors(const Reader& read, PipelineConfig& out) {
  const std::string ssd = "anchor_generator/ssd_anchor_generator";
  out.has_ssd_anchors = read.has(ssd);
  for (const char* name : {"/height_stride", "/width_stride", "/height_offset", "/width_offset"})
    out.has_shifted_anchors |= read.has(ssd + name);
  read(out.num_layers, ssd + "/num_layers", {6});
  read(out.min_scale, ssd + "/min_scale", {0.2});
  read(out.max_scale, ssd + "/max_scale", {0.95});
  read(out.scales, ssd + "/scales");
  read(out.aspect_ratios, ssd + "/aspect_ratios");
  read(out.interpolated_scale_aspect_ratio, ssd + "/interpolated_scale_aspect_ratio", {1.0});
  read(out.base_anchor_height, ssd + "/base_anchor_height", {1.0});
  read(out.base_anchor_width, ssd + "/base_anchor_width", {1.0});
  read(out.reduce_boxes_in_lowest_layer, ssd + "/reduce_boxes_in_lowest_layer", {true});

  const std::string multiscale = "anchor_generator/multiscale_anchor_generator";
  out.has_multiscale_anchors = read.has(multiscale);
  read(out.min_level, multiscale + "/min_level", {3});
  read(out.max_level, multiscale + "/max_level", {7});
  read(out.anchor_scale, multiscale + "/anchor_scale", {4.0});
  read(out.scales_per_octave, multiscale + "/scales_per_octave", {2});
  read(out.multiscale_aspect_ratios, multiscale + "/aspect_ratios");

  const std::string grid = "first_stage_anchor_generator/grid_anchor_generator";
  read(out.grid_height, grid + "/height", {256.0});
  read(out.grid_width, grid + "/width", {256.0});
  read(out.grid_height_stride, grid + "/height_stride", {16.0});
  read(out.grid_width_stride, grid + "/width_stride", {16.0});
  read(out.grid_scales, grid + "/scales");
  read(out.grid_aspect_ratios, grid + "/aspect_ratios");
}

void read_boxes(const Reader& read, PipelineConfig& out) {
  // Two-stage models name the coder of their second stage nowhere: its scales are the defaults.
  const std::string coder = "box_coder/faster_rcnn_box_coder";
  read(out.x_scale, coder + "/x_scale", {10.0});
  read(out.y_scale, coder + "/y_scale", {10.0});
  read(out.width_scale, coder + "/width_scale", {5.0});
  read(out.height_scale, coder + "/height_scale", {5.0});

  const std::string processing = out.kind == "ssd" ? "post_processing" : "second_stage_post_processing";
  const std::string suppression = processing + "/batch_non_max_suppression";
  read(out.score_converter, processing + "/score_converter", {"IDENTITY"});
  read(out.score_threshold, suppression + "/score_threshold");
  read(out.iou_threshold, suppression + "/iou_threshold");
  read(out.max_detections_per_class, suppression + "/max_detections_per_class");
  read(out.max_total_detections, suppression + "/max_total_detections");
  read(out.add_background_class, "add_background_class", {true});
}

void read_stages(const Reader& read, PipelineConfig& out) {
  read(out.first_stage_nms_score_threshold, "first_stage_nms_score_threshold");
  read(out.first_stage_nms_iou_threshold, "first_stage_nms_iou_threshold");
  read(out.first_stage_max_proposals, "first_stage_max_proposals");
  read(out.initial_crop_size, "initial_crop_size");
  read(out.use_matmul_crop_and_resize, "use_matmul_crop_and_resize", {false});
  read(out.share_box_across_classes, "second_stage_box_predictor/mask_rcnn_box_predictor/share_box_across_classes",
       {false});
  const std::string rfcn = "second_stage_box_predictor/rfcn_box_predictor";
  read(out.num_spatial_bins_height, rfcn + "/num_spatial_bins_height");
  read(out.num_spatial_bins_width, rfcn + "/num_spatial_bins_width");
  read(out.crop_height, rfcn + "/crop_height");
  read(out.crop_width, rfcn + "/crop_width");
}

}  // namespace

PipelineConfig read_pipeline_config(std::string text, std::string file) {
  const proto::Message whole = proto::read_text(std::move(text), {.file = file, .merge = true});
  const Section root{whole, {.file = file}, {}};
  const auto fail = [&](std::string_view path, const Place& place) {
    return Error(Code::PipelineFieldMissing, std::string(path), place);
  };
  const proto::Entries found = whole.occurrences("model");
  if (found.empty()) throw fail("model", {.file = file, .line = 1});
  Section model = *section(root, "model");
  model.path = "model";
  PipelineConfig out;
  out.place = model.place;
  for (const char* kind : {"ssd", "faster_rcnn"}) {
    const std::optional<Section> settings = section(model, kind);
    if (!settings) continue;
    out.kind = kind;
    const Reader read(*settings);
    read(out.num_classes, "num_classes");
    const std::string fixed = "image_resizer/fixed_shape_resizer", kept = "image_resizer/keep_aspect_ratio_resizer";
    read(out.image_height, fixed + "/height");
    read(out.image_width, fixed + "/width");
    const bool keeps = read.has(kept);
    read(out.min_dimension, kept + "/min_dimension", keeps ? std::optional<int64_t>(600) : std::nullopt);
    read(out.max_dimension, kept + "/max_dimension", keeps ? std::optional<int64_t>(1024) : std::nullopt);
    read(out.pad_to_max_dimension, kept + "/pad_to_max_dimension", {false});
    read_anchors(read, out);
    read_boxes(read, out);
    read_stages(read, out);
    return out;
  }
  throw fail("model/ssd or model/faster_rcnn", model.place);
}

}  // namespace mo::tf
