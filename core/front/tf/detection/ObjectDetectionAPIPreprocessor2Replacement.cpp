// Before: image -> [Mul, Sub…] -> start node -> resizing -> end node -> [Mul, Sub…] -> network; or a loop between start
//         and end node that has all of it
// After:  image -> Mul, Sub… -> network; the input has the size that the images are resized to
// Conditions: the configuration has an entry with that id, and a pipeline.config is given. If the images are padded
// after Mul, Sub…, these are removed, too: they would change the padding.

#include <algorithm>

#include "core/front/tf/detection/detection.h"

namespace mo {
namespace {

/// An operation with a constant.
struct Step {
  Node* node;
  int constant;  ///< the number of the constant input
};

bool is_arithmetic(const Node& node) {
  const std::string& op = node.op();
  return op == "Sub" || op == "Mul" || op == "Div" || op == "Add";
}

/// The node that makes the tensor; for a tensor that enters a body, the node outside.
Node* producer(OutPort source) {
  if (!source) return nullptr;
  Node& node = source.node();
  Graph& graph = node.graph();
  if (node.op() != "Parameter" || !graph.owner()) return &node;
  const auto at = std::find(graph.parameters.begin(), graph.parameters.end(), &node) - graph.parameters.begin();
  return at < graph.owner()->in_count() ? producer(graph.owner()->source(static_cast<int>(at))) : &node;
}

int constant_input(const Node& node) {
  if (!is_arithmetic(node) || node.in_count() != 2) return -1;
  for (int i = 0; i < 2; ++i)
    if (const Node* source = producer(node.source(i)); source && source->op() == "Const") return i;
  return -1;
}

std::vector<Step> steps_before(Node& start) {
  std::vector<Step> out;
  for (Node* node = producer(start.source(0)); node; node = producer(node->source(1 - out.back().constant))) {
    const int constant = constant_input(*node);
    if (constant < 0) break;
    out.push_back({node, constant});
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<Step> steps_after(Node& end) {
  std::vector<Step> out;
  for (Node* node = &end;;) {
    const std::vector<InPort> readers = node->out(0).destinations();
    if (readers.size() != 1) return out;
    node = &readers[0].node();
    const int constant = constant_input(*node);
    if (constant < 0) return out;
    out.push_back({node, constant});
  }
}

Node* find_ending(const Graph& graph, std::string_view ending) {
  for (Node* node : graph.nodes())
    if (std::string_view(node->name()).ends_with(ending)) return node;
  return nullptr;
}

/// Whether the images that the node reads have been converted to numbers with a fraction.
bool reads_cast(Node& start) {
  std::vector<Node*> open = {&start};
  std::vector<char> seen(start.graph().ids());
  while (!open.empty()) {
    Node& node = *open.back();
    open.pop_back();
    if (std::exchange(seen[static_cast<size_t>(node.id())], 1)) continue;
    if (node.op() == "Cast" && node.get_type("dst_type") == ElementType::F32) return true;
    for (int i = 0; i < node.in_count(); ++i)
      if (node.has_in(i)) open.push_back(&node.source(i).node());
  }
  return false;
}

/// The loop between the nodes; null if there is none.
Node* find_loop(Node& start, const std::vector<Node*>& ends) {
  std::vector<Node*> open = {&start};
  std::vector<char> seen(start.graph().ids());
  while (!open.empty()) {
    Node& node = *open.back();
    open.pop_back();
    if (std::exchange(seen[static_cast<size_t>(node.id())], 1)) continue;
    if (node.op() == "While") return &node;
    if (std::find(ends.begin(), ends.end(), &node) != ends.end()) continue;
    for (int i = 0; i < node.out_count(); ++i)
      for (const InPort& port : node.out(i).destinations()) open.push_back(&port.node());
  }
  return nullptr;
}

class ObjectDetectionAPIPreprocessor2Replacement final : public tf::DetectionTransform {
 public:
  std::string_view replacement_id() const override { return "ObjectDetectionAPIPreprocessor2Replacement"; }

  void replace(Graph& graph, const ReplacementDescription& description) override {
    const tf::PipelineConfig& config = tf::pipeline_config(graph, description);
    const std::vector<Node*> starts = find_some(graph, description, "start_nodes");
    const std::vector<Node*> ends = find_some(graph, description, "end_nodes");
    tf::set_image_size(graph, description, config);
    Node &start = *starts[0], &end = *ends[0];
    require_input(start, 0);
    const OutPort images = start.source(0);
    bool kept = true;
    if (Node* loop = find_loop(start, ends)) {
      end.out(0).connection().set_source(rebuild(*loop, images, description), TensorNames::Source);
    } else if (const std::vector<Step> before = steps_before(start); !before.empty()) {
      kept = !config.pad_to_max_dimension.or_else(false);
      const Step& first = before.front();
      end.out(0).connection().set_source(kept ? before.back().node->out(0) : first.node->source(1 - first.constant),
                                         TensorNames::Source);
    } else {
      end.out(0).connection().set_source(images, TensorNames::Source);
    }
    graph.model().diagnostics.warn(
        Code::PreprocessingRemoved,
        kept ? Detail("mean values and scale of the images are kept") : "mean values and scale of the images, too");
  }

 private:
  static std::vector<Node*> find_some(Graph& graph, const ReplacementDescription& description, const char* key) {
    const Strings* names = description.custom_attributes.values.get_if<Strings>(key);
    std::vector<Node*> found;
    std::string listed;
    for (const std::string& name : names ? *names : Strings()) {
      listed += cat(listed.empty() ? "" : ", ", name);
      if (Node* node = find_named(graph, name)) found.push_back(node);
    }
    if (found.empty()) tf::fail_match(description, msg("the model has none of the ", key, " ", listed));
    return found;
  }

  /// Applies the operations of the loop, except the resizing, to all images together.
  static OutPort rebuild(Node& loop, OutPort images, const ReplacementDescription& description) {
    Graph* body = loop.get_graph("body");
    Node* start = body ? find_ending(*body, "Preprocessor/unstack") : nullptr;
    Node* end = body ? find_ending(*body, "Preprocessor/stack") : nullptr;
    if (!start || !end || !start->has_in_port(0))
      tf::fail_match(description, "the loop has no nodes Preprocessor/unstack and Preprocessor/stack", loop.place());
    std::vector<Step> steps = steps_before(*start);
    if (steps.empty()) steps = steps_after(*end);
    Builder b(loop);
    OutPort x = images;
    if (reads_cast(*start)) x = b.op("Cast", {x}, {{"dst_type", ElementType::F32}});
    for (const Step& step : steps) {
      const Node& constant = *producer(step.node->source(step.constant));
      Node& made = loop.graph().add_copy(*step.node, step.node->name());
      made.in(step.constant).connect(b.constant(*constant.get_constant("value")));
      made.in(1 - step.constant).connect(x);
      x = made.out(0);
    }
    return x;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ObjectDetectionAPIPreprocessor2Replacement)
}  // namespace mo
