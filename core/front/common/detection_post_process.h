// TFLite_Detection_PostProcess, which TensorFlow's exporter writes into graphs for TensorFlow Lite's converter.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// The node, (encodings [1, n, 4...], scores [1, n, classes], anchors [n, 4]) with the operation's attributes, becomes
/// DetectionPostProcess. Throws MissingInput, MissingAttribute, and BadAttribute for numbers out of range.
void become_detection_post_process(Node& node);

}  // namespace mo
