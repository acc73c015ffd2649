// What a user adds to one conversion: operations, extractors and transformations, in whatever language.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {

/// An operation of the user's. It wins over a built-in one of the same name.
struct UserOp {
  std::string op;                        ///< internal name
  std::string type;                      ///< IR type; empty when it must not reach the IR
  std::string version = "experimental";  ///< operation set in the IR
  /// Sets shapes (and values, where they are known) of the outputs. Without one the operation must be replaced in the
  /// front phase.
  std::function<void(Node&)> infer;
  /// Sets the types of the outputs. Without one output 0 has the type of attribute `data_type`, else of input 0.
  std::function<void(Node&)> type_infer;
  std::function<void(const Node&, IrAttributes&)> ir_attributes;
  Layout layout = {};
  /// Acts as its own extractor for the framework's operation of that name.
  bool is_extractor = false;
};

/// Turns a framework's node into an operation: sets op and attributes.
struct UserExtractor {
  std::string name;               ///< of the class
  std::string op;                 ///< the framework's operation
  std::string framework;          ///< "onnx"…
  std::function<bool()> enabled;  ///< always, when there is none
  /// False leaves the node to the next candidate.
  std::function<bool(Node&)> extract;
};

struct UserTransform {
  std::string name;       ///< of the class; unique
  std::string full_name;  ///< by folder and file: "my_ext.front.onnx.mish_ext.FuseMish"
  std::string framework;  ///< empty for all
  std::string description;
  Phase phase = Phase::Front;
  std::unique_ptr<Transform> transform;
};

struct Extensions {
  std::vector<UserOp> ops;
  std::vector<UserExtractor> extractors;
  std::vector<UserTransform> transforms;
};

/// The user's operations as definitions; nodes refer to them, so they have to outlive the graph.
class UserOps {
 public:
  /// Throws DuplicateOp.
  explicit UserOps(const std::vector<UserOp>& ops);
  /// Makes nodes of the model find them.
  void join(Model& model) const;

 private:
  std::vector<std::shared_ptr<const OpDef>> definitions_;
};

/// What of its operation's definition a node does on its own: the functions that are there win over the operation's.
struct NodeFunctions {
  std::function<void(Node&)> infer, type_infer;
  std::function<void(const Node&, IrAttributes&)> ir_attributes;
};
void set_node_functions(Node& node, NodeFunctions own);

/// The first of `extractors` that takes the node, by its framework operation.
bool extract_by_user(const Extensions& extensions, std::string_view framework, Node& node);

}  // namespace mo
