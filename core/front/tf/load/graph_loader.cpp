#include "core/front/tf/load/graph_loader.h"

#include <algorithm>
#include <functional>

#include "core/base/text.h"
#include "core/front/tf/extract/extractor.h"
#include "core/front/tf/load/conditions.h"
#include "core/front/tf/load/frames.h"
#include "core/front/tf/load/framework_node.h"
#include "core/front/tf/load/outputs.h"
#include "core/front/tf/load/states.h"
#include "core/front/tf/load/tensor_proto.h"
#include "core/graph/framework_node.h"

namespace mo::tf {
namespace {

/// The longest chain of calls that pass an argument on. A longer one is a call that reads itself.
constexpr int kLongestWay = 1000;

/// "name:3" is output 3 of a node, "name" output 0. In a function "name:y:0" is element 0 of its output y.
struct TensorName {
  std::string node, output;
  int64_t index = 0;
};
TensorName tensor_name(const std::string& text, bool in_function) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, {}, 0};
  const auto index = parse_int(std::string_view(text).substr(colon + 1));
  if (!index || *index < 0) return {text, {}, 0};
  const std::string rest = text.substr(0, colon);
  const size_t before = in_function ? rest.rfind(':') : std::string::npos;
  if (before == std::string::npos) return {rest, {}, *index};
  return {rest.substr(0, before), rest.substr(before + 1), *index};
}

/// Whether a node gives a handle or a variant, of which no numbers can be seen: data sets, tables, queues, lists.
bool gives_no_numbers(const Node& node) {
  constexpr std::string_view kLists[] = {"TensorListReserve",    "EmptyTensorList",    "TensorListSetItem",
                                         "TensorListFromTensor", "TensorListPushBack", "TensorListResize",
                                         "VarHandleOp"};
  const std::string& op = node.op();
  const auto has = [&](std::string_view part) { return op.find(part) != op.npos; };
  const auto ends = [&](std::string_view end) { return op.ends_with(end) || op.ends_with(cat(end, "V2")); };
  if (const int64_t* type = node.attributes.get_if<int64_t>("T"))
    if (is_handle(*type)) return true;
  return (has("Dataset") && !op.starts_with("DatasetTo") && op != "DatasetCardinality") || has("HashTable") ||
         ends("Iterator") || ends("Queue") || is_one_of(op, kLists);
}

/// Operations that are no outputs of a model, although nothing reads them. Most have no outputs. Freezing keeps the
/// names of the nodes that read variables.
bool is_never_output(const std::string& name, std::string_view op) {
  constexpr std::string_view kNever[] = {"Const",     "Assign",           "NoOp",
                                         "Assert",    "Parameter",        "Result",
                                         "PrintV2",   "SaveV2",           "MergeV2Checkpoints",
                                         "WriteFile", "AssignVariableOp", "AssignAddVariableOp",
                                         "RestoreV2", "ScalarSummary",    "AssignSubVariableOp",
                                         "AssignAdd", "AssignSub",        "WriteSummary"};
  const std::string_view last = std::string_view(name).substr(name.rfind('/') + 1);
  const auto is = [&](std::string_view word) { return op == word || last == word; };
  return last == "read" || last.starts_with("ReadVariableOp") || std::any_of(std::begin(kNever), std::end(kNever), is);
}

/// Removes the control inputs and gives them.
std::vector<std::string> take_controls(std::vector<std::string>& inputs) {
  std::vector<std::string> out;
  std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(out), is_control);
  std::erase_if(inputs, is_control);
  return out;
}

/// The shape that TensorFlow has inferred counts where the placeholder's own is left out, or has no dimensions: early
/// releases wrote that for any shape, too.
PartialShape placeholder_shape(const Node& node) {
  const PartialShape *shape = node.attributes.get_if<PartialShape>("shape"),
                     *inferred = node.attributes.get_if<PartialShape>("_output_shapes");
  if (inferred && (!shape || shape->rank() <= 0)) return *inferred;
  return shape ? *shape : PartialShape();
}

/// lift_to_graph() of TensorFlow copies a graph with cycles, and leaves a Placeholder for each input that it could not
/// connect at once.
bool is_filler(const Node& node) {
  const std::string_view name = node.name();
  return node.op() == "Placeholder" && name.substr(name.rfind('/') + 1).starts_with("unused_control_flow_input");
}

