// Functions of operators.def for detection.

#include "core/front/common/detection_post_process.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

void extract_detection_post_process(Node& node) { become_detection_post_process(node); }

}  // namespace mo::tf
