// Before: tokens, match = BifurcationDetector(source [S], current [C], previous match, predicted [P])
//         {min_ngram_size, max_ngram_size} of com.microsoft; P is S + 1 - previous match
// After:  tokens = current and the predicted ones that are equal to those of source from the previous match on, and one
//         more; without predicted ones, current
//         run[e] = how many tokens before place e of source, at most max_ngram_size, are the last ones of tokens, by a
//         table [S + 1, length] of equal tokens
//         match = the place e with the longest run; -1 if that is shorter than min_ngram_size, or if there are several
// Conditions: none.
// The operator looks for longer and longer ends of tokens until one is not found; each that is found has the shorter
// ones at its place, so the last one that is found is the longest run.

#include "core/decompose/indexing/rows.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeBifurcationDetector final : public Decomposition {
 public:
  Names ops() const override { return {"BifurcationDetector"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (int i = 0; i < 3; ++i) require_input(node, i);
    const int64_t least = node.get_int("min_ngram_size"), most = node.get_int("max_ngram_size");
    if (least < 1 || most < least)
      throw Error(Code::BadAttribute, msg("min_ngram_size is ", least, ", max_ngram_size ", most));
    const OutPort source = b.convert(node.source(0), ElementType::I64), previous = node.source(2);
    OutPort tokens = b.convert(node.source(1), ElementType::I64);
    if (node.has_in(3)) tokens = b.concat({tokens, accepted(b, source, to_place(b, previous), node.source(3))}, 0);
    const OutPort match = place_of_longest(b, runs(b, source, tokens, most), least);
    const OutPort shaped = b.op("Reshape", {match, b.shape_of(previous)}, {{"special_zero", false}});
    std::vector<OutPort> outputs{tokens, shaped};
    outputs.resize(static_cast<size_t>(node.out_count()));
    return outputs;
  }

 private:
  static OutPort to_place(Builder& b, OutPort x) { return b.reshape(b.convert(x, ElementType::I64), {1}, false); }

  /// How many elements along the last axis are true before the first that is not.
  static OutPort leading(Builder& b, OutPort equal) {
    const OutPort others = b.convert(b.op("LogicalNot", {equal}), ElementType::I64);
    const int64_t axis = equal.tensor().shape.rank() - 1;
    const OutPort before = b.op("CumSum", {others, b.i64_scalar(axis)});
    return b.reduce("ReduceSum", b.convert(b.op("Equal", {before, b.i64_scalar(0)}), ElementType::I64), {axis}, false);
  }

  static OutPort accepted(Builder& b, OutPort source, OutPort from, OutPort predicted) {
    const OutPort first = b.i64({0}), expected = between(b, source, from, b.i64({INT64_MAX}));
    const OutPort tokens = b.convert(predicted, ElementType::I64);
    const OutPort equal = b.op("Equal", {between(b, tokens, first, b.shape_of(expected)), expected});
    const OutPort count = b.op("Add", {b.unsqueeze(leading(b, equal), {0}), b.i64({1})});
    return between(b, tokens, first, count);
  }

  /// [S + 1]: how many tokens in front of a place are the last ones of `tokens`.
  static OutPort runs(Builder& b, OutPort source, OutPort tokens, int64_t most) {
    const OutPort end = dimension_of(b, source, 0), count = dimension_of(b, tokens, 0), one = b.i64_scalar(1);
    const OutPort places = b.unsqueeze(counted(b, b.op("Add", {end, one})), {1});
    const OutPort back = counted(b, b.op("Minimum", {count, b.i64_scalar(most)}));
    const OutPort at = b.op("Sub", {b.op("Sub", {places, one}), back});
    // Places before the first token have none; one behind the last makes room for that if there are no tokens at all.
    const OutPort inside = b.op("GreaterEqual", {at, b.i64_scalar(0)});
    const OutPort filled = b.concat({source, b.i64({0})}, 0);
    const OutPort here = b.gather(filled, b.op("Maximum", {at, b.i64_scalar(0)}), 0);
    const OutPort wanted = b.gather(tokens, b.op("Sub", {b.op("Sub", {count, one}), back}), 0);
    return leading(b, b.op("LogicalAnd", {inside, b.op("Equal", {here, wanted})}));
  }

  static OutPort place_of_longest(Builder& b, OutPort runs, int64_t least) {
    const OutPort longest = b.reduce("ReduceMax", runs, {0}, false), places = counted(b, dimension_of(b, runs, 0));
    const OutPort has = b.convert(b.op("Equal", {runs, longest}), ElementType::I64);
    const OutPort only = b.op("Equal", {b.reduce("ReduceSum", has, {0}, false), b.i64_scalar(1)});
    const OutPort found = b.op("LogicalAnd", {only, b.op("GreaterEqual", {longest, b.i64_scalar(least)})});
    return b.op("Select", {found, b.reduce("ReduceSum", b.op("Mul", {has, places}), {0}, false), b.i64_scalar(-1)});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeBifurcationDetector)
}  // namespace mo
