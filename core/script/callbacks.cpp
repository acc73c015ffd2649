// The user's extensions in the core's form: each function calls JavaScript, which returns data and never throws.
#include "core/script/callbacks.h"

#include "core/base/text.h"
#include "core/front/config/FrontReplacementFromConfigFileGeneral.h"
#include "core/front/config/FrontReplacementFromConfigFileSubGraph.h"
#include "core/script/state.h"
#include "core/script/values.h"

namespace mo::js {
namespace {

/// Throws an error for a Failure of core-table.ts.
void require_success(const val& result, const Place& place = {}) {
  if (!result.isNull() && !result.isUndefined() && result.typeOf().as<std::string>() == "object" &&
      result.hasOwnProperty("text")) {
    Place where = place;
    if (const std::string node = result["node"].as<std::string>(); !node.empty()) where.node = node;
    where.file = result["file"].as<std::string>();
    where.offset = -1;
    throw Error(Code::ExtensionFailed, result["text"].as<std::string>(), where, result["hint"].as<std::string>());
  }
}

struct Inferring {
  Inferring() { ++state().inferring; }
  ~Inferring() { --state().inferring; }
};

val call_with_node(const val& callbacks, const char* method, int index, const Node& node) {
  return callbacks.call<val>(method, index, state().number_of(node.graph()), node.id());
}

std::function<void(Node&)> inference(const val& callbacks, const char* method, int index) {
  return [callbacks, method, index](Node& node) {
    const Inferring scope;
    require_success(call_with_node(callbacks, method, index, node), {.node = node.name(), .op = node.op()});
  };
}

std::string text(const val& record, const char* key) { return record[key].as<std::string>(); }

/// [attribute or "input:<number>", rule] rows; ["*", "follows" | "spatial" | "reshapes"] is for the whole
/// operation. The rules refer to `names`.
Layout to_layout(const val& rows, Strings& names) {
  static const std::map<std::string_view, LayoutRule::Kind> kinds = {
      {"perm", LayoutRule::Kind::Perm},   {"inv", LayoutRule::Kind::Inv},
      {"order", LayoutRule::Kind::Order}, {"axis", LayoutRule::Kind::Axis},
      {"shape", LayoutRule::Kind::Shape}, {"slice", LayoutRule::Kind::Slice},
      {"keep", LayoutRule::Kind::Keep},   {"transpose", LayoutRule::Kind::Transpose}};
  constexpr size_t kMaxRules = 8;
  constexpr std::string_view kInput = "input:";
  Layout layout;
  const std::vector<val> given = list_of<val>(rows);
  if (given.size() > kMaxRules) throw Error(Code::ExtensionFailed, msg("a layout has at most ", kMaxRules, " rules"));
  names.reserve(given.size());  // the pointers stay valid
  for (const val& row : given) {
    names.push_back(row[0].as<std::string>());
    const std::string& what = names.back();
    const std::string rule = row[1].as<std::string>();
    if (layout.kind == LayoutClass::None) layout.kind = LayoutClass::Follows;
    if (what == "*") {
      layout.kind = rule == "spatial"    ? LayoutClass::Spatial
                    : rule == "reshapes" ? LayoutClass::Reshapes
                                         : LayoutClass::Follows;
      continue;
    }
    const auto kind = kinds.find(rule);
    if (kind == kinds.end()) throw Error(Code::ExtensionFailed, msg("there is no layout rule \"", rule, "\""));
    const bool input = what.compare(0, kInput.size(), kInput) == 0;
    const std::optional<int64_t> number = input ? parse_int(what.substr(kInput.size())) : std::nullopt;
    if (input && (!number || *number < 0 || *number > INT8_MAX))
      throw Error(Code::ExtensionFailed, msg("layout names no input: ", what));
    layout.rules.add({.kind = kind->second,
                      .attribute = input ? nullptr : what.c_str(),
                      .input = static_cast<int8_t>(number.value_or(-1))});
  }
  return layout;
}

void add_written(const val& written, const Node& node, IrAttributes& attributes) {
  require_success(written, {.node = node.name(), .op = node.op()});
  for (const val& row : list_of<val>(written))
    attributes.add(row[0].as<std::string>(), std::string_view(row[1].as<std::string>()));
}

ExtensionClass origin_of(const val& record) { return {.name = text(record, "name"), .file = text(record, "file")}; }

UserOp user_op(const val& callbacks, const val& record, int index) {
  UserOp op;
  op.origin = origin_of(record);
  op.op = text(record, "op");
  op.type = text(record, "type");
  op.version = text(record, "version");
  if (record["infers"].as<bool>()) op.infer = inference(callbacks, "infer", index);
  if (record["infersTypes"].as<bool>()) op.type_infer = inference(callbacks, "typeInfer", index);
  const auto names = std::make_shared<Strings>();
  op.layout = to_layout(record["layout"], *names);
  op.ir_attributes = [callbacks, index, names](const Node& node, IrAttributes& attributes) {
    const Inferring scope;
    add_written(call_with_node(callbacks, "irAttributes", index, node), node, attributes);
  };
  return op;
}

UserExtractor user_extractor(const val& callbacks, const val& record, int index) {
  UserExtractor extractor;
  extractor.origin = origin_of(record);
  extractor.op = text(record, "op");
  extractor.framework = text(record, "framework");
  extractor.enabled = [callbacks, index] { return callbacks.call<bool>("extractorEnabled", index); };
  extractor.extract = [callbacks, index](Node& node) {
    const val extracted = call_with_node(callbacks, "extract", index, node);
    require_success(extracted, {.node = node.name(), .op = node.op()});
    return extracted.as<bool>();
  };
  return extractor;
}

ShapeProvider shape_provider(const val& callbacks, int index) {
  return [callbacks, index](Node& node, const std::vector<PartialShape>& inputs) {
    const Inferring scope;
    val bounds = val::array();
    for (const PartialShape& shape : inputs) bounds.call<void>("push", to_bounds(shape));
    const val given = callbacks.call<val>("shapes", index, state().number_of(node.graph()), node.id(), bounds);
    require_success(given, {.node = node.name(), .op = node.op()});
    std::vector<PartialShape> out;
    for (const val& shape : list_of<val>(given)) out.push_back(to_shape(shape));
    return out;
  };
}

/// The part of all kinds of transformations that comes from their record.
template <typename Base>
class Recorded : public Base {
 public:
  Recorded(val callbacks, const val& record, int index)
      : callbacks_(std::move(callbacks)),
        index_(index),
        id_(text(record, "id")),
        after_(list_of<std::string>(record["runAfter"])),
        before_(list_of<std::string>(record["runBefore"])),
        clean_up_(record["forceCleanUp"].as<bool>()),
        shape_inference_(record["forceShapeInference"].as<bool>()) {}

