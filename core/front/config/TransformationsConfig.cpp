// Before: a sub-graph that an entry with `op` selects
// After:  one node of that op, with the entry's custom_attributes as attributes
// Conditions: a transformations configuration is given. At the end of the front phase, entries that no transformation
// has read are reported.

#include "core/front/config/FrontReplacementFromConfigFileSubGraph.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class ReplacementByOneOp final : public FrontReplacementFromConfigFileSubGraph {
 public:
  explicit ReplacementByOneOp(const ReplacementDescription& description) : description_(description) {}
  std::string_view replacement_id() const override { return description_.id; }

  Replacement generate_sub_graph(Graph& graph, const SubgraphMatch&) override {
    const CustomAttributes& attributes = description_.custom_attributes;
    if (!attributes.nested.empty())
      throw Error(Code::BadConfigEntry, msg("entry with id '", description_.id, "' has the custom attribute '",
                                            attributes.nested[0], "', which a node cannot hold"));
    Node& node = graph.add_node(description_.op, description_.id);
    node.attributes.update(attributes.values);
    return {{"op", &node}};
  }

 private:
  const ReplacementDescription& description_;
};

class ConfiguredOps final : public Transform {
 public:
  Names run_after() const override { return {"LoadFinish"}; }
  Names run_before() const override { return {"FrontStart"}; }
  bool run_not_recursively() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    const TransformationsConfig* config = transformations_config(graph.model());
    if (!config) return;
    for (const ReplacementDescription& description : config->descriptions)
      if (!description.op.empty()) ReplacementByOneOp(description).find_and_replace_pattern(graph);
  }
};

class UnreadReplacementDescriptions final : public Transform {
 public:
  Names run_after() const override { return {"FrontFinish"}; }
  Names run_before() const override { return {"PartialInfer"}; }
  bool run_not_recursively() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    Model& model = graph.model();
    const TransformationsConfig* config = transformations_config(model);
    if (!config) return;
    for (size_t i = 0; i < config->descriptions.size(); ++i)
      if (!config->read[i])
        model.diagnostics.warn(Code::UnknownReplacementId, msg("the entry with id '", config->descriptions[i].id, "'"));
  }
};

}  // namespace

// The transform has Model Optimizer's name. The class of the configuration has the same name, so the macro cannot be
// used.
std::unique_ptr<Transform> make_TransformationsConfig() { return std::make_unique<ConfiguredOps>(); }  // NOLINT
MO_DEFINE_TRANSFORM(UnreadReplacementDescriptions)
}  // namespace mo
