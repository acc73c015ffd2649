// Functions of operators.def for operations whose attributes have other values in IR.

#include "core/front/onnx/extract/extractor.h"

namespace mo::onnx {

void extract_depth_to_space(Node& node) {
  const std::string mode = node.get_string("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") throw Error(Code::BadAttribute, msg("mode is '", mode, "'"));
  if (!node.has("blocksize")) throw Error(Code::MissingAttribute, "blocksize");
  node.set("mode", std::string(mode == "DCR" ? "blocks_first" : "depth_first"));
  node.set("block_size", node.get_int("blocksize"));
  node.set_op("DepthToSpace");
}

}  // namespace mo::onnx
