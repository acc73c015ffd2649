// Before: y = Add(a, b) {broadcast: 1, axis}                         likewise other operations of operator sets 1 to 6
// After:  y = Add(a, b as [b's dimensions, 1…])
// Conditions: the ranks are known. `axis` is the dimension of a that corresponds to b's first one.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeAxisBroadcast final : public Decomposition {
 public:
  Names ops() const override { return {"AxisBroadcast"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const int a_rank = node.source(0).tensor().shape.rank(), b_rank = node.source(1).tensor().shape.rank();
    if (a_rank < 0 || b_rank < 0) throw Error(Code::UnsupportedForm, "broadcast from an axis on with unknown rank");
    const int64_t given = node.get_int("axis");
    const int64_t axis = given < 0 ? given + a_rank : given;
    if (axis < 0 || axis + b_rank > a_rank)
      throw Error(Code::BadAttribute,
                  msg("axis is ", given, " for inputs of ", a_rank, " and ", b_rank, " dimensions"));
    const OutPort other = aligned_at(b, node.source(1), axis, a_rank);
    const std::string operation = node.get_string("operation");
    Attributes attributes;
    if (operation == "Div") attributes.set("m_pythondiv", node.get_bool("m_pythondiv"));
    return {b.op(operation.c_str(), {node.source(0), other}, attributes)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeAxisBroadcast)
}  // namespace mo
