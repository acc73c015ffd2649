// Functions of operators.def for operations that change shapes.

#include "core/base/text.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

/// Without dimensions all those of 1 are removed.
void extract_squeeze(Node& node) {
  const Ints axes = node.get_ints("squeeze_dims", node.get_ints("axis"));
  node.attributes.erase("squeeze_dims");
  if (!axes.empty()) node.set("axes", axes);
  node.set_op("AttributedSqueeze");
}

void extract_pad(Node& node) {
  node.set("mode", std::string("constant"));
  node.set_op("TFPad");
}

void extract_mirror_pad(Node& node) {
  const std::string mode = node.get_string("mode");
  if (mode != "REFLECT" && mode != "SYMMETRIC") throw Error(Code::BadAttribute, msg("mode is '", printable(mode), "'"));
  node.set("mode", std::string(mode == "REFLECT" ? "reflect" : "symmetric"));
  node.set_op("TFPad");
}

}  // namespace mo::tf
