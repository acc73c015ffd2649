#include "core/front/caffe/load/framework_node.h"

#include "caffe_model_messages.h"
#include "core/base/proto/text_message.h"
#include "core/front/caffe/custom/written.h"
#include "core/front/caffe/load/parameters.h"
#include "core/graph/framework_node.h"

namespace mo::caffe {
namespace {

/// The place of a layer is that of its message with the braces. `domain` is empty; V1 has another message.
proto::Message layer_message(const Node& node) {
  const FrameworkNode& at = *node.pb;
  Files& files = node.graph().files();
  std::vector<std::byte> bytes(at.size > 2 ? static_cast<size_t>(at.size - 2) : 0);
  if (!bytes.empty()) files.read(at.file, at.offset + 1, bytes);
  const char* const type = at.since == 1 ? "V1LayerParameter" : "LayerParameter";
  return proto::read_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                          {.file = files.name(at.file),
                           .schema = &net::kSchema,
                           .type = net::kSchema.message(type),
                           .merge = true,
                           .open_enum = kOpenEnum});
}

FrameworkMessage read_again(const Node& node) {
  const proto::Message layer = layer_message(node);
  Attributes out = parameters_of(layer);
  out.update(custom_parameters(layer));
  return {layer.get_string("name"), std::move(out)};
}

}  // namespace

const NodeFormat kNodeFormat{"caffe", read_again, layer_message};

}  // namespace mo::caffe
