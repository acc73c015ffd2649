#include "core/front/pytorch/load/framework_node.h"

#include "core/base/proto/text_message.h"
#include "core/front/pytorch/load/program.h"
#include "core/graph/framework_node.h"

namespace mo::pytorch {
namespace {

FrameworkMessage read_again(const Node& node) {
  if (node.pb->size == 0) return {node.name(), {}};
  Window window(node.graph().files(), node.pb->file);
  return {node.name(), attributes_of(read_operation(window, node.pb->offset, node.pb->offset + node.pb->size))};
}

/// Nodes are no messages of protobuf.
proto::Message no_pytorch_message(const Node&) { return proto::read_text({}, {}); }

}  // namespace

const NodeFormat kNodeFormat{"pytorch", read_again, no_pytorch_message};

Attributes attributes_of(const Operation& operation) {
  using Kind = ProgramValue::Kind;
  Attributes out;
  for (const NamedArgument& input : operation.inputs) {
    const ProgramValue& value = input.value;
    switch (value.kind) {
      case Kind::Int: out.set(input.name, value.numbers.at(0)); break;
      case Kind::Ints:
      case Kind::Bools:
      case Kind::Tensors: out.set(input.name, value.numbers); break;
      case Kind::Float:
        if (value.names.empty())
          out.set(input.name, value.reals.at(0));
        else
          out.set(input.name, value.numbers.at(0));
        break;
      case Kind::Floats:
      case Kind::Complex: out.set(input.name, value.reals); break;
      case Kind::Bool:
        if (value.names.empty()) out.set(input.name, value.numbers.at(0) != 0);
        break;
      case Kind::Text: out.set(input.name, value.texts.at(0)); break;
      case Kind::Texts: out.set(input.name, value.texts); break;
      case Kind::MemoryFormat: out.set(input.name, value.numbers.at(0)); break;
      case Kind::Type: out.set(input.name, type_of_code(value.numbers.at(0))); break;
      default: break;
    }
  }
  return out;
}

}  // namespace mo::pytorch
