// Custom operators: TFLite_Detection_PostProcess and MediaPipe's; and windows of any function.

#include <algorithm>

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/tflite/extract/extractor.h"

namespace mo::tflite {
namespace {

constexpr int64_t kMostDetections = 1 << 15, kMostResults = 1 << 20;

}  // namespace

/// (encodings [1, n, 4...], scores [1, n, classes], anchors [n, 4])
void extract_detection_post_process(Node& node) {
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

/// (values, places within their windows)
void extract_max_unpooling(Node& node) {
  for (const int i : {0, 1}) require_input(node, i);
  const Ints options = node.get_ints("custom_options");
  if (options.size() < 5 || options[1] < 1 || options[2] < 1)
    throw Error(Code::BadAttribute, "its options: want padding, strides and sizes");
  node.attributes.erase("custom_options");
  node.set("window", Ints{options[2], options[1]});
  node.set_op("LiteMaxUnpooling");
}

/// (x, first value, sizes, strides and dilations of the windows)
void extract_reduce_window(Node& node) {
  constexpr const char* kFunctions[] = {"", "Add", "Mul", "Minimum", "Maximum", "LogicalAnd", "LogicalOr"};
  const int64_t function = node.get_int("reduce_function");
  if (function < 1 || function > 6) throw Error(Code::BadAttribute, msg("reduce_function is ", function));
  for (int i = 0; i < 5; ++i) require_input(node, i);
  node.attributes.erase("reduce_function");
  node.set("function", std::string(kFunctions[function]));
  node.set_op("ReduceWindow");
}

}  // namespace mo::tflite