  Names run_after() const override { return {after_.begin(), after_.end()}; }
  Names run_before() const override { return {before_.begin(), before_.end()}; }
  std::string_view id() const override { return id_; }
  bool enabled() const override { return callbacks_.template call<bool>("transformEnabled", index_); }
  bool force_clean_up() const override { return clean_up_; }
  bool force_shape_inference() const override { return shape_inference_; }
  bool graph_condition(Graph& graph) const override { return call("graphCondition", graph).template as<bool>(); }

 protected:
  template <typename... More>
  val call(const char* method, Graph& graph, More... more) const {
    const val result = callbacks_.template call<val>(method, index_, state().number_of(graph), more...);
    require_success(result);
    return result;
  }

 private:
  val callbacks_;
  int index_;
  std::string id_;
  Strings after_, before_;
  bool clean_up_, shape_inference_;
};

class UserTransformation final : public Recorded<Transform> {
 public:
  UserTransformation(const val& callbacks, const val& record, int index)
      : Recorded(callbacks, record, index), not_recursively_(record["runNotRecursively"].as<bool>()) {}
  bool run_not_recursively() const override { return not_recursively_; }
  void find_and_replace_pattern(Graph& graph) override { call("run", graph); }

 private:
  bool not_recursively_;
};

class UserGeneral final : public Recorded<FrontReplacementFromConfigFileGeneral> {
 public:
  UserGeneral(const val& callbacks, const val& record, int index)
      : Recorded(callbacks, record, index), replacement_id_(text(record, "replacementId")) {}
  std::string_view replacement_id() const override { return replacement_id_; }
  void transform_graph(Graph& graph, const CustomAttributes& attributes) override {
    call("transformGraph", graph, attributes.json);
  }

 private:
  std::string replacement_id_;
};

class UserSubGraph final : public Recorded<FrontReplacementFromConfigFileSubGraph> {
 public:
  UserSubGraph(const val& callbacks, const val& record, int index)
      : Recorded(callbacks, record, index),
        replacement_id_(text(record, "replacementId")),
        generates_(record["generates"].as<bool>()) {}
  std::string_view replacement_id() const override { return replacement_id_; }

