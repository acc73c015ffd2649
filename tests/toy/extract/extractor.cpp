#include "tests/toy/extract/extractor.h"

#include "core/build/builder.h"
#include "core/graph/framework_node.h"

namespace mo::toy {
namespace {

/// Scale has its factors in the file with the weights: `count` of them from `begin` on.
void extract_scale(Node& node, const ToyModel& model) {
  require_input(node, 0);
  if (!node.has("begin")) throw Error(Code::MissingAttribute, "begin");
  const Constant factors = model.weights(node.graph().files(), node.get_int("begin"), node.get_int("count", 1));
  node.attributes = {};
  node.add_in_ports(2);
  node.in(1).connect(Builder(node).constant(factors));
  node.set_op("Mul");
}

void extract_rectify(Node& node, const ToyModel& model) { node.set_op(model.linear() ? "Identity" : "ReLU"); }

struct Operator {
  std::string_view name, internal;
  void (*extract)(Node&, const ToyModel&);
};
constexpr Operator kOperators[] = {
#define TOY_SAME(name, internal) {#name, #internal, nullptr},
#define TOY_CALL(name, function, internal) {#name, {}, function},
#include "tests/toy/extract/operators.def"
};

}  // namespace

void ToyModel::extract(Node& node) {
  for (const Operator& row : kOperators) {
    if (row.name != node.pb->op) continue;
    if (!row.extract) return node.set_op(std::string(row.internal));
    try {
      return row.extract(node, *this);
    } catch (Error& error) {
      error.place() = node.place();
      throw;
    }
  }
  throw Error(Code::UnsupportedOp, node.pb->op, node.place());
}

Constant ToyModel::weights(Files& files, int64_t begin, int64_t count) const {
  if (!weights_) throw Error(Code::MissingDataFile, "--toy_weights");
  const uint64_t there = files.source(*weights_).size() / 4;
  if (begin < 0 || count < 1 || static_cast<uint64_t>(begin) > there ||
      static_cast<uint64_t>(count) > there - static_cast<uint64_t>(begin))
    throw Error(Code::DataOutOfRange, cat("numbers ", begin, " to ", begin + count, " of ", there));
  const auto size = static_cast<uint64_t>(count) * 4;
  return {ElementType::F32, {count}, std::make_shared<SliceContent>(*weights_, static_cast<uint64_t>(begin) * 4, size)};
}

}  // namespace mo::toy
