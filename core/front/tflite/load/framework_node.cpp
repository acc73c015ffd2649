#include "core/front/tflite/load/framework_node.h"

#include "core/base/proto/text_message.h"
#include "core/front/tflite/load/options.h"
#include "core/graph/framework_node.h"

namespace mo::tflite {
namespace {

FrameworkMessage read_again(const Node& node) {
  FlatFile file(node.graph().files(), node.pb->file);
  OperatorRecord record;
  record.name = node.pb->op;
  record.code = operator_code(record.name);
  record.table = FlatTable(file, node.pb->offset);
  return {node.name(), read_options(record, 0)};
}

/// Operators are no messages of protobuf.
proto::Message no_message(const Node&) { return proto::read_text({}, {}); }

}  // namespace

const NodeFormat kNodeFormat{"tflite", read_again, no_message};

}  // namespace mo::tflite
