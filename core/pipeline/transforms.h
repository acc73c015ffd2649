// Which transforms run, and their order.
#pragma once

#include "core/pipeline/extensions.h"
#include "core/rewrite/transform.h"

namespace mo {

/// One row of core/pipeline/transforms.def.
struct TransformRow {
  std::string_view name;
  Phase phase;
  std::string_view frameworks;  ///< "onnx", "tf | tflite", …; "any" for all
  std::string_view description;
  std::unique_ptr<Transform> (*make)();

  /// Whether the transform is for models of the framework; an empty name means any framework.
  bool is_for(std::string_view model) const;
};
std::span<const TransformRow> all_transforms();

/// MO_ENABLED_TRANSFORMS and MO_DISABLED_TRANSFORMS: ids, class names, or full names such as `extensions.back.X.X`,
/// `openvino.tools.mo.back.X.X` or `back.X`; of a full name the phase and the last part count.
struct TransformSwitches {
  std::vector<std::string> enabled, disabled;  ///< a name in both is disabled
  bool analysis = false;  ///< ANALYSIS_JSON_PRINT is enabled: the graph is described after inference, and not converted

  bool disables(const TransformRow& row) const;
};

/// A transform in the order.
struct ScheduledTransform {
  std::string name, description;
  Phase phase = Phase::Front;
  Transform* transform = nullptr;
  std::unique_ptr<Transform> owned;        ///< for built-in transforms
  const ExtensionClass* origin = nullptr;  ///< for a user's
  std::optional<bool> switched;            ///< set by TransformSwitches

  bool enabled() const { return switched ? *switched : transform->enabled(); }
};

/// All built-in transforms except Decompositions, and the user's transforms for that framework, in their order. Edges
/// come from run_after and run_before, and default edges from the phase's anchors. The order is the reversed post-order
/// of a depth-first search over name-sorted roots and children. A constraint that names an unregistered transform of
/// Model Optimizer is ignored. Throws TransformCycle with a cycle; DuplicateTransform for names and ids;
/// UnknownTransform for a constraint or a switch with an unknown name.
std::vector<ScheduledTransform> schedule_transforms(std::string_view framework = {},
                                                    const Extensions* extensions = nullptr,
                                                    const TransformSwitches& switches = {});

/// The table of --list_transforms: order, phase, id, name, state and description. Loaders come first, Decompositions
/// last.
std::string list_transforms(const Extensions* extensions, const TransformSwitches& switches);

/// The Decompositions for models of one framework, by the op they replace. Throws DuplicateTransform when two replace
/// the same op.
class Decompositions {
 public:
  explicit Decompositions(std::string_view framework, const TransformSwitches& switches = {});
  /// Replaces the node if one is registered for its op. False: its OpDef is used.
  bool apply(Node& node) const;
  /// The name of the transform for an op; empty when there is none.
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
