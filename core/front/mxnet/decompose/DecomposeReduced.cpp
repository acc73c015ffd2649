// Before: y = Reduced(x) {operation, axes, exclude, keep_dims, numpy}
// After:  y = operation(x, axes) {keep_dims}, with exclude along the other axes, without axes along all; a result
//         without dimensions gets one of 1. numpy: it does not, and the mean of integers is f32
// Conditions: the rank of x is known, or axes are given without exclude.

#include <algorithm>

#include "core/decompose/control/nested.h"
#include "core/decompose/math/constants.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeReduced final : public Decomposition {
 public:
  Names ops() const override { return {"Reduced"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const bool numpy = node.get_bool("numpy");
    const OutPort x = numpy ? widened(b, node, node.source(0)) : node.source(0);
    const int rank = x.tensor().shape.rank();
    const bool all = !node.has("axes"), keep = node.get_bool("keep_dims");
    const OutPort axes = all ? all_axes(b, x) : b.i64(axes_of(node, rank));
    const OutPort y = decomposed(b, node.get_string("operation").c_str(), {x, axes},
                                 Attributes{{"keep_dims", keep}, {"noop_with_empty_axes", true}})[0];
    const bool is_one = !keep && !numpy && (all || y.tensor().shape.rank() == 0);
    return {is_one ? b.reshape(y, {1}, false) : y};
  }

 private:
  static OutPort widened(Builder& b, const Node& node, OutPort x) {
    const std::string operation = node.get_string("operation");
    const ElementType type = x.tensor().type;
    const bool whole = is_integer(type) || type == ElementType::Bool;
    return whole && operation == "ReduceMean" ? b.convert(x, ElementType::F32) : x;
  }

  static Ints axes_of(const Node& node, int rank) {
    Ints named = node.get_ints("axes"), out;
    if (rank < 0) {
      if (node.get_bool("exclude")) throw Error(Code::UnsupportedForm, "all axes but some of data of unknown rank");
      return named;
    }
    for (int64_t& axis : named) axis = static_cast<int64_t>(normalize_axis(axis, rank));
    for (int64_t axis = 0; axis < rank; ++axis)
      if ((std::find(named.begin(), named.end(), axis) == named.end()) == node.get_bool("exclude")) out.push_back(axis);
    return out;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeReduced)
}  // namespace mo
