#include "core/front/caffe/load/graph_loader.h"

#include "core/base/text.h"
#include "core/front/caffe/load/framework_node.h"
#include "core/front/caffe/load/parameters.h"
#include "core/front/expansion.h"
#include "core/graph/framework_node.h"

namespace mo::caffe {
namespace {

constexpr size_t kMostPorts = 4096;

}  // namespace

void GraphLoader::load(const proto::Message& network, const Strings& stages, CustomLayers& custom) {
  version_ = network.has("layer") ? 2 : 1;
  for (const NetworkInput& input : inputs_of(network)) add_input(input.name, input.name, input.shape);
  for (const LayerRecord& layer : read_layers(network, stages, custom, graph_.model())) {
    graph_.model().beat();
    try {
      add_layer(layer);
    } catch (Error& error) {
      error.placed(layer.place);
      if (!error.is_reported()) diagnostics_.add(error);
      for (const std::string& top : layer.tops) tensors_[top].failed = true;
    }
  }
  if (!diagnostics_.has_errors()) add_results();
}

Node& GraphLoader::add_input(const std::string& name, const std::string& tensor, const PartialShape& shape,
                             bool is_data) {
  require_short_name(name), require_short_name(tensor);
  if (tensors_.count(tensor)) throw Error(Code::DuplicateTensor, printable(tensor));
  Node& node = graph_.add_node("Parameter", name);
  node.add_out_ports(1);
  node.set("shape", shape);
  node.set("data_type", ElementType::F32);
  tensors_[tensor] = {.port = node.out(0), .is_input = true, .is_data = is_data};
  order_.push_back(tensor);
  return node;
}

void GraphLoader::describe(Node& node, const LayerRecord& layer) const {
  FrameworkNode origin{layer.type, {}, version_, text_, layer.offset, layer.size};
  origin.line = layer.place.line, origin.column = layer.place.column;
  origin.format = &kNodeFormat;
  node.pb = std::make_shared<FrameworkNode>(std::move(origin));
}

void GraphLoader::add_layer(const LayerRecord& layer) {
  if (layer.bottoms.size() > kMostPorts || layer.tops.size() > kMostPorts)
    throw Error(Code::TooDeep, msg("more than ", kMostPorts, " bottoms or tops"));
  require_short_name(layer.name);
  for (const std::string& top : layer.tops) require_short_name(top);
  using Role = LayerRow::Role;
  const Role role = layer.row ? layer.row->role : Role::Node;
  switch (role) {
    case Role::Node: return add_nodes(layer);
    case Role::Input:
    case Role::Data: {
      const auto shapes = role == Role::Input ? shapes_of_input(layer) : shapes_of_data(layer);
      for (size_t i = 0; i < layer.tops.size(); ++i)
        describe(add_input(layer.tops.size() == 1 ? layer.name : layer.tops[i], layer.tops[i], shapes[i],
                           role == Role::Data),
                 layer);
      return;
    }
    case Role::Copy:
      if (layer.bottoms.size() != 1) throw Error(Code::MissingInput, msg(layer.bottoms.size(), " bottoms for 1"));
      for (size_t i = 0; i < layer.tops.size(); ++i)
        define(i, layer.bottoms, layer.tops[i], read(layer.bottoms[0]).port);
      return;
    case Role::Blob: return add_blob(layer);
    case Role::Silence:
      for (const std::string& bottom : layer.bottoms)
        if (const auto found = tensors_.find(bottom); found != tensors_.end()) found->second.is_silent = true;
      return;
    case Role::Vanish:
      for (const std::string& top : layer.tops)
        if (!tensors_.count(top)) tensors_[top] = {};
      return;
  }
}

/// A layer without bottoms. Blobs of old files have four dimensions.
void GraphLoader::add_blob(const LayerRecord& layer) {
  if (!layer.bottoms.empty() || layer.tops.size() != 1)
    throw Error(Code::ExtraPort, msg(layer.bottoms.size(), " bottoms, ", layer.tops.size(), " tops"));
  const BlobRows rows{.rows = std::vector<BlobRow>(1)};
  require_one_of_its_name(layer, rows);
  Attributes attributes;
  const OutPort blob = blobs_of(layer, rows, {}, attributes)[0];
  const Constant* value = blob ? blob.node().get_constant("value") : nullptr;
  if (!value) throw Error::reported();
  const Ints* shape = layer.parameters.get_if<Ints>("shape");
  if (shape && element_count(*shape) != value->elements())
    throw Error(Code::ShapeMismatch,
                msg("blob ", 0, " is [", join(value->shape), "], the layer wants [", join(*shape), "]"));
  Node& node = graph_.constant(shape ? reshape(*value, *shape) : *value, layer.name);
  describe(node, layer);
  define(0, {}, layer.tops[0], node.out(0));
}

/// Layers that write files and the like have no tops: what they read is an output.
void GraphLoader::add_nodes(const LayerRecord& layer) {
  if (layer.tops.empty() && layer.op.empty()) {
    if (layer.row) throw Error(Code::MissingField, "top");
    return;
  }
  warn_of_unknown_fields(layer);
  const BlobRows rows = layer.row ? blob_rows(*layer.row) : BlobRows{.any = true};
  require_one_of_its_name(layer, rows);
  if (!rows.each || layer.bottoms.size() < 2 || layer.bottoms.size() != layer.tops.size())
    return add_node(layer, rows, layer.bottoms, layer.tops);
  for (size_t i = 0; i < layer.bottoms.size(); ++i) add_node(layer, rows, {layer.bottoms[i]}, {layer.tops[i]});
}

void GraphLoader::add_node(const LayerRecord& layer, const BlobRows& rows, const Strings& bottoms,
                           const Strings& tops) {
  std::vector<OutPort> sources;
  for (const std::string& bottom : bottoms) sources.push_back(read(bottom).port);
  Attributes attributes = layer.parameters;
  attributes.set("bottoms", static_cast<int64_t>(bottoms.size()));
  for (const OutPort blob : blobs_of(layer, rows, sources.empty() ? OutPort() : sources[0], attributes))
    sources.push_back(blob);
  Node& node = graph_.add_node(layer.op.empty() ? layer.type : layer.op, layer.name);
  node.attributes = std::move(attributes);
  describe(node, layer);
  node.add_in_ports(static_cast<int>(sources.size()));
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i]) node.in(static_cast<int>(i)).connect(sources[i]);
  node.add_out_ports(static_cast<int>(tops.size()));
  for (size_t i = 0; i < tops.size(); ++i) define(i, bottoms, tops[i], node.out(static_cast<int>(i)));
}

