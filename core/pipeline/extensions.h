// What a user adds to one conversion, in any language: operations, extractors and transformations.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/front/loader.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {

/// A class of an extension, for messages.
struct ExtensionClass {
  std::string name, file;  ///< "FuseMish", "my_ext/front/onnx/mish.js"
};

/// A user's operation. It takes precedence over a built-in one of the same name.
struct UserOp {
  std::string op;                        ///< internal name
  std::string type;                      ///< IR type; empty when the operation is not allowed in IR
  std::string version = "experimental";  ///< operation set in the IR
  /// Sets shapes (and known values) of the outputs. Without this function an operation must be replaced in the front
  /// phase, or created later by a transformation that sets the shapes of all its outputs.
  std::function<void(Node&)> infer;
  /// Sets the types of the outputs. If absent, output 0 has the type of attribute `data_type`, else of input 0.
  std::function<void(Node&)> type_infer;
  std::function<void(const Node&, IrAttributes&)> ir_attributes;
  Layout layout = {};
  /// The operation is its own extractor for the framework's operation of that name.
  bool is_extractor = false;
  ExtensionClass origin = {};
};

/// Turns a framework's node into an operation: sets its op and attributes.
struct UserExtractor {
  std::string op;                 ///< the framework's operation
  std::string framework;          ///< "onnx"…
  std::function<bool()> enabled;  ///< empty: always enabled
  /// False passes the node to the next candidate.
  std::function<bool(Node&)> extract;
  ExtensionClass origin;
};

struct UserTransform {
  ExtensionClass origin;  ///< its name is unique
  std::string framework;  ///< empty: all frameworks
  std::string description;
  Phase phase = Phase::Front;
  std::unique_ptr<Transform> transform;
};

/// Gives the shapes of nodes whose operation is known neither here nor by an extension.
struct UserShapes {
  std::string framework;
  ShapeProvider shapes;
};

struct Extensions {
  std::vector<UserOp> ops;
  std::vector<UserExtractor> extractors;
  std::vector<UserTransform> transforms;
  std::vector<UserShapes> shapes;
  /// Called before a graph goes that is not the conversion's own: its nodes must not be used any more. May be empty.
  std::function<void(const Graph&)> forget;

  /// Empty if the user gives none for this framework.
  ShapeProvider shapes_for(std::string_view framework) const;
};

/// The user's operations as definitions. Nodes refer to them, so this object has to outlive the graph.
class UserOps {
 public:
  /// Throws DuplicateOp.
  explicit UserOps(const std::vector<UserOp>& ops);
  /// Makes the definitions available to the model's nodes.
  void join(Model& model) const;

 private:
  std::vector<std::shared_ptr<const OpDef>> definitions_;
};

/// The definition of a single node. What is set replaces what its operation has.
struct NodeFunctions {
  std::function<void(Node&)> infer, type_infer;
  std::function<void(const Node&, IrAttributes&)> ir_attributes;
  std::optional<std::string> type;  ///< empty: not allowed in IR
  std::optional<std::string> version;
};
void set_node_definition(Node& node, NodeFunctions own);

/// Calls the extractors for the node's framework operation until one accepts the node. Null: none does.
const ExtensionClass* extract_by_user(const Extensions& extensions, std::string_view framework, Node& node);

}  // namespace mo
