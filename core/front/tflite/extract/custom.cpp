// Custom operators: TFLite_Detection_PostProcess and MediaPipe's; and windows of any function.

#include "core/front/common/detection_post_process.h"
#include "core/front/tflite/extract/extractor.h"

namespace mo::tflite {

void extract_detection_post_process(Node& node) { become_detection_post_process(node); }

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
