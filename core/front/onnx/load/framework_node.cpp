#include "core/front/onnx/load/framework_node.h"

#include "core/front/onnx/load/attribute_proto.h"
#include "core/graph/framework_node.h"

namespace mo::onnx {

FrameworkMessage read_framework_message(const Node& node) {
  const FrameworkNode& pb = *node.pb;
  FrameworkMessage out;
  Window window(node.graph().files(), pb.file);
  std::vector<WireField> attributes;
  WireField message;
  if (!WireReader(window, pb.offset, pb.offset + pb.size).next(message)) return out;
  WireReader reader(window, message);
  for (WireField f; reader.next(f);) {
    if (!f.is_bytes()) continue;
    if (f.number == 3) out.name = wire_text(window, f);
    if (f.number == 5) attributes.push_back(f);
  }
  Bodies bodies;
  out.attributes = read_attributes(window, node.graph().files(), attributes, nullptr, bodies);
  return out;
}

}  // namespace mo::onnx
