#include "core/front/common/detection_post_process.h"

#include <algorithm>

namespace mo {
namespace {

constexpr int64_t kMostDetections = 1 << 15, kMostResults = 1 << 20;

}  // namespace

void become_detection_post_process(Node& node) {
  for (int i = 0; i < 3; ++i) require_input(node, i);
  for (const char* key : {"max_detections", "nms_score_threshold", "nms_iou_threshold", "num_classes", "y_scale",
                          "x_scale", "h_scale", "w_scale"})
    if (!node.has(key)) throw Error(Code::MissingAttribute, msg(key));
  const bool regular = node.get_bool("use_regular_nms");
  const char* limit = regular ? "detections_per_class" : "max_classes_per_detection";  // the other one is not used
  for (const char* key : {"max_detections", "num_classes", limit})
    if (const int64_t n = node.get_int(key, 1); n < 1 || n > kMostDetections)
      throw Error(Code::BadAttribute, msg(key, " is ", n));
  const int64_t results = node.get_int("max_detections") *
                          std::min(node.get_int("max_classes_per_detection", 1), node.get_int("num_classes"));
  if (!regular && results > kMostResults) throw Error(Code::BadAttribute, msg("detections for ", results, " results"));
  for (const char* key : {"y_scale", "x_scale", "h_scale", "w_scale"})
    if (node.get_float(key) == 0) throw Error(Code::BadAttribute, msg(key, " is 0"));
  node.set_op("DetectionPostProcess");
}

}  // namespace mo
