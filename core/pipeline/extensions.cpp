#include "core/pipeline/extensions.h"

namespace mo {
namespace {

/// A definition that calls the user's functions. Nodes reach it through their own definition().
struct UserOpDef final : OpDef {
  explicit UserOpDef(const UserOp& user);
  UserOp user;
};

const UserOp& user_of(const Node& node) { return static_cast<const UserOpDef*>(node.definition())->user; }

void infer_user_op(InferContext& c) {
  Node& node = c.node();
  const UserOp& user = user_of(node);
  if (user.infer) user.infer(node);
  if (user.type_infer) return user.type_infer(node);
  if (node.out_count() == 0) return;
  Tensor& output = node.out(0).tensor();
  if (output.type == ElementType::Unknown) output.type = node.get_type("data_type", c.type(0));
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

}  // namespace

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

bool extract_by_user(const Extensions& extensions, std::string_view framework, Node& node) {
  for (const UserExtractor& extractor : extensions.extractors)
    if (extractor.framework == framework && extractor.op == node.pb->op &&
        (!extractor.enabled || extractor.enabled()) && extractor.extract(node))
      return true;
  for (const UserOp& op : extensions.ops)
    if (op.is_extractor && op.op == node.pb->op) return true;
  return false;
}

}  // namespace mo
