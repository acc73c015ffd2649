#include "core/front/tf/load/graph_loader.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/front/tf/extract/extractor.h"
#include "core/front/tf/load/framework_node.h"
#include "core/front/tf/load/outputs.h"
#include "core/graph/framework_node.h"

namespace mo::tf {
namespace {

/// More would be a mistake of the file: no operation has as many.
constexpr int64_t kMostOutputs = 1 << 16;

/// "name:3" is output 3 of a node, "name" output 0. Names may contain colons.
struct TensorName {
  std::string_view node;
  int64_t port = 0;
};
TensorName tensor_name(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {text};
  const auto port = parse_int(text.substr(colon + 1));
  if (!port || *port < 0) return {text};
  return {text.substr(0, colon), *port};
}

/// Convolutions, whose data_format decides where a model has its channels.
bool is_convolution(std::string_view op) {
  return op == "Conv2D" || op == "DepthwiseConv2dNative" || op == "Conv3D" || op == "Conv2DBackpropInput" ||
         op == "Conv3DBackpropInputV2";
}

/// Operations that are no outputs of a model, although nothing reads them.
bool is_never_output(const std::string& name, std::string_view op) {
  constexpr std::string_view kNever[] = {"Const", "Assign", "NoOp", "Assert", "Parameter"};
  const std::string_view last = std::string_view(name).substr(name.rfind('/') + 1);
  const auto is = [&](std::string_view word) { return op == word || last == word; };
  return std::any_of(std::begin(kNever), std::end(kNever), is);
}

/// Inputs and constants are Model Optimizer's operations from the start, so that cutting knows them. False for others.
bool make_boundary(Node& node) {
  if (node.op() == "Const") {
    const Constant* value = node.get_constant("value");
    if (!value) throw Error(Code::MissingAttribute, "value", node.place());
    node.attributes = Attributes{{"value", Constant(*value)}};
  } else if (node.op() == "Placeholder") {
    const PartialShape* shape = node.attributes.get_if<PartialShape>("shape");
    PartialShape known = shape ? *shape : PartialShape();
    const int64_t* complex = node.attributes.get_if<int64_t>("dtype");
    const bool pairs = complex && is_complex(*complex);
    if (pairs && known.has_rank()) {
      std::vector<Dimension> sizes = known.dimensions();
      sizes.push_back(2);
      known = PartialShape(sizes);
    }
    const ElementType type = !pairs                               ? type_of(node, "dtype")
                             : type_name(*complex) == "complex64" ? ElementType::F32
                                                                  : ElementType::F64;
    node.attributes = Attributes{{"shape", known}, {"data_type", type}};
    node.set_op("Parameter");
  } else {
    return false;
  }
  node.add_out_ports(1);
  return true;
}

}  // namespace

void GraphLoader::load(const proto::Message& graph_def) {
  for (const proto::Entry& entry : graph_def.occurrences("node")) {
    try {
      add_node(graph_def.message(entry), entry);
    } catch (Error& error) {
      Place& place = error.place();
      if (place.file.empty()) {
        const Place at = graph_def.source().error(error.code(), entry, {}).place();
        place.file = at.file, place.offset = at.offset, place.line = at.line, place.column = at.column;
      }
      diagnostics_.add(error);
    }
  }
  for (const Loaded& loaded : nodes_) connect(loaded);
  name_outputs();
  add_results();
  choose_layout();
  // Assertions, initializers and the like.
  if (!diagnostics_.has_errors()) graph_.clean_up();
}

void GraphLoader::add_node(const proto::Message& message, const proto::Entry& entry) {
  NodeDef def = read_node(origin_, message);
  if (by_name_.count(def.name)) throw Error(Code::DuplicateNode, printable(def.name), {.node = def.name, .op = def.op});
  Node& node = graph_.add_node(def.op, def.name);
  by_name_.emplace(def.name, &node);
  node.attributes = std::move(def.attributes);
  nodes_.push_back({&node, std::move(def.inputs)});
  if (make_boundary(node)) return;
  const WireField& at = entry.field;
  FrameworkNode origin{def.op, {}, 0, origin_.file, at.start, at.end() - at.start};
  if (origin_.is_text) {
    const Place place = message.source().error(Code::BadText, entry, {}).place();
    origin.offset = at.offset, origin.size = at.size, origin.line = place.line, origin.column = place.column;
  }
  origin.format = &kNodeFormat;
  node.pb = std::make_shared<FrameworkNode>(std::move(origin));
  node.add_out_ports(static_cast<int>(output_count(node, kMostOutputs)));
}

void GraphLoader::connect(const Loaded& loaded) {
  Node& node = *loaded.node;
  int port = 0;
  for (const std::string& input : loaded.inputs) {
    if (input.starts_with('^')) continue;  // only says when it runs
    node.add_in_ports(++port);
    const TensorName name = tensor_name(input);
    const auto found = by_name_.find(std::string(name.node));
    if (found != by_name_.end() && name.port < kMostOutputs) {
      found->second->add_out_ports(static_cast<int>(name.port) + 1);
      node.in(port - 1).connect(found->second->out(static_cast<int>(name.port)));
    } else if (!diagnostics_.has_errors()) {  // otherwise the node may be one that failed to load
      Place place = node.place();
      place.tensor = input;
      diagnostics_.add(Error(Code::UnknownTensor, printable(input), place));
    }
  }
}

/// Both forms of a tensor's name are in use: "name:0", and "name" for output 0.
void GraphLoader::name_outputs() {
  for (const Loaded& loaded : nodes_)
    for (int i = 0; i < loaded.node->out_count(); ++i) {
      auto& names = loaded.node->out(i).tensor().names;
      names.push_back(cat(loaded.node->name(), ":", i));
      if (i == 0) names.push_back(loaded.node->name());
    }
}

void GraphLoader::add_results() {
  for (const Loaded& loaded : nodes_) {
    Node& node = *loaded.node;
    const auto is_free = [&](int i) { return node.out(i).disconnected(); };
    bool read = is_never_output(node.name(), node.op());
    for (int i = 0; i < node.out_count(); ++i) read |= !is_free(i);
    if (read) continue;
    const int outputs = std::min(node.out_count(), result_count(node));
    for (int i = 0; i < outputs; ++i) {
      Node& result = graph_.add_node("Result", cat(node.name(), "/sink_port_", i));
      result.add_in_ports(1);
      result.in(0).connect(node.out(i));
    }
  }
}

void GraphLoader::choose_layout() {
  for (const Loaded& loaded : nodes_) {
    const Node& node = *loaded.node;
    if (is_convolution(node.op()) && node.get_string("data_format", "NHWC").ends_with('C'))
      graph_.model().layout = DataLayout::Nhwc;
  }
}

}  // namespace mo::tf
