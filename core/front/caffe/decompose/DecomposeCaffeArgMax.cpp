// Before: y = CaffeArgMax(x) {axis, top_k, out_max_val}
// After:  values, places = TopK(x, top_k), of equal elements the last first: x is reversed before
//         with an axis: y = places as numbers, with out_max_val values
//         without:      y = places of x as rows [N, 1, top_k, 1…]; with out_max_val places, then values: [N, 2, top_k,
//         1…]
// Conditions: the rank of x is known.

#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCaffeArgMax final : public Decomposition {
 public:
  Names ops() const override { return {"CaffeArgMax"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank < 1) throw Error(Code::UnsupportedForm, "data of unknown rank");
    const bool values = node.get_bool("out_max_val");
    const int64_t count = node.get_int("top_k");
    if (const int64_t* given = node.attributes.get_if<int64_t>("axis")) {
      const auto axis = static_cast<int64_t>(normalize_axis(*given, rank));
      const Found found = largest(b, x, axis, count, !values);
      return {values ? found.values : found.places};
    }
    const OutPort rows = rank == 2 ? x : b.reshape(x, {0, -1});
    const Found found = largest(b, rows, 1, count, true);
    Ints shape(static_cast<size_t>(std::max(rank, 3)), 1);
    shape[0] = 0;
    shape[2] = count;
    const auto formed = [&](OutPort part) { return b.reshape(part, shape); };
    const OutPort places = formed(found.places);
    return {values ? b.concat({places, formed(found.values)}, 1) : places};
  }

 private:
  struct Found {
    OutPort values, places;
  };

  static Found largest(Builder& b, OutPort x, int64_t axis, int64_t count, bool with_places) {
    const OutPort from =
        with_places ? b.op("Slice", {x, b.i64({-1}), b.i64({INT64_MIN}), b.i64({-1}), b.i64({axis})}) : x;
    Node& top = b.node("TopK", {from, b.i64_scalar(count)},
                       {{"axis", axis},
                        {"mode", "max"},
                        {"sort", "value"},
                        {"index_element_type", ElementType::I64},
                        {"stable", with_places}},
                       2);
    if (!with_places) return {top.out(0), {}};
    const OutPort last = b.op("Sub", {dimension_of(b, x, axis), b.i64_scalar(1)});
    return {top.out(0), convert_like(b, b.op("Sub", {last, top.out(1)}), x)};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCaffeArgMax)
}  // namespace mo
