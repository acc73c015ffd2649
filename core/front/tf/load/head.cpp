#include "core/front/tf/load/head.h"

#include "core/front/tf/load/tensor_proto.h"

namespace mo::tf {

void read_graph_head(const proto::Message& graph_def, ModelHead& head) {
  try {
    if (const int64_t version = graph_def.get_message("versions").get_int("producer"); version > 0)
      head.operator_sets = {{"tensorflow", version}};
  } catch (const Error&) {
  }
}

void read_meta_head(const proto::Message& meta_graph, ModelHead& head) {
  try {
    const proto::Message info = meta_graph.get_message("meta_info_def");
    head.tags = info.strings("tags");
    head.producer_version = info.get_string("tensorflow_version");
    if (!head.producer_version.empty()) head.producer = "TensorFlow";
    read_graph_head(meta_graph.get_message("graph_def"), head);
  } catch (const Error&) {
  }
}

void read_signature_head(const std::string& name, const proto::Message& signature, ModelHead& head) {
  head.signature = name;
  try {
    for (const proto::Message& entry : signature.messages("outputs")) {
      const proto::Message tensor = entry.get_message("value");
      ModelHead::Output& output = head.outputs[entry.get_string("key")];
      output.type = element_type(tensor.get_int("dtype")).value_or(ElementType::Unknown);
      if (tensor.has("tensor_shape")) output.shape = read_shape(tensor.get_message("tensor_shape"));
    }
  } catch (const Error&) {
  }
}

}  // namespace mo::tf
