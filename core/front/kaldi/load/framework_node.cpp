#include "core/front/kaldi/load/framework_node.h"

#include "core/base/proto/text_message.h"
#include "core/graph/framework_node.h"

namespace mo::kaldi {
namespace {

/// Fields are values and places of the file: they are kept, and not read again.
FrameworkMessage fields_of(const Node& node) {
  return {node.name(), node.pb->elsewhere ? *node.pb->elsewhere : Attributes()};
}

/// Components are no messages of protobuf.
proto::Message without_message(const Node&) { return proto::read_text({}, {}); }

}  // namespace

const NodeFormat kNodeFormat{"kaldi", fields_of, without_message};

}  // namespace mo::kaldi
