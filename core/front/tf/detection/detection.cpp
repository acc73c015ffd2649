#include "core/front/tf/detection/detection.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo::tf {

OutPort PointsMatch::input(size_t i) const {
  if (i >= start.size() || start[i]->in_count() == 0 || !start[i]->has_in(0))
    throw Error(Code::BadSubgraph,
                msg("the entry with id '", description.id, "' has no start point ", i, " with an input"));
  return start[i]->source(0);
}

void DetectionTransform::find_and_replace_pattern(Graph& graph) {
  const TransformationsConfig* config = transformations_config(graph.model());
  if (!config) return;
  if (const ReplacementDescription* description = config->take(replacement_id())) replace(graph, *description);
}

void fail_match(const ReplacementDescription& description, const Detail& what, Place place) {
  throw Error(Code::NothingMatched, msg("entry with id '", description.id, "': ", what), std::move(place),
              "choose the configuration of this kind of model and of the release that exported it: docs/detection.md");
}

Node& require_node(const Graph& graph, const ReplacementDescription& description, const std::string& name) {
  Node* node = find_named(graph, name);
  if (!node) fail_match(description, msg("the model has no node '", printable(name), "'"));
  return *node;
}

PointsMatch match_between(Graph& graph, const ReplacementDescription& description) {
  if (description.kind != MatchKind::Points)
    throw Error(Code::WrongMatchKind,
                msg("'", name_of(description.kind), "' in the entry with id '", description.id, "'"));
  PointsMatch match{description, {}, {}, {}};
  Strings missing;
  const auto find_all = [&](const Strings& names, std::vector<Node*>& found) {
    for (const std::string& name : names) {
      Node* node = find_named(graph, name);
      if (node) found.push_back(node);
      if (!node) missing.push_back(name);
    }
  };
  find_all(description.start_points, match.start);
  find_all(description.end_points, match.end);
  if (!missing.empty())
    fail_match(description,
               msg("the model has no nodes ", join(missing, [](const std::string& name) { return printable(name); })));
  const std::vector<SubgraphMatch> found = match_points(graph, description);
  if (found.empty()) fail_match(description, "it has no points");
  match.nodes = found[0].nodes();
  return match;
}

Node* find_made(const Graph& graph, std::string_view name) {
  for (Node* node : graph.nodes())
    if (node->name() == name) return node;
  return nullptr;
}

const PipelineConfig& pipeline_config(const Graph& graph, const ReplacementDescription& description) {
  const PipelineConfig* config = static_cast<const PipelineConfig*>(graph.model().of_loader.get());
  if (!config) throw Error(Code::NoPipelineConfig, msg("the entry with id '", description.id, "'"));
  return *config;
}

namespace {

[[noreturn]] void refuse(const ReplacementDescription& description, const char* key, const Detail& wanted) {
  throw Error(Code::BadConfigEntry,
              msg("entry with id '", description.id, "': the custom attribute '", key, "' is ", wanted));
}

}  // namespace

int64_t int_of(const ReplacementDescription& description, const char* key, const Setting<int64_t>& setting) {
  const Attribute* given = description.custom_attributes.values.find(key);
  if (!given) return setting.required();
  const int64_t* value = std::get_if<int64_t>(given);
  if (!value || *value < 0 || *value > INT32_MAX) refuse(description, key, "a number of 0 or more");
  return *value;
}

double float_of(const ReplacementDescription& description, const char* key, const Setting<double>& setting) {
  const Attribute* given = description.custom_attributes.values.find(key);
  if (!given) return setting.required();
  if (const int64_t* value = std::get_if<int64_t>(given)) return static_cast<double>(*value);
  if (const double* value = std::get_if<double>(given)) return *value;
  refuse(description, key, "a number");
}

bool bool_of(const ReplacementDescription& description, const char* key, bool otherwise) {
  const Attribute* given = description.custom_attributes.values.find(key);
  if (!given) return otherwise;
  if (const bool* value = std::get_if<bool>(given)) return *value;
  if (const int64_t* value = std::get_if<int64_t>(given)) return *value != 0;
  refuse(description, key, "true or false");
}

std::string text_of(const ReplacementDescription& description, const char* key, const Setting<std::string>& setting) {
  const Attribute* given = description.custom_attributes.values.find(key);
  if (!given) return setting.required();
  const std::string* value = std::get_if<std::string>(given);
  if (!value) refuse(description, key, "a text");
  return *value;
}

