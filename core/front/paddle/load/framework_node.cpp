#include "core/front/paddle/load/framework_node.h"

#include "core/base/proto/wire_message.h"
#include "core/front/paddle/load/program.h"
#include "core/graph/framework_node.h"
#include "paddle_messages.h"

namespace mo::paddle {
namespace {

WireField place_of(const FrameworkNode& node) {
  WireField place;
  place.type = WireField::Bytes;
  place.start = place.offset = node.offset;
  place.size = node.size;
  return place;
}

proto::Message message_of(const Node& node) {
  return proto::read_wire(node.graph().files(), node.pb->file, program::kSchema, program::kSchema.message("OpDesc"),
                          place_of(*node.pb));
}

FrameworkMessage read_again(const Node& node) {
  Window window(node.graph().files(), node.pb->file);
  return {node.name(), read_operator(window, place_of(*node.pb)).attributes};
}

}  // namespace

const NodeFormat kNodeFormat{"paddle", read_again, message_of};

}  // namespace mo::paddle
