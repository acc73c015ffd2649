#include "core/front/onnx/load/framework_node.h"

#include "core/base/proto/wire_message.h"
#include "core/front/onnx/load/attribute_proto.h"
#include "core/graph/framework_node.h"
#include "onnx_messages.h"

namespace mo::onnx {
namespace {

/// The place of the message; empty for a node that was not in the file.
WireField place_of(Window& window, const FrameworkNode& node) {
  WireField message;
  WireReader(window, node.offset, node.offset + node.size).next(message);
  return message;
}

proto::Message node_message(const Node& node) {
  Files& files = node.graph().files();
  Window window(files, node.pb->file);
  return read_wire(files, node.pb->file, pb::kSchema, pb::kSchema.message("NodeProto"), place_of(window, *node.pb));
}

FrameworkMessage read_node(const Node& node) {
  Files& files = node.graph().files();
  Window window(files, node.pb->file);
  FrameworkMessage out;
  std::vector<WireField> attributes;
  WireReader reader(window, place_of(window, *node.pb));
  for (WireField f; reader.next(f);) {
    if (!f.is_bytes()) continue;
    if (f.number == pb::NodeProto::name) out.name = wire_text(window, f);
    if (f.number == pb::NodeProto::attribute) attributes.push_back(f);
  }
  Bodies bodies;
  out.attributes = read_attributes(window, files, attributes, nullptr, bodies);
  return out;
}

}  // namespace

const NodeFormat kNodeFormat{"onnx", read_node, node_message};

}  // namespace mo::onnx
