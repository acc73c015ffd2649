// Which transforms run, and in which order.
#pragma once

#include "core/pipeline/extensions.h"
#include "core/rewrite/transform.h"

namespace mo {

/// One row of core/pipeline/transforms.def.
struct TransformRow {
  std::string_view name;
  Phase phase;
  std::string_view framework;  ///< "onnx", …; "any" for all
  std::string_view description;
  std::unique_ptr<Transform> (*make)();

  /// Whether it is one for models of the framework; an empty framework stands for each.
  bool is_for(std::string_view model) const { return framework == "any" || model.empty() || framework == model; }
};
const std::vector<TransformRow>& all_transforms();

/// MO_ENABLED_TRANSFORMS and MO_DISABLED_TRANSFORMS: ids, class names, or full names such as `extensions.back.X.X`,
/// `openvino.tools.mo.back.X.X` or `back.X`, of which the phase and the last part count.
struct TransformSwitches {
  std::vector<std::string> enabled, disabled;  ///< a name in both is disabled

  bool disables(const TransformRow& row) const;
};

/// A transform at its place in the order.
struct ScheduledTransform {
  std::string name, description;
  Phase phase = Phase::Front;
  Transform* transform = nullptr;
  std::unique_ptr<Transform> owned;  ///< built-in ones
  std::optional<bool> switched;      ///< by TransformSwitches

  bool enabled() const { return switched ? *switched : transform->enabled(); }
};

/// All transforms that are not Decompositions, and the user's for that framework, sorted: edges from run_after and
/// run_before, default edges to the phase's anchors, then a depth-first visit over name-sorted roots and children whose
/// reversed post-order is the order. A constraint that names a transform of the original's which is not registered is
/// ignored. Throws TransformCycle naming a cycle; DuplicateTransform for names and ids; UnknownTransform for a
/// constraint or a switch that names nothing.
std::vector<ScheduledTransform> schedule_transforms(std::string_view framework = {},
                                                    const Extensions* extensions = nullptr,
                                                    const TransformSwitches& switches = {});

/// The table of --list_transforms: order, phase, id, name, state and what each does; Decompositions at the end.
std::string list_transforms(const Extensions* extensions, const TransformSwitches& switches);

/// The registered Decompositions for models of one framework, by the op they replace. Throws DuplicateTransform for an
/// op of two.
class Decompositions {
 public:
  explicit Decompositions(std::string_view framework, const TransformSwitches& switches = {});
  /// Replaces the node when one is registered for it; false leaves it to its OpDef.
  bool apply(Node& node) const;
  /// The name of the transform for an op, or empty.
  std::string_view find(std::string_view op) const;

 private:
  struct Entry {
    const TransformRow* row;
    Decomposition* decomposition;
  };
  std::vector<std::unique_ptr<Transform>> owned_;
  std::vector<Decomposition*> of_any_;  ///< those that name no ops
  std::map<std::string_view, Entry> by_op_;
};

}  // namespace mo
