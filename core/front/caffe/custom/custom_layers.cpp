#include "core/front/caffe/custom/custom_layers.h"

#include "core/base/text.h"
#include "core/front/caffe/load/network.h"
#include "core/front/common/first_names.h"
#include "core/graph/framework_node.h"
#include "core/ops/contract.h"

namespace mo::caffe {
namespace {

/// Attributes of every node: a parameter of such a name has another one in the node.
constexpr std::string_view kTaken[] = {"id", "name", "precision", "type",    "layer",         "value",      "shape",
                                       "op", "kind", "infer",     "bottoms", "preprocessing", kWrittenNames};

const CustomOp* definition_of(const Node& node);

/// The provider sees the shapes of what the layer reads, without its blobs.
void infer_custom(InferContext& c) {
  Node& node = c.node();
  const CustomOp* const op = definition_of(node);
  if (!op || !op->shapes) throw Error(Code::NoShapes, node.name(), node.place());
  std::vector<PartialShape> inputs;
  for (int i = 0; i < static_cast<int>(node.get_int("bottoms")) && i < c.in_count(); ++i) inputs.push_back(c.shape(i));
  const std::vector<PartialShape> outputs = op->shapes(node, inputs);
  if (outputs.size() != static_cast<size_t>(node.out_count()))
    throw Error(Code::ExtensionFailed,
                msg("the shape provider gave ", outputs.size(), " shapes for ", node.out_count(), " outputs"),
                node.place());
  const ElementType type = c.in_count() > 0 ? c.type(0) : ElementType::F32;
  for (int i = 0; i < node.out_count(); ++i) c.set(i, outputs[static_cast<size_t>(i)], type);
}

void add(IrAttributes& out, const std::string& name, const Attribute& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return out.add(name, *text);
  if (const auto* flag = std::get_if<bool>(&value)) return out.add(name, int64_t{*flag});
  if (const auto* number = std::get_if<int64_t>(&value)) return out.add(name, *number);
  if (const auto* real = std::get_if<double>(&value)) return out.add(name, *real);
  if (const auto* ints = std::get_if<Ints>(&value)) return out.add(name, *ints);
  if (const auto* reals = std::get_if<Doubles>(&value)) return out.add(name, *reals);
  if (const auto* texts = std::get_if<Strings>(&value)) return out.add(name, *texts);
}

void custom_attributes(const Node& node, IrAttributes& out) {
  const Strings names = node.get_strings(kWrittenNames);
  for (size_t i = 0; i + 1 < names.size(); i += 2)
    if (const Attribute* value = node.attributes.find(names[i + 1])) add(out, names[i], *value);
}

/// Null for a node whose operation has been changed since.
const CustomOp* definition_of(const Node& node) {
  const auto& ops = node.graph().model().user_ops;
  const auto found = ops.find(node.op());
  const bool is_custom = found != ops.end() && found->second->infer == infer_custom;
  return is_custom ? static_cast<const CustomOp*>(found->second) : nullptr;
}

std::string type_in_text(const proto::Message& layer) {
  return layer.type() == "V1LayerParameter" ? layer.get_enum("type") : layer.get_string("type");
}

/// The name of an extension of protobuf has brackets, which XML does not allow.
std::string xml_name(std::string name) {
  for (char& c : name)
    if (c == '[' || c == ']' || c == '/') c = '_';
  return name;
}

void set_written(Attributes& out, const Written& written) {
  Strings names;
  for (const auto& [field, value] : written) {
    const std::string name = xml_name(field);
    std::string key = name;
    for (int i = 1; is_one_of(key, kTaken) || (key != name && out.has(key)); ++i) key = cat(name, "_", i);
    out.set(key, value);
    names.push_back(name);
    names.push_back(key);
  }
  out.set(kWrittenNames, names);
}

}  // namespace

std::string python_name(const proto::Message& layer) {
  if (!layer.has("python_param")) return {};
  const proto::Message python = layer.get_message("python_param");
  const std::string module = python.get_string("module"), name = python.get_string("layer");
  return module.empty() || name.empty() ? std::string() : cat(module, ".", name);
}

CustomOp::CustomOp(std::string name, std::string ir_type, const ShapeProvider& provider)
    : OpDef{}, op_name(std::move(name)), type_name(std::move(ir_type)), shapes(provider) {
  op = op_name;
  type = type_name;
  version = "experimental";
  infer = infer_custom;
  ir_attributes = custom_attributes;
}

CustomLayers::CustomLayers(const LoadRequest& request)
    : written_{request.options.has("disable_omitting_optional"),
               request.options.has("enable_flattening_nested_params")},
      shapes_(request.shapes) {
  const Companion file = request.companion(kMapping);
  if (file.state == Companion::State::Present)
    mapping_ = Mapping(request.graph.files(), file.files.at(0), request.diagnostics);
}

void CustomLayers::classify(LayerRecord& layer, Model& model) {
  const std::string type = type_in_text(layer.message);
  const MappedType* const mapped = mapping_.find(type);
  if (!mapped) {
    // A layer of V0 has its parameters beside its name, and they are read.
    if (layer.row || layer.message.type() == "V0LayerParameter") return;
    if (const std::string name = python_name(layer.message); type == "Python" && !name.empty()) layer.type = name;
    layer.parameters = custom_parameters(layer.message);
    return;
  }
  layer.type = type;
  layer.row = nullptr;
  layer.op = op_of(type, model);
  layer.parameters = {};
  Written written;
  if (mapped->has_parameters) {
    const proto::Message& message = layer.message;
    const proto::FieldRow* row = message.row(mapped->parameters);
    if (message.has(mapped->parameters) || (row && row->is_message()))
      written = written_attributes(message.get_message(mapped->parameters), written_);
  }
  set_written(layer.parameters, written);
}

/// The type itself, unless that is the name of an operation of this program.
const std::string& CustomLayers::op_of(const std::string& type, Model& model) {
  std::unique_ptr<CustomOp>& made = ops_[type];
  if (!made) {
    std::string name = type;
    while (find_op(name) || find_contract(name)) name += "Layer";
    made = std::make_unique<CustomOp>(name, type, shapes_);
    model.user_ops[made->op_name] = made.get();
  }
  return made->op_name;
}

bool CustomLayers::is_mapped(const Node& node) const { return definition_of(node) != nullptr; }

void CustomLayers::require_shapes(Graph& graph) const {
  if (shapes_ || ops_.empty()) return;
  Strings layers;
  for (const Node* node : graph.nodes())
    if (is_mapped(*node)) layers.push_back(cat(node->name(), " (", node->pb->op, ")"));
  if (!layers.empty()) graph.model().diagnostics.add(Error(Code::NoShapes, first_names(layers)));
}

}  // namespace mo::caffe
