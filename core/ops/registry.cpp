#include <unordered_map>

#include "core/ops/op_def.h"

namespace mo {

#define MO_OPS(family) OpFamily ops_##family();
#include "core/ops/ops.def"

const std::vector<const OpDef*>& all_ops() {
  static const std::vector<const OpDef*> all = [] {
    std::vector<const OpDef*> out;
    const auto add = [&](OpFamily family) {
      for (const OpDef& def : family) out.push_back(&def);
    };
#define MO_OPS(family) add(ops_##family());
#include "core/ops/ops.def"
    return out;
  }();
  return all;
}

const OpDef* find_op(std::string_view op) {
  static const std::unordered_map<std::string_view, const OpDef*> by_name = [] {
    std::unordered_map<std::string_view, const OpDef*> map;
    for (const OpDef* def : all_ops()) map.emplace(def->op, def);
    return map;
  }();
  const auto found = by_name.find(op);
  return found == by_name.end() ? nullptr : found->second;
}

namespace {

class BuiltInOperations final : public Operations {
 public:
  const OpDef* find(std::string_view op) const override { return find_op(op); }
  std::string_view type_of(const OpDef& definition) const override { return definition.type; }
  bool is_sink(const OpDef& definition) const override { return definition.sink; }
  void infer(Node& node) const override { infer_node(node); }
};

}  // namespace

const Operations& built_in_operations() {
  static const BuiltInOperations operations;
  return operations;
}

}  // namespace mo
