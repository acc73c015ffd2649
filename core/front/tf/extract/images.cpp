// Functions of operators.def for images.

#include "core/base/text.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

void extract_crop_and_resize(Node& node) {
  const std::string method = node.get_string("method", "bilinear");
  if (method != "bilinear" && method != "nearest")
    throw Error(Code::BadAttribute, cat("method is '", printable(method), "'"));
  node.set_op(method == "nearest" ? "CropAndResizeNearest" : "CropAndResize");
}

}  // namespace mo::tf