/// Inputs and constants are Model Optimizer's operations from the start, so that cutting knows them. False for others.
bool make_boundary(Node& node) {
  if (node.op() == "Const") {
    const Constant* value = node.get_constant("value");
    if (!value) throw Error(Code::MissingAttribute, "value", node.place());
    node.attributes = Attributes{{"value", Constant(*value)}};
  } else if (node.op() == "Placeholder" || node.op() == "PlaceholderV2") {
    PartialShape known = placeholder_shape(node);
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

void require_count(const Detail& what, const std::string& function, size_t has, size_t wanted, const Place& place) {
  if (has == wanted) return;
  throw Error(Code::MissingInput, msg(printable(function), " has ", has, " ", what, ", not ", wanted), place);
}

GraphLoader::GraphLoader(Graph& graph, const Origin& origin, const proto::Message& graph_def, Diagnostics& diagnostics)
    : graph_(graph), origin_(origin), graph_def_(graph_def), functions_(graph_def), diagnostics_(diagnostics) {}

void GraphLoader::load() {
  Scope& scope = scopes_.emplace_back();
  scope.graph = &graph_;
  declare(graph_def_, "node", scope);
  for (const Loaded& loaded : nodes_) connect(loaded);
  settle_fillers();
  if (!has_merge_ || diagnostics_.has_errors()) return;
  for (const Loaded& loaded : nodes_) connect_control(loaded);
  if (has_effects_) mark_effects_in_flow();
  for_each_graph(graph_, join_frames);
  for_each_graph(graph_, join_conditions);
}

void GraphLoader::declare(const proto::Message& owner, const char* field, Scope& scope) {
  for (const proto::Entry& entry : owner.occurrences(field)) {
    try {
      declare_node(owner.message(entry), entry, scope);
    } catch (Error& error) {
      error.placed(owner.source().error(error.code(), entry, {}).place());
      if (error.code() == Code::TooDeep) throw;  // the nodes that follow would be too many, too
      diagnostics_.add(error);
    }
  }
}

void GraphLoader::declare_node(const proto::Message& message, const proto::Entry& entry, Scope& scope) {
  NodeDef def = read_node(origin_, message, &scope.actuals);
  if (scope.names.count(def.name))
    throw Error(Code::DuplicateNode, printable(def.name), {.node = def.name, .op = def.op});
  if (scope.caller) {
    expansion_.add_node();
    expansion_.add_bytes(2 * (scope.prefix.size() + def.name.size()) + held_bytes(def.inputs) +
                         held_bytes(def.attributes));
  }
  if (const Function* function = called(def)) return declare_call(def, *function, scope);
  // Assign is also an internal operation, which is kept for its effect.
  Node& node = scope.graph->add_node(def.op == "Assign" ? "AssignVariableOp" : def.op, scope.prefix + def.name);
  scope.names.emplace(def.name, Named{&node, nullptr});
  node.attributes = std::move(def.attributes);
  has_merge_ |= is_flow(def.op, "Merge");
  has_effects_ |= is_effect(def.op);
  const std::vector<std::string> controls = take_controls(def.inputs);
  add_bodies(node, def.inputs, scope);
  def.inputs.insert(def.inputs.end(), controls.begin(), controls.end());
  nodes_.push_back({&node, std::move(def.inputs), &scope});
  const bool fills = is_filler(node);
  if (fills) fillers_.push_back(&node);
  const bool is_boundary = !fills && make_boundary(node);
  const WireField& at = entry.field;
  FrameworkNode origin{def.op, {}, 0, origin_.file, at.start, at.end() - at.start};
  if (origin_.is_text) {
    const Place place = message.source().error(Code::BadText, entry, {}).place();
    origin.offset = at.offset, origin.size = at.size, origin.line = place.line, origin.column = place.column;
  }
  origin.format = &kNodeFormat;
  node.pb = std::make_shared<FrameworkNode>(std::move(origin));
  if (!is_boundary) node.add_out_ports(static_cast<int>(output_count(node, kMostOutputs)));
}

/// The function that a node calls; null for an operation.
const Function* GraphLoader::called(const NodeDef& def) {
  const Place place{.node = def.name, .op = def.op};
  if (const Strings* branches = def.attributes.get_if<Strings>("branches"); branches && branches->size() == 1)
    return &function(branches->front(), place);
  if (def.op != "PartitionedCall" && def.op != "StatefulPartitionedCall") return functions_.find(def.op);
  const std::string* name = def.attributes.get_if<std::string>("f");
  if (!name) throw Error(Code::MissingAttribute, "f", place);
  return &function(*name, place);
}

const Function& GraphLoader::function(const std::string& name, const Place& place) {
  const Function* function = functions_.find(name);
  if (!function) throw Error(Code::UnknownFunction, printable(name), place);
  return *function;
}

void GraphLoader::require_acyclic(const Function& function, const Scope& scope, const Place& place) const {
  for (const Scope* outer = &scope; outer; outer = outer->caller)
    if (outer->function == &function) throw Error(Code::RecursiveFunction, printable(function.name), place);
  if (scope.depth == kDeepestCall) throw Error(Code::TooDeep, msg("more than ", kDeepestCall, " calls"), place);
}

void GraphLoader::declare_call(NodeDef& def, const Function& function, Scope& scope) {
  const Place place{.node = scope.prefix + def.name, .op = def.op};
  require_acyclic(function, scope, place);
  std::vector<std::string> controls = take_controls(def.inputs);
  if (def.attributes.has("branches") && !def.inputs.empty()) def.inputs.erase(def.inputs.begin());  // the index
  require_count("arguments", function.name, function.arguments.size(), def.inputs.size(), place);
  Scope& inner = scopes_.emplace_back();
  scope.names.emplace(def.name, Named{nullptr, &inner});
  inner.graph = scope.graph;
  inner.caller = &scope;
  inner.function = &function;
  inner.is_list = def.op != function.name;
  inner.inputs = std::move(def.inputs);
  inner.actuals = std::move(def.attributes);
  inner.prefix = cat(scope.prefix, def.name, "/");
  inner.depth = scope.depth + 1;
  inner.controls = std::move(controls);
  declare(function.body, "node_def", inner);
}

void GraphLoader::connect(const Loaded& loaded) {
  Node& node = *loaded.node;
  int port = 0;
  for (const std::string& input : loaded.inputs) {
    if (is_control(input)) continue;  // only says when it runs
    node.add_in_ports(++port);
    if (const OutPort source = resolve(input, *loaded.scope)) {
      node.in(port - 1).connect(source);
    } else if (!diagnostics_.has_errors()) {  // otherwise the node may be one that failed to load
      Place place = node.place();
      place.tensor = input;
      diagnostics_.add(
          Error(Code::UnknownTensor, Detail(printable(input)).with(outputs_of(input, *loaded.scope)), place));
    }
  }
}

/// Fillers that nothing reads are no inputs of the model. Their types may be none of IR's.
void GraphLoader::settle_fillers() {
  for (Node* filler : fillers_) {
    if (!filler->is_read()) {
      filler->graph().remove(*filler);
      continue;
    }
    try {
      make_boundary(*filler);
    } catch (Error& error) {
      diagnostics_.add(error.placed(filler->place()));
    }
  }
}

/// In control flow of TensorFlow 1, a constant is in the branch that its control input names, perhaps through NoOps.
void GraphLoader::connect_control(const Loaded& loaded) {
  if (loaded.node->removed() || (loaded.node->op() != "Const" && loaded.node->op() != "NoOp")) return;
  int port = 0;
  for (const std::string& input : loaded.inputs)
    if (is_control(input))
      if (const OutPort source = resolve(input.substr(1), *loaded.scope))
        loaded.node->control_in(port++).connect(source.node().control_out());
}

OutPort GraphLoader::resolve(const std::string& name, Scope& scope, int way) {
  if (way > kLongestWay) return {};
  if (scope.function && !scope.is_body) {
    const auto& arguments = scope.function->arguments;
    const auto argument = std::find(arguments.begin(), arguments.end(), name);
    if (argument != arguments.end())
      return resolve(scope.inputs[static_cast<size_t>(argument - arguments.begin())], *scope.caller, way + 1);
  }
  const TensorName tensor = tensor_name(name, scope.function != nullptr);
  const auto found = scope.names.find(tensor.node);
  return found == scope.names.end() ? OutPort() : output_of(found->second, tensor.output, tensor.index, way);
}

OutPort GraphLoader::output_of(const Named& named, std::string_view output, int64_t index, int way) {
  if (named.node) {
    const int64_t port = output_position(named.node->pb ? named.node->pb->op : std::string(), output) + index;
    // Output 0 also means the node of a control input, which may have no outputs.
    if (port >= kMostOutputs ||
        (port > 0 && port >= known_output_count(*named.node, kMostOutputs).value_or(kMostOutputs)))
      return {};
    named.node->add_out_ports(static_cast<int>(port) + 1);
    return named.node->out(static_cast<int>(port));
  }
  const Function& function = *named.call->function;
  size_t position = static_cast<size_t>(index);
  if (!output.empty() && !named.call->is_list) {
    const auto result = std::find(function.results.begin(), function.results.end(), output);
    position += static_cast<size_t>(result - function.results.begin());
  }
  const auto ret =
      position < function.results.size() ? function.ret.find(function.results[position]) : function.ret.end();
  return ret == function.ret.end() ? OutPort() : resolve(ret->second, *named.call, way + 1);
}

/// How many outputs the node has, for the message about an output that it does not have.
Detail GraphLoader::outputs_of(const std::string& name, const Scope& scope) const {
  const auto found = scope.names.find(tensor_name(name, scope.function != nullptr).node);
  if (found == scope.names.end() || !found->second.node) return {};
  const Node& node = *found->second.node;
  const auto count = known_output_count(node, kMostOutputs);
  if (!count) return {};
  const std::string& op = node.pb ? node.pb->op : node.op();
  return *count == 1 ? msg(", where ", op, " has 1 output") : msg(", where ", op, " has ", *count, " outputs");
}

OutPort GraphLoader::tensor(const std::string& name) {
  const OutPort port = resolve(name, scopes_.front());
  if (!port || !port.node().removed()) return port;
  // An Identity with its name stands for a Merge or an Exit of TensorFlow 1.
  for (Node* node : graph_.nodes("Identity"))
    if (node->name() == port.node().name() && node->has_out_port(port.index())) return node->out(port.index());
  return {};
}

void GraphLoader::add_result(OutPort tensor, const std::string& name, const std::string& given) {
  Node& result = graph_.add_node("Result", name);
  result.add_in_ports(1);
  result.in(0).connect(tensor);
  if (!given.empty()) nodes_.push_back({&result, {given}, &scopes_.front()});
}

/// By the ids of nodes.
std::vector<char> GraphLoader::reached_from_inputs() const {
  std::vector<char> reached(graph_.ids(), 0);
  std::vector<Node*> open(graph_.parameters);
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    if (std::exchange(reached[static_cast<size_t>(node->id())], 1)) continue;
    for (int i = 0; i < node->out_count(); ++i)
      for (const InPort& reader : node->out(i).destinations()) open.push_back(&reader.node());
  }
  return reached;
}

void GraphLoader::add_results(bool from_inputs) {
  std::vector<Node*> ends;
  for (Node* loaded : graph_.nodes()) {
    Node& node = *loaded;
    if (!is_never_output(node.name(), node.op()) && !node.is_read() && !gives_no_numbers(node)) ends.push_back(&node);
  }
  if (from_inputs) {
    const std::vector<char> reached = reached_from_inputs();
    const auto is_reached = [&](const Node* node) { return reached[static_cast<size_t>(node->id())] != 0; };
    if (std::any_of(ends.begin(), ends.end(), is_reached)) std::erase_if(ends, std::not_fn(is_reached));
  }
  for (Node* node : ends) {
    const int outputs = std::min(node->out_count(), result_count(*node));
    for (int i = 0; i < outputs; ++i) add_result(node->out(i), cat(node->name(), "/sink_port_", i));
  }
}

void GraphLoader::finish() {
  for (Node* node : graph_.nodes()) {
    // Both forms of a tensor's name are in use: "name:0", and "name" for output 0.
    for (int i = 0; i < node->out_count(); ++i) {
      Tensor& tensor = node->out(i).tensor();
      tensor.add_name(cat(node->name(), ":", i));
      if (i == 0) tensor.add_name(node->name());
    }
  }
  graph_.model().layout = DataLayout::Nhwc;
}

}  // namespace mo::tf
