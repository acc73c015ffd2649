// What the transformations for detection models share.
#pragma once

#include <string>
#include <vector>

#include "core/front/config/subgraph_matcher.h"
#include "core/front/tf/detection/pipeline_config.h"
#include "core/rewrite/transform.h"

namespace mo::tf {

/// The sub-graph between the points of an entry. The model has all of these points.
struct PointsMatch {
  const ReplacementDescription& description;
  std::vector<Node*> start, end;  ///< in the order of the entry
  std::vector<Node*> nodes;

  /// What start point `i` reads. Throws BadSubgraph if the entry has fewer, or it reads nothing.
  OutPort input(size_t i) const;
};

/// Runs once, and only if the configuration has an entry with its id. Most of these transformations throw
/// NothingMatched if the model lacks a node that the entry names; other transformations of the configuration only warn.
class DetectionTransform : public Transform {
 public:
  bool run_not_recursively() const override { return true; }
  Names run_after() const override { return {"ObjectDetectionAPITransformationsStart"}; }
  Names run_before() const override { return {"ObjectDetectionAPITransformationsFinish"}; }
  void find_and_replace_pattern(Graph& graph) override;

 protected:
  virtual void replace(Graph& graph, const ReplacementDescription& description) = 0;
};

/// find_named() of core/front/config/subgraph_matcher.h; throws NothingMatched.
Node& require_node(const Graph& graph, const ReplacementDescription& description, const std::string& name);
/// Throws NothingMatched with all names that the model lacks, and what matching throws.
PointsMatch match_between(Graph& graph, const ReplacementDescription& description);
[[noreturn]] void fail_match(const ReplacementDescription& description, const Detail& what, Place place = {});

/// The node that another transformation has made and named; null if there is none.
Node* find_made(const Graph& graph, std::string_view name);
/// The pipeline.config that the option gives. Throws NoPipelineConfig if there is none.
const PipelineConfig& pipeline_config(const Graph& graph, const ReplacementDescription& description);
/// The custom attribute `key`, else the field. Throws PipelineFieldMissing if there is neither, BadConfigEntry for an
/// attribute of another kind.
int64_t int_of(const ReplacementDescription& description, const char* key, const Setting<int64_t>& setting);
double float_of(const ReplacementDescription& description, const char* key, const Setting<double>& setting);
bool bool_of(const ReplacementDescription& description, const char* key, bool otherwise);
std::string text_of(const ReplacementDescription& description, const char* key, const Setting<std::string>& setting);
/// 1 / scale of x, y, width and height.
Doubles variances(const PipelineConfig& config);

/// The input with the images: image_tensor or input_tensor. Throws NothingMatched.
Node& image_input(const Graph& graph, const ReplacementDescription& description);
/// Sets height and width of the images as the resizer of the pipeline.config does, and an unknown batch to 1. A size
/// that the model or --input_shape gives stays with fixed_shape_resizer; keep_aspect_ratio_resizer changes it. Warns of
/// a size that the resizer would not give. Throws PipelineFieldMissing, BadFieldValue, RankMismatch.
void set_image_size(Graph& graph, const ReplacementDescription& description, const PipelineConfig& config);

/// The boxes [.., 4] as rows [first, n, 4], with y and x of each corner exchanged.
OutPort swap_corners(Builder& b, OutPort boxes, int64_t first);
/// SOFTMAX of the last axis, SIGMOID or IDENTITY. Throws BadFieldValue.
OutPort activate(Builder& b, OutPort scores, const std::string& converter, const Place& place);
/// [1, 2, n * 4]: boxes [.., 4] of n priors in the order of IR, and a row with the variances of each.
OutPort with_variances(Builder& b, OutPort boxes, const Doubles& variances);
/// A DetectionOutput of that name, with those custom attributes of the entry that DetectionOutput has. `attributes`
/// take precedence.
Node& detection_output(Builder& b, const char* name, const ReplacementDescription& description, List<OutPort> inputs,
                       const Attributes& attributes);
/// Removes the outputs of the model that the nodes feed.
void remove_results(Graph& graph, const std::vector<Node*>& nodes);
/// The node becomes an output of the model. It replaces the outputs that the nodes feed, directly or through other
/// nodes up to a CropAndResize.
void replace_results(Graph& graph, const std::vector<Node*>& nodes, Node& made);

}  // namespace mo::tf
