#include "core/front/tf/load/framework_node.h"

#include "core/base/proto/text_message.h"
#include "core/base/proto/wire_message.h"
#include "core/front/tf/load/node_def.h"
#include "core/graph/framework_node.h"
#include "tensorflow_messages.h"

namespace mo::tf {
namespace {

/// In a text, the node's place is that of the message with its braces.
proto::Message node_message(const Node& node) {
  const FrameworkNode& at = *node.pb;
  Files& files = node.graph().files();
  const int type = pb::kSchema.message("NodeDef");
  if (at.line == 0) {
    WireField place;
    Window window(files, at.file);
    WireReader(window, at.offset, at.offset + at.size).next(place);
    return read_wire(files, at.file, pb::kSchema, type, place);
  }
  std::vector<std::byte> bytes(at.size > 2 ? static_cast<size_t>(at.size - 2) : 0);
  if (!bytes.empty()) files.read(at.file, at.offset + 1, bytes);
  return proto::read_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                          {.file = files.name(at.file), .schema = &pb::kSchema, .type = type, .merge = true});
}

FrameworkMessage read_again(const Node& node) {
  const Origin origin{node.graph().files(), node.pb->file, node.pb->line != 0};
  NodeDef found = read_node(origin, node_message(node));
  return {std::move(found.name), std::move(found.attributes)};
}

}  // namespace

const NodeFormat kNodeFormat{"tf", read_again, node_message};

}  // namespace mo::tf
