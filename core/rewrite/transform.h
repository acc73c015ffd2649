// Base classes of all rewrites. A rewrite is one class in its own file, in the folder of its phase, and one row in
// core/pipeline/transforms.def. Its order is declared and does not depend on that row's position.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/build/builder.h"

namespace mo {

enum class Phase { Front, Infer, Middle, Layout, Back };
std::string_view phase_name(Phase phase);

using Names = std::vector<std::string_view>;

class Transform {
 public:
  virtual ~Transform() = default;
  /// Rewrites the graph. Called once for the model and once for every body, unless run_not_recursively().
  virtual void find_and_replace_pattern(Graph& graph) = 0;
  /// Names of transforms that must run earlier or later. Default: the Start and Finish anchors of the phase.
  virtual Names run_after() const { return {}; }
  virtual Names run_before() const { return {}; }
  /// The phase that begins when it is this transform's turn, even if it does not run: infer, layout and back begin with
  /// one.
  virtual std::optional<Phase> begins() const { return {}; }
  /// A short name for MO_ENABLED_TRANSFORMS and MO_DISABLED_TRANSFORMS; unique unless empty.
  virtual std::string_view id() const { return {}; }
  /// The id of its entry in the transformations configuration, if it needs one. A user's class takes the place of a
  /// built-in one with the same id.
  virtual std::string_view replacement_id() const { return {}; }
  /// Called right before the transform would run, so that an earlier transform can still change it.
  virtual bool enabled() const { return true; }
  /// Whether the transform applies to this model (framework, layout…).
  virtual bool graph_condition(Graph&) const { return true; }
  /// True: runs for the model only, not for the bodies of loops and branches.
  virtual bool run_not_recursively() const { return false; }
  /// True: nodes that no Result needs are removed afterwards.
  virtual bool force_clean_up() const { return false; }
  /// True: nodes that need it are inferred again afterwards. Not necessary in the middle and back phase.
  virtual bool force_shape_inference() const { return false; }
  /// Operations that it replaces wherever they occur, so that none is left behind it.
  virtual Names replaced_ops() const { return {}; }
};

/// Replaces one framework or internal operation by others when inference reaches it. At that point everything that can
/// be known about shapes, types and values of its inputs is known.
class Decomposition : public Transform {
 public:
  /// The ops it replaces, by their names after extraction. Empty: every node is offered to it, before the decomposition
  /// of the node's op.
  virtual Names ops() const = 0;
  /// False: the node is left to its OpDef.
  virtual bool applies(const Node&) const { return true; }
  /// Returns the ports that replace the node's outputs, in order. A port may be empty only if the output is not used.
  /// If ops() is empty, no ports leave the node as it is. Creates only ops with an OpDef. Throws Error (the caller adds
  /// the place) when this form has no equivalent in IR.
  virtual std::vector<OutPort> decompose(Builder& b, Node& node) = 0;
  void find_and_replace_pattern(Graph&) final {}
};

/// Ends a transform's file: defines the function for its row of core/pipeline/transforms.def.
#define MO_DEFINE_TRANSFORM(name) \
  std::unique_ptr<Transform> make_##name() { return std::make_unique<name>(); }

}  // namespace mo