Doubles variances(const PipelineConfig& config) {
  Doubles out;
  for (const Setting<double>* scale : {&config.x_scale, &config.y_scale, &config.width_scale, &config.height_scale}) {
    if (!(scale->required() > 0))
      throw Error(Code::BadFieldValue, msg(scale->path, " is ", scale->required()), scale->place);
    out.push_back(1.0 / scale->required());
  }
  return out;
}

OutPort swap_corners(Builder& b, OutPort boxes, int64_t first) {
  const OutPort order = b.i64({1, 0, 3, 2});
  return b.gather(b.reshape(boxes, {first, -1, 4}), order, 2);
}

OutPort activate(Builder& b, OutPort scores, const std::string& converter, const Place& place) {
  if (converter == "SOFTMAX") return b.op("SoftMax", {scores}, {{"axis", -1}});
  if (converter == "SIGMOID") return b.op("Sigmoid", {scores});
  if (converter == "IDENTITY") return scores;
  throw Error(Code::BadFieldValue, msg("score_converter is ", printable(converter)), place,
              "SOFTMAX, SIGMOID or IDENTITY");
}

OutPort with_variances(Builder& b, OutPort boxes, const Doubles& variances) {
  const std::vector<float> values(variances.begin(), variances.end());
  const OutPort rows = b.reshape(boxes, {-1, 4});
  const OutPort all = b.op("Broadcast", {b.constant(make_f32({1, 4}, values)), b.shape_of(rows)}, {{"mode", "numpy"}});
  return b.concat({b.reshape(rows, {1, 1, -1}), b.reshape(all, {1, 1, -1})}, 1);
}

Node& detection_output(Builder& b, const char* name, const ReplacementDescription& description, List<OutPort> inputs,
                       const Attributes& attributes) {
  Attributes all;
  const Attributes& given = description.custom_attributes.values;
  const auto take = [&](const char* key, auto kind) {
    using T = decltype(kind);
    const Attribute* value = given.find(key);
    if (!value) return;
    if constexpr (std::is_same_v<T, bool>) {
      all.set(key, bool_of(description, key, false));
    } else if constexpr (std::is_same_v<T, double>) {
      all.set(key, float_of(description, key, {}));
    } else if constexpr (std::is_same_v<T, std::string>) {
      all.set(key, text_of(description, key, {}));
    } else {
      const int64_t* number = std::get_if<int64_t>(value);
      if (!number) refuse(description, key, "a whole number");
      all.set(key, *number);
    }
  };
  for (const char* key : {"background_label_id", "top_k", "keep_top_k", "input_height", "input_width"})
    take(key, int64_t());
  for (const char* key : {"share_location", "clip_before_nms", "clip_after_nms", "decrease_label_id", "normalized",
                          "variance_encoded_in_target"})
    take(key, bool());
  for (const char* key : {"nms_threshold", "confidence_threshold", "objectness_score"}) take(key, double());
  take("code_type", std::string());
  all.update(attributes);
  Node& made = b.node("DetectionOutput", inputs, std::move(all));
  // The name of a removed node is free.
  made.set_name(b.graph().has_name(name) ? b.graph().unique_name(name) : name);
  return made;
}

void remove_results(Graph& graph, const std::vector<Node*>& nodes) {
  std::vector<bool> fed(graph.ids());
  for (const Node* node : nodes) fed[static_cast<size_t>(node->id())] = true;
  const std::vector<Node*> before = graph.results;
  for (Node* result : before)
    if (const OutPort source = result->source(0); source && fed[static_cast<size_t>(source.node().id())])
      graph.remove(*result);
}

namespace {

/// The nodes, and those that read their tensors, directly or through others, up to a CropAndResize: there a network for
/// masks reads the image again.
std::vector<Node*> with_followers(const Graph& graph, std::vector<Node*> nodes) {
  std::vector<bool> seen(graph.ids());
  for (const Node* node : nodes) seen[static_cast<size_t>(node->id())] = true;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (int port = 0; port < nodes[i]->out_count(); ++port) {
      for (const InPort& reader : nodes[i]->out(port).destinations()) {
        Node& node = reader.node();
        if (node.op() == "CropAndResize" || seen[static_cast<size_t>(node.id())]) continue;
        seen[static_cast<size_t>(node.id())] = true;
        nodes.push_back(&node);
      }
    }
  }
  return nodes;
}

}  // namespace

void replace_results(Graph& graph, const std::vector<Node*>& nodes, Node& made) {
  remove_results(graph, with_followers(graph, nodes));
  made.out(0).tensor().add_name(made.name());
  Node& result = graph.add_node("Result", made.name() + "/sink_port_0");
  result.add_in_ports(1);
  result.in(0).connect(made.out(0));
}

}  // namespace mo::tf
