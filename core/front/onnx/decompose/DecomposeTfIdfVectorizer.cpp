// Before: y = TfIdfVectorizer(x) {mode, min_gram_length, max_gram_length, max_skip_count, ngram_counts, ngram_indexes,
//         pool_int64s, weights}
// After:  for each n-gram length n and each distance d between elements: one shifted window of x for each element,
//         found = the And over the elements of Equal(window, the pool's elements);  count = ReduceSum(found)
//         IDF: weights where count is not 0;  TFIDF: count * weights;  y = the counts in the order of ngram_indexes
// Conditions: elements are numbers; no two n-grams have the same output column.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTfIdfVectorizer final : public Decomposition {
 public:
  Names ops() const override { return {"TfIdfVectorizer"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (!node.get_strings("pool_strings").empty() || x.tensor().type == ElementType::String)
      throw Error(Code::UnsupportedForm, "n-grams of texts: the runtime computes no texts");
    if (rank != 1 && rank != 2) throw Error(Code::RankMismatch, msg("n-grams of a tensor of rank ", rank));
    if (rank == 1) x = b.unsqueeze(x, {0});
    const Gram gram = gram_of(node, x.tensor().shape[1]);
    std::vector<OutPort> counts;
    for (int64_t n = 1; n <= gram.lengths(); ++n) counts.push_back(counted(b, gram, b.convert(x, ElementType::I64), n));
    counts.erase(std::remove(counts.begin(), counts.end(), OutPort()), counts.end());
    if (counts.empty()) throw Error(Code::BadAttribute, "the pool is empty");
    const OutPort y = ordered(b, node, gram, weighted(b, node, b.concat(counts, 1)));
    return {rank == 1 ? b.squeeze(y, {0}) : y};
  }

 private:
  struct Gram {
    Ints starts, pool;  ///< n-grams of length n are at [starts[n - 1], starts[n])
    int64_t least = 0, most = 0, distances = 1;
    int64_t lengths() const { return static_cast<int64_t>(starts.size()) - 1; }
    int64_t count(int64_t n) const {
      const auto at = static_cast<size_t>(n);
      return (starts[at] - starts[at - 1]) / n;
    }
  };

  static Gram gram_of(const Node& node, Dimension elements) {
    Gram g{node.get_ints("ngram_counts"), node.get_ints("pool_int64s"), node.get_int("min_gram_length"),
           node.get_int("max_gram_length"), 1};
    constexpr int64_t kMostLengths = 64, kMostDistances = 1024;
    const int64_t skips = node.get_int("max_skip_count"), lengths = static_cast<int64_t>(g.starts.size());
    if (lengths < 1 || lengths > kMostLengths || g.least < 1 || g.most < g.least || g.most > lengths || skips < 0)
      throw Error(Code::BadAttribute, msg("n-grams of ", g.least, " to ", g.most, " elements, ", lengths,
                                          " ngram_counts, max_skip_count ", skips));
    // Elements cannot be farther apart than the length of the row.
    g.distances = std::min(skips, elements.max - 1) + 1;
    if (g.distances > kMostDistances) throw Error(Code::UnsupportedForm, msg(skips, " elements skipped"));
    g.starts.push_back(static_cast<int64_t>(g.pool.size()));
    for (int64_t n = 1; n <= lengths; ++n) {
      const auto at = static_cast<size_t>(n);
      if (g.starts[0] != 0 || g.starts[at] < g.starts[at - 1] || (g.starts[at] - g.starts[at - 1]) % n != 0)
        throw Error(Code::BadAttribute, msg("ngram_counts of length ", n));
    }
    return g;
  }

  /// The count of each n-gram of length n, [rows, n-grams]; empty if there are none.
  static OutPort counted(Builder& b, const Gram& g, OutPort x, int64_t n) {
    const int64_t count = g.count(n);
    if (count == 0) return {};
    const OutPort rows = b.concat({b.dims_of(x, {0}), b.i64({count})}, 0);
    OutPort sum;
    const int64_t distances = n < g.least || n > g.most ? 0 : n == 1 ? 1 : g.distances;
    for (int64_t d = 1; d <= distances; ++d) {
      const PartialShape& shape = x.tensor().shape;
      if (shape[1].max <= (n - 1) * d) break;
      OutPort found;
      for (int64_t i = 0; i < n; ++i) {
        Ints elements;
        for (int64_t k = 0; k < count; ++k)
          elements.push_back(g.pool[static_cast<size_t>(g.starts[static_cast<size_t>(n) - 1] + k * n + i)]);
        const int64_t behind = (n - 1 - i) * d;
        const OutPort window =
            b.op("Slice", {x, b.i64({i * d}), b.i64({behind == 0 ? INT64_MAX : -behind}), b.i64({1}), b.i64({1})});
        const OutPort same = b.op("Equal", {b.unsqueeze(window, {2}), b.i64(elements)});
        found = found ? b.op("LogicalAnd", {found, same}) : same;
      }
      const OutPort times = b.reduce("ReduceSum", b.convert(found, ElementType::F32), {1}, false);
      sum = sum ? b.op("Add", {sum, times}) : times;
    }
    return sum ? sum : b.op("Broadcast", {b.f32_scalar(0), rows}, {{"mode", "numpy"}});
  }

  static OutPort ordered(Builder& b, const Node& node, const Gram& g, OutPort counts) {
    const Ints columns = node.get_ints("ngram_indexes");
    int64_t total = 0, most = -1;
    for (int64_t n = 1; n <= g.lengths(); ++n) total += g.count(n);
    if (static_cast<int64_t>(columns.size()) != total)
      throw Error(Code::BadAttribute, msg(columns.size(), " ngram_indexes for ", total, " n-grams"));
    for (const int64_t column : columns) {
      if (column < 0 || column >= (1 << 24)) throw Error(Code::BadAttribute, msg("ngram_indexes has ", column));
      most = std::max(most, column);
    }
    // Columns without an n-gram are 0.
    Ints from(static_cast<size_t>(most) + 1, total);
    for (size_t i = 0; i < columns.size(); ++i) {
      int64_t& place = from[static_cast<size_t>(columns[i])];
      if (place != total) throw Error(Code::UnsupportedForm, msg("two n-grams in column ", columns[i]));
      place = static_cast<int64_t>(i);
    }
    const OutPort padded = b.op("Pad", {counts, b.i64({0, 0}), b.i64({0, 1}), b.f32_scalar(0)}, {{"mode", "constant"}});
    return b.gather(padded, b.i64(from), 1);
  }

  static OutPort weighted(Builder& b, const Node& node, OutPort counts) {
    const std::string mode = node.get_string("mode");
    const Doubles weights = node.get_floats("weights");
    if (mode != "TF" && mode != "IDF" && mode != "TFIDF") throw Error(Code::BadAttribute, msg("mode is '", mode, "'"));
    OutPort y = counts;
    if (mode == "IDF") y = b.convert(b.op("Greater", {counts, b.f32_scalar(0)}), ElementType::F32);
    if (mode == "TF" || weights.empty()) return y;
    return b.op("Mul", {y, precise_constant(b, ElementType::F32, {counts.tensor().shape[1].min}, weights)});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTfIdfVectorizer)
}  // namespace mo
