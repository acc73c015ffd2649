// Base classes of all rewrites. A rewrite is one class in one file of its phase's folder and one row in
// core/pipeline/transforms.def; its order among the others is declared, never positional.
#pragma once

#include <memory>
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
  /// Rewrites the graph; called once for the model and once for every body unless run_not_recursively().
  virtual void find_and_replace_pattern(Graph& graph) = 0;
  /// Names of transforms that must run earlier or later. Without any, the phase's Start and Finish anchors hold it.
  virtual Names run_after() const { return {}; }
  virtual Names run_before() const { return {}; }
  /// A short name for MO_ENABLED_TRANSFORMS and MO_DISABLED_TRANSFORMS; unique where it is not empty.
  virtual std::string_view id() const { return {}; }
  /// Asked when its turn comes, so that an earlier transform may still change it.
  virtual bool enabled() const { return true; }
  /// Whether the model is one it is meant for (framework, layout…).
  virtual bool graph_condition(Graph&) const { return true; }
  /// The model only, not the bodies of its loops and branches.
  virtual bool run_not_recursively() const { return false; }
  /// Removes what no Result needs, afterwards.
  virtual bool force_clean_up() const { return false; }
  /// Infers again, afterwards, the nodes that need it. Middle and back transforms need not ask for it.
  virtual bool force_shape_inference() const { return false; }
};

/// Replaces one framework or internal operation by others, at the moment when inference reaches it: shapes, types and
/// values of its inputs are known as far as they ever will be.
class Decomposition : public Transform {
 public:
  /// The ops it replaces, as they are called after extraction. None: it is asked of every node, before the one for the
  /// node's op is.
  virtual Names ops() const = 0;
  /// False leaves the node to its OpDef.
  virtual bool applies(const Node&) const { return true; }
  /// The ports that take the place of the node's outputs, in order; an empty port only where the output is not used.
  /// No ports at all leave the node as it is, where `ops` names none. Builds with ops that have an OpDef. Throws Error (placed by the caller) when this form has no equivalent.
  virtual std::vector<OutPort> decompose(Builder& b, Node& node) = 0;
  void find_and_replace_pattern(Graph&) final {}
};

/// Closes a transform's file: the function its row of core/pipeline/transforms.def refers to.
#define MO_DEFINE_TRANSFORM(name) \
  std::unique_ptr<Transform> make_##name() { return std::make_unique<name>(); }

}  // namespace mo