/// Numbers may depend on a field of a fork.
void GraphLoader::warn_of_unknown_fields(const LayerRecord& layer) {
  if (!layer.row) return;
  const auto warn = [&](const std::string& message, const std::string& name) {
    const std::string field = message + name;
    if (warned_.insert(layer.type + "." + field).second)
      diagnostics_.warn(Code::UnknownField, msg(field, " of ", printable(layer.name)), layer.place);
  };
  const bool is_v0 = layer.message.type() == "V0LayerParameter";
  for (const std::string& field : unknown_fields(layer.message)) warn("", field);
  if (layer.own.schema() && !is_v0)
    for (const std::string& field : unknown_fields(layer.own)) warn(fields_of(*layer.row)[0] + ".", field);
}

GraphLoader::Tensor& GraphLoader::read(const std::string& tensor) {
  const auto found = tensors_.find(tensor);
  if (found == tensors_.end()) throw Error(Code::UnknownTensor, printable(tensor));
  if (found->second.failed) throw Error::reported();
  if (!found->second.port)
    throw Error(Code::UnknownTensor, msg(printable(tensor), ", which a layer for training makes"));
  found->second.is_read = true;
  return found->second;
}

/// Throws DuplicateTensor unless the layer writes what it reads at the same place.
void GraphLoader::define(size_t top, const Strings& bottoms, const std::string& name, OutPort port) {
  const bool is_in_place = top < bottoms.size() && bottoms[top] == name;
  if (!is_in_place && tensors_.count(name)) throw Error(Code::DuplicateTensor, printable(name));
  if (!is_in_place) order_.push_back(name);
  Tensor& tensor = tensors_[name];
  tensor = {.port = port, .input = tensor.is_input ? tensor.port : tensor.input};
}

/// What no layer reads is an output. A tensor has the name of Caffe's blob, but for those that a later layer writes
/// anew, and those whose name is that of another layer: a name must mean one thing. An input keeps its name, and what
/// is written in its place has that of the layer if it is an output.
void GraphLoader::add_results() {
  std::vector<Node*> unread;
  for (const std::string& name : order_) {
    const Tensor& tensor = tensors_[name];
    if (!tensor.port) continue;
    const bool is_output = !tensor.is_read && !tensor.is_silent && !tensor.is_input;
    Node& node = tensor.port.node();
    const OutPort named = tensor.input ? tensor.input : tensor.port;
    const Node* other = graph_.find(name);
    if ((is_output && !tensor.input) || !other || other == &named.node()) named.tensor().add_name(name);
    if (is_output && tensor.input && !tensors_.count(node.name())) tensor.port.tensor().add_name(node.name());
    if (tensor.is_data && tensor.port.disconnected()) unread.push_back(&node);
    if (!is_output) continue;
    Node& result = graph_.add_node("Result", node.name() + "/sink_port_0");
    result.add_in_ports(1);
    result.in(0).connect(tensor.port);
  }
  graph_.remove(unread);
}

}  // namespace mo::caffe
