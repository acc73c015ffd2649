// The user's extensions as the core knows them: each function calls JavaScript, which gives back data and never throws.
#include "core/base/text.h"
#include "wasm/extension_edge.h"
#include "wasm/extension_session.h"

namespace mo::js {
namespace {

/// A Failure of core-table.ts becomes an error; anything else passes.
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
  Inferring() { ++session().inferring; }
  ~Inferring() { --session().inferring; }
};

val call_with_node(const val& host, const char* method, int index, const Node& node) {
  return host.call<val>(method, index, session().number_of(node.graph()), node.id());
}

std::function<void(Node&)> inference(const val& host, const char* method, int index) {
  return [host, method, index](Node& node) {
    const Inferring scope;
    require_success(call_with_node(host, method, index, node), {.node = node.name(), .op = node.op()});
  };
}

std::string text(const val& record, const char* key) { return record[key].as<std::string>(); }

/// [attribute or "input:<number>", rule] rows; ["*", "follows" | "spatial" | "reshapes"] is for the operation as a whole.
/// The rules refer to `names`.
Layout to_layout(const val& rows, Strings& names) {
  static const std::map<std::string_view, LayoutRule::Kind> kinds = {
      {"perm", LayoutRule::Kind::Perm},   {"inv", LayoutRule::Kind::Inv},
      {"order", LayoutRule::Kind::Order}, {"axis", LayoutRule::Kind::Axis},
      {"shape", LayoutRule::Kind::Shape}, {"slice", LayoutRule::Kind::Slice},
      {"keep", LayoutRule::Kind::Keep},   {"transpose", LayoutRule::Kind::Transpose}};
  constexpr size_t kMaxRules = 8;
  constexpr std::string_view kInput = "input:";
  Layout layout;
  const std::vector<val> given = emscripten::vecFromJSArray<val>(rows);
  if (given.size() > kMaxRules) throw Error(Code::ExtensionFailed, cat("a layout has at most ", kMaxRules, " rules"));
  names.reserve(given.size());  // the views stay good
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
    if (kind == kinds.end()) throw Error(Code::ExtensionFailed, cat("there is no layout rule \"", rule, "\""));
    const bool input = what.compare(0, kInput.size(), kInput) == 0;
    const std::optional<int64_t> number = input ? parse_int(what.substr(kInput.size())) : std::nullopt;
    if (input && !number) throw Error(Code::ExtensionFailed, cat("layout names no input: ", what));
    layout.rules.add({.kind = kind->second,
                      .attribute = input ? std::string_view() : std::string_view(what),
                      .input = static_cast<int>(number.value_or(-1))});
  }
  return layout;
}

UserOp user_op(const val& host, const val& record, int index) {
  UserOp op;
  op.op = text(record, "op");
  op.type = text(record, "type");
  op.version = text(record, "version");
  if (record["infers"].as<bool>()) op.infer = inference(host, "infer", index);
  if (record["infersTypes"].as<bool>()) op.type_infer = inference(host, "typeInfer", index);
  const auto names = std::make_shared<Strings>();
  op.layout = to_layout(record["layout"], *names);
  op.ir_attributes = [host, index, names](const Node& node, IrAttributes& attributes) {
    const Inferring scope;
    const val written = call_with_node(host, "irAttributes", index, node);
    require_success(written, {.node = node.name(), .op = node.op()});
    for (const val& row : emscripten::vecFromJSArray<val>(written))
      attributes.add(row[0].as<std::string>(), std::string_view(row[1].as<std::string>()));
  };
  return op;
}

UserExtractor user_extractor(const val& host, const val& record, int index) {
  UserExtractor extractor;
  extractor.name = text(record, "name");
  extractor.op = text(record, "op");
  extractor.framework = text(record, "framework");
  extractor.enabled = [host, index] { return host.call<bool>("extractorEnabled", index); };
  extractor.extract = [host, index](Node& node) {
    const val extracted = call_with_node(host, "extract", index, node);
    require_success(extracted, {.node = node.name(), .op = node.op()});
    return extracted.as<bool>();
  };
  return extractor;
}

class UserTransformation final : public Transform {
 public:
  UserTransformation(val host, const val& record, int index)
      : host_(std::move(host)),
        index_(index),
        id_(text(record, "id")),
        after_(emscripten::vecFromJSArray<std::string>(record["runAfter"])),
        before_(emscripten::vecFromJSArray<std::string>(record["runBefore"])),
        not_recursively_(record["runNotRecursively"].as<bool>()),
        clean_up_(record["forceCleanUp"].as<bool>()),
        shape_inference_(record["forceShapeInference"].as<bool>()) {}

  Names run_after() const override { return {after_.begin(), after_.end()}; }
  Names run_before() const override { return {before_.begin(), before_.end()}; }
  std::string_view id() const override { return id_; }
  bool enabled() const override { return host_.call<bool>("transformEnabled", index_); }
  bool run_not_recursively() const override { return not_recursively_; }
  bool force_clean_up() const override { return clean_up_; }
  bool force_shape_inference() const override { return shape_inference_; }

  bool graph_condition(Graph& graph) const override {
    const val holds = host_.call<val>("graphCondition", index_, session().number_of(graph));
    require_success(holds);
    return holds.as<bool>();
  }
  void find_and_replace_pattern(Graph& graph) override {
    require_success(host_.call<val>("run", index_, session().number_of(graph)));
  }

 private:
  val host_;
  int index_;
  std::string id_;
  Strings after_, before_;
  bool not_recursively_, clean_up_, shape_inference_;
};

UserTransform user_transform(const val& host, const val& record, int index) {
  const std::string phase = text(record, "phase");
  UserTransform transform;
  transform.name = text(record, "name");
  transform.full_name = text(record, "fullName");
  transform.framework = text(record, "framework");
  transform.description = "An extension.";
  transform.phase = phase == "front" ? Phase::Front : phase == "middle" ? Phase::Middle : Phase::Back;
  transform.transform = std::make_unique<UserTransformation>(host, record, index);
  return transform;
}

}  // namespace

std::unique_ptr<Extensions> extensions_of(const val& host) {
  session().clear();
  if (host.isUndefined() || host.isNull()) return nullptr;
  auto extensions = std::make_unique<Extensions>();
  int index = 0;
  for (const val& record : emscripten::vecFromJSArray<val>(host["ops"]))
    extensions->ops.push_back(user_op(host, record, index++));
  index = 0;
  for (const val& record : emscripten::vecFromJSArray<val>(host["extractors"]))
    extensions->extractors.push_back(user_extractor(host, record, index++));
  index = 0;
  for (const val& record : emscripten::vecFromJSArray<val>(host["transforms"]))
    extensions->transforms.push_back(user_transform(host, record, index++));
  return extensions;
}

}  // namespace mo::js
