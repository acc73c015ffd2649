#include "core/front/onnx/load/framework_node.h"

#include "core/base/proto/wire_message.h"
#include "core/front/onnx/load/attribute_proto.h"
#include "onnx_messages.h"

namespace mo::onnx {
namespace {

proto::Message node_message(const Node& node) {
  const FrameworkNode& place = *node.pb;
  Files& files = node.graph().files();
  Window window(files, place.file);
  WireField message;
  WireReader(window, place.offset, place.offset + place.size).next(message);
  return read_wire(files, place.file, pb::kSchema, pb::kSchema.message("NodeProto"), message);
}

FrameworkMessage read_node(const Node& node) {
  const proto::Message message = node_message(node);
  Files& files = node.graph().files();
  Window window(files, node.pb->file);
  std::vector<WireField> attributes;
  for (const proto::Entry& entry : message.occurrences("attribute")) attributes.push_back(entry.field);
  Bodies bodies;
  return {message.get_string("name"), read_attributes(window, files, attributes, nullptr, bodies)};
}

}  // namespace

const NodeFormat kNodeFormat{"onnx", read_node, node_message};

}  // namespace mo::onnx