  Replacement generate_sub_graph(Graph& graph, const SubgraphMatch& match) override {
    const Matching scope(match);
    Replacement made;
    for (const val& row : list_of<val>(call("generateSubGraph", graph, to_js(match))))
      made.emplace(row[0].as<std::string>(), &state().node(state().number_of(graph), row[1].as<int>()));
    return made;
  }
  void replace_sub_graph(Graph& graph, const SubgraphMatch& match) override {
    if (generates_) return FrontReplacementFromConfigFileSubGraph::replace_sub_graph(graph, match);
    const Matching scope(match);
    call("replaceSubGraph", graph, to_js(match));
  }

 private:
  /// The match for nodeByPattern().
  struct Matching {
    explicit Matching(const SubgraphMatch& match) { state().match = &match; }
    ~Matching() { state().match = nullptr; }
  };

  static val to_js(const SubgraphMatch& match) {
    val inputs = val::array(), nodes = val::array();
    for (int i = 0; i < match.inputs_count(); ++i) {
      std::vector<double> ports;
      for (const InPort& port : match.input_nodes(i)) ports.push_back(join(port.node(), port.index()));
      inputs.call<void>("push", to_numbers(ports));
    }
    for (const Node* node : match.nodes()) nodes.call<void>("push", node->id());
    val out = val::object();
    out.set("customAttributes", match.custom_attributes().json);
    out.set("scope", match.scope());
    out.set("nodes", nodes);
    out.set("inputs", inputs);
    out.set("outputs", match.outputs_count());
    return out;
  }

  std::string replacement_id_;
  bool generates_;
};

std::unique_ptr<Transform> make_transform(const val& callbacks, const val& record, int index) {
  const std::string kind = text(record, "kind");
  if (kind == "general") return std::make_unique<UserGeneral>(callbacks, record, index);
  if (kind == "subgraph") return std::make_unique<UserSubGraph>(callbacks, record, index);
  return std::make_unique<UserTransformation>(callbacks, record, index);
}

UserTransform user_transform(const val& callbacks, const val& record, int index) {
  const std::string phase = text(record, "phase");
  UserTransform transform;
  transform.origin = origin_of(record);
  transform.framework = text(record, "framework");
  transform.description = "An extension.";
  transform.phase = phase == "front" ? Phase::Front : phase == "middle" ? Phase::Middle : Phase::Back;
  transform.transform = make_transform(callbacks, record, index);
  return transform;
}

}  // namespace

void set_own_definition(int g, int n, OwnDefinition definition) {
  Node& node = state().node(g, n);
  const val callbacks = state().callbacks;
  const auto inferring = [callbacks](const char* method) {
    return [callbacks, method](Node& node) {
      const Inferring scope;
      require_success(callbacks.call<val>(method, state().number_of(node.graph()), node.id()),
                      {.node = node.name(), .op = node.op()});
    };
  };
  NodeFunctions own;
  if (definition.infers) own.infer = inferring("inferOwn");
  if (definition.infers_types) own.type_infer = inferring("typeInferOwn");
  if (definition.writes)
    own.ir_attributes = [callbacks](const Node& node, IrAttributes& attributes) {
      const Inferring scope;
      add_written(callbacks.call<val>("irAttributesOwn", state().number_of(node.graph()), node.id()), node, attributes);
    };
  own.type = std::move(definition.type);
  own.version = std::move(definition.version);
  set_node_definition(node, std::move(own));
}

std::unique_ptr<Extensions> extensions_of(const val& callbacks) {
  state().clear();
  state().callbacks = callbacks;
  if (callbacks.isUndefined() || callbacks.isNull()) return nullptr;
  auto extensions = std::make_unique<Extensions>();
  extensions->forget = [](const Graph& graph) { state().forget(graph); };
  int index = 0;
  for (const val& record : list_of<val>(callbacks["ops"]))
    extensions->ops.push_back(user_op(callbacks, record, index++));
  index = 0;
  for (const val& record : list_of<val>(callbacks["extractors"]))
    extensions->extractors.push_back(user_extractor(callbacks, record, index++));
  index = 0;
  for (const val& record : list_of<val>(callbacks["transforms"]))
    extensions->transforms.push_back(user_transform(callbacks, record, index++));
  index = 0;
  for (const val& record : list_of<val>(callbacks["shapeProviders"]))
    extensions->shapes.push_back({text(record, "framework"), shape_provider(callbacks, index++)});
  return extensions;
}

}  // namespace mo::js
