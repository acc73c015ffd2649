// Before: y… = XlaSort(x…, axis) {keys, descending}
// After:  values, places = TopK(x of the key, all) {stable}; y = GatherElements(x, places, axis) of the others. With
//         several keys the last one is sorted by first, and the order of equal elements stays.
// Conditions: the axis is known.

#include "core/decompose/shaping/shaping.h"
#include "core/front/tf/decompose/xla.h"
#include "core/rewrite/transform.h"

namespace mo::xla {
namespace {

class DecomposeXlaSort final : public Decomposition {
 public:
  Names ops() const override { return {"XlaSort"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const int count = node.in_count() - 1;
    const size_t rank = rank_of(node, 0);
    const auto given = node.source(count) ? node.source(count).exact_int() : std::nullopt;
    if (!given) throw Error(Code::UnsupportedForm, "the axis of a sort is not known");
    const int64_t axis = *given < 0 ? *given + static_cast<int64_t>(rank) : *given;
    if (axis < 0 || axis >= static_cast<int64_t>(rank)) throw Error(Code::BadValue, msg("axis ", *given, " of ", rank));
    const Ints keys = node.get_ints("keys"), descending = node.get_ints("descending");
    std::vector<OutPort> out(static_cast<size_t>(count));
    OutPort places;
    for (size_t k = keys.size(); k-- > 0;) {
      if (keys[k] < 0 || keys[k] >= count) throw Error(Code::BadAttribute, msg("key ", keys[k], " of ", count));
      const OutPort key = node.source(static_cast<int>(keys[k]));
      const OutPort by = places ? b.op("GatherElements", {key, places}, {{"axis", axis}}) : key;
      Node& sorted = b.node("TopK", {by, dimension_of(b, by, axis)},
                            {{"axis", axis},
                             {"mode", descending[k] != 0 ? "max" : "min"},
                             {"sort", "value"},
                             {"index_element_type", ElementType::I64},
                             {"stable", true}},
                            2);
      places = places ? b.op("GatherElements", {places, sorted.out(1)}, {{"axis", axis}}) : sorted.out(1);
      if (k == 0) out[static_cast<size_t>(keys[0])] = sorted.out(0);
    }
    for (int i = 0; i < count; ++i)
      if (OutPort& y = out[static_cast<size_t>(i)]; !y && !node.out(i).disconnected())
        y = b.op("GatherElements", {node.source(i), places}, {{"axis", axis}});
    return out;
  }
};

}  // namespace
}  // namespace mo::xla

namespace mo {
using xla::DecomposeXlaSort;
MO_DEFINE_TRANSFORM(DecomposeXlaSort)
}  // namespace mo
