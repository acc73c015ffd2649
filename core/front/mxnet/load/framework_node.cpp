#include "core/front/mxnet/load/framework_node.h"

#include "core/base/proto/text_message.h"
#include "core/front/mxnet/load/symbol.h"
#include "core/graph/framework_node.h"

namespace mo::mxnet {
namespace {

FrameworkMessage read_again(const Node& node) {
  Window window(node.graph().files(), node.pb->file);
  SymbolNode read = read_symbol_node(window, node.pb->offset, node.pb->size);
  return {std::move(read.name), std::move(read.attributes)};
}

/// Nodes are no messages of protobuf.
proto::Message no_message(const Node&) { return proto::read_text({}, {}); }

}  // namespace

const NodeFormat kNodeFormat{"mxnet", read_again, no_message};

}  // namespace mo::mxnet
