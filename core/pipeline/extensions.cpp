#include "core/pipeline/extensions.h"

#include "core/graph/framework_node.h"

namespace mo {
namespace {

/// A definition that calls the user's functions. It is looked up by the operation's name, because the node's definition
/// may be a wrapper.
struct UserOpDef final : OpDef {
  explicit UserOpDef(const UserOp& user);
  UserOp user;
};

const UserOp& user_of(const Node& node) {
  return static_cast<const UserOpDef*>(node.graph().model().user_ops.find(node.op())->second)->user;
}

/// Output 0 gets the type of attribute `data_type`, else of input 0, unless it already has a type.
void infer_usual_type(InferContext& c) {
  Node& node = c.node();
  if (!node.has_out_port(0)) return;
  Tensor& output = node.out(0).tensor();
  if (output.type == ElementType::Unknown) output.type = node.get_type("data_type", c.type(0));
}

void infer_user_op(InferContext& c) {
  Node& node = c.node();
  const UserOp& user = user_of(node);
  if (user.infer) user.infer(node);
  if (user.type_infer) return user.type_infer(node);
  infer_usual_type(c);
}

void user_attributes(const Node& node, IrAttributes& attributes) {
  if (const UserOp& user = user_of(node); user.ir_attributes) user.ir_attributes(node, attributes);
}

UserOpDef::UserOpDef(const UserOp& given) : OpDef{}, user(given) {
  op = user.op;
  type = user.type;
  version = user.version;
  infer = user.infer ? infer_user_op : nullptr;
  ir_attributes = user_attributes;
  layout = user.layout;
}

/// An operation's definition with what belongs to one node.
struct NodeOpDef final : OpDef, std::enable_shared_from_this<NodeOpDef> {
  NodeOpDef(const OpDef& base, NodeFunctions given) : OpDef(base), op_infer(base.infer), own(std::move(given)) {
    if (own.infer || own.type_infer) infer = infer_node_itself;
    if (own.type) type = *own.type;
    if (own.version) version = *own.version, version_of = nullptr;
    if (own.ir_attributes) ir_attributes = attributes_itself;
    if (own.infer) fold = nullptr;
  }
  static const NodeFunctions& own_of(const Node& node) { return static_cast<const NodeOpDef*>(node.definition())->own; }
  static void infer_node_itself(InferContext& c);
  static void attributes_itself(const Node& node, IrAttributes& attributes) {
    own_of(node).ir_attributes(node, attributes);
  }

  void (*op_infer)(InferContext&);
  NodeFunctions own;
};

void NodeOpDef::infer_node_itself(InferContext& c) {
  // The functions may give the node another definition.
  const auto held = static_cast<const NodeOpDef*>(c.node().definition())->shared_from_this();
  const NodeOpDef& def = *held;
  if (def.own.infer)
    def.own.infer(c.node());
  else if (def.op_infer)
    def.op_infer(c);
  if (def.own.type_infer)
    def.own.type_infer(c.node());
  else
    infer_usual_type(c);
}

}  // namespace

ShapeProvider Extensions::shapes_for(std::string_view framework) const {
  for (const UserShapes& one : shapes)
    if (one.framework == framework) return one.shapes;
  return {};
}

UserOps::UserOps(const std::vector<UserOp>& ops) {
  for (const UserOp& op : ops) {
    for (const auto& other : definitions_)
      if (other->op == op.op) throw Error(Code::DuplicateOp, op.op);
    definitions_.push_back(std::make_shared<UserOpDef>(op));
  }
}

void UserOps::join(Model& model) const {
  for (const auto& definition : definitions_) model.user_ops.emplace(definition->op, definition.get());
}

void set_node_definition(Node& node, NodeFunctions own) {
  if (!own.infer && !own.type_infer && !own.ir_attributes && !own.type && !own.version) return node.define(nullptr);
  node.define([own = std::move(own)](const OpDef* of_op) {
    return std::make_shared<NodeOpDef>(of_op ? *of_op : OpDef{}, own);
  });
}

const ExtensionClass* extract_by_user(const Extensions& extensions, std::string_view framework, Node& node) {
  for (const UserExtractor& extractor : extensions.extractors)
    if (extractor.framework == framework && extractor.op == node.pb->op &&
        (!extractor.enabled || extractor.enabled()) && extractor.extract(node))
      return &extractor.origin;
  for (const UserOp& op : extensions.ops)
    if (op.is_extractor && op.op == node.pb->op) return &op.origin;
  return nullptr;
}

}  // namespace mo
