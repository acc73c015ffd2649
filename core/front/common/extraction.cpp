// The one way from a framework's node to an internal op.

#include "core/base/text.h"
#include "core/build/attribute_rows.h"
#include "core/front/loader.h"
#include "core/graph/framework_node.h"

namespace mo {
namespace {

std::string name_of(const FrameworkNode& node) {
  return node.domain.empty() ? node.op : cat(node.domain, '.', node.op);
}

}  // namespace

void LoadedModel::extract(Node& node) {
  const Operator* row = operators_.find(node.pb->op, node.pb->domain);
  if (!row) return extract_unknown(node);
  if (row->refusal) throw Error(Code::UnsupportedOp, msg(name_of(*node.pb), ": ", Detail::words(row->refusal)));
  if (prepare(node)) return;
  if (row->extract) {
    row->extract(node);
  } else if (row->internal) {
    node.set_op(std::string(row->internal));
    apply_attributes(node, row->attributes);
  }
  finish(node);
}

void LoadedModel::extract_unknown(Node& node) { throw Error(Code::UnsupportedOp, name_of(*node.pb)); }

}  // namespace mo
