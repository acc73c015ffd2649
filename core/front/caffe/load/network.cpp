#include "core/front/caffe/load/network.h"

#include <algorithm>
#include <map>

#include "caffe_model_messages.h"
#include "core/base/proto/text_message.h"
#include "core/base/text.h"
#include "core/front/caffe/custom/custom_layers.h"
#include "core/front/caffe/load/parameters.h"

namespace mo::caffe {
namespace {

proto::Message empty_message(int type) {
  return proto::read_text({}, {.schema = &net::kSchema, .type = type, .merge = true});
}

/// Today's names of V0's parameters.
std::string name_of_v0(const std::string& name) {
  constexpr std::string_view kNames[][2] = {
      {"biasterm", "bias_term"}, {"kernelsize", "kernel_size"}, {"batchsize", "batch_size"}, {"cropsize", "crop_size"}};
  for (const auto& [former, now] : kNames)
    if (former == name) return std::string(now);
  return name;
}

/// The parameters of a layer of this row that a text without any of them has.
Attributes default_parameters(const LayerRow* row) {
  if (!row) return {};
  const proto::FieldRow* field = net::kSchema.field(net::kSchema.message("LayerParameter"), fields_of(*row)[0]);
  return field && field->is_message() ? parameters_of(empty_message(field->type_index)) : Attributes();
}

void read_kind(LayerRecord& layer, const std::string& type) {
  layer.type = layer_type(type);
  layer.row = find_layer(layer.type);
}

/// What stands for a type of its own: Python layers for what they compute, a loss with a second top for the
/// probabilities that this top has.
std::string type_of(const proto::Message& message, std::string type) {
  if (type == "Python")
    if (std::string name = python_name(message); find_layer(name)) return name;
  return layer_type(type) == "SoftmaxWithLoss" && message.strings("top").size() > 1 ? "Softmax" : type;
}

/// V2, and V1, whose parameters have the same names.
void read_layer(LayerRecord& layer, bool is_v1) {
  const proto::Message& message = layer.message;
  layer.name = message.get_string("name");
  const std::string type = is_v1 ? message.get_enum("type") : message.get_string("type");
  read_kind(layer, type_of(message, type));
  if (layer.type == "Softmax" && layer_type(type) != layer.type) {
    layer.bottoms.resize(1);
    layer.tops.erase(layer.tops.begin());
  }
  if (is_v1) {
    layer.shared = message.strings("param");
  } else {
    for (const proto::Message& param : message.messages("param")) layer.shared.push_back(param.get_string("name"));
  }
  layer.parameters = default_parameters(layer.row);
  if (!layer.row) return;
  const Strings fields = fields_of(*layer.row);
  if (message.has(fields[0])) layer.own = message.get_message(fields[0]);
  for (const std::string& field : fields)
    if (message.has(field)) layer.parameters.update(parameters_of(message.get_message(field)));
}

void read_v0_layer(LayerRecord& layer) {
  layer.message = layer.message.get_message("layer");
  layer.own = layer.message;
  layer.name = layer.message.get_string("name");
  read_kind(layer, layer.message.get_string("type"));
  layer.parameters = default_parameters(layer.row);
  const Attributes all = parameters_of(layer.message);
  for (const auto& [name, value] : all)
    if (!is_one_of(name, {"name", "type", "blobs_lr", "weight_decay"})) layer.parameters.set(name_of_v0(name), value);
}

/// V0 had layers that pad what the next convolution or pooling reads.
void join_padding(std::vector<LayerRecord>& layers) {
  struct Padding {
    std::string bottom;
    Attribute pad;
  };
  std::map<std::string, Padding> paddings;
  std::erase_if(layers, [&](const LayerRecord& layer) {
    const Attribute* pad = layer.parameters.find("pad");
    if (layer.type != "padding" || !pad || layer.bottoms.size() != 1 || layer.tops.size() != 1) return false;
    paddings[layer.tops[0]] = {layer.bottoms[0], *pad};
    return true;
  });
  for (LayerRecord& layer : layers)
    for (std::string& bottom : layer.bottoms)
      if (const auto found = paddings.find(bottom); found != paddings.end() && layer.parameters.has("pad")) {
        layer.parameters.set("pad", found->second.pad);
        bottom = found->second.bottom;
      }
}

}  // namespace

proto::Message read_network(Files& files, FileId file) {
  return proto::read_text(
      files, file,
      {.schema = &net::kSchema, .type = net::kSchema.message("NetParameter"), .merge = true, .open_enum = kOpenEnum});
}

std::vector<LayerRecord> read_layers(const proto::Message& network, const Strings& stages, CustomLayers& custom,
                                     Model& model) {
  Strings all_stages = network.get_message("state").strings("stage");
  all_stages.insert(all_stages.end(), stages.begin(), stages.end());
  const bool is_v1 = !network.has("layer");
  bool has_v0 = false;
  std::vector<LayerRecord> out;
  for (const proto::Entry& entry : network.occurrences(is_v1 ? "layers" : "layer")) {
    const proto::Message message = network.message(entry);
    LayerRecord layer{.message = message, .own = empty_message(proto::Schema::kNone)};
    layer.place = network.source().error(Code::BadText, entry, {}).place();
    layer.offset = entry.field.offset, layer.size = entry.field.size;
    const auto where = [&] {
      Place place = layer.place;
      place.node = layer.name, place.op = layer.type;
      return place;
    };
    with_place(where, [&] {
      // The level of a network is 0 unless a program says otherwise.
      if (!is_included(message, all_stages, 0)) return;
      layer.bottoms = message.strings("bottom");
      layer.tops = message.strings("top");
      const bool is_v0 = is_v1 && message.has("layer");
      has_v0 |= is_v0;
      is_v0 ? read_v0_layer(layer) : read_layer(layer, is_v1);
      custom.classify(layer, model);
      layer.place = where();
      out.push_back(std::move(layer));
    });
  }
  if (has_v0) join_padding(out);
  return out;
}

}  // namespace mo::caffe
