// Before: MatMul(SoftMax(MatMul(query, key^T) * scale + mask), value)
// After:  ScaledDotProductAttention(query, key, value, mask, scale)
// Conditions: all have one known rank of at least 3; SoftMax over the last axis; the scale is one number, a factor or
//         divisor, or missing; the mask is missing or adds no dimension to the scores; what is between has no other
//         consumers. The key may be transposed by the MatMul or by a Transpose; otherwise a Transpose is added.
// The runtime of 2023.3 does not repeat rows or columns of a mask: a mask without a row for each query and a column for
// each key is broadcast first, once for all attentions of the same length. Nor does it repeat batches or heads, or
// take values of another size than queries, unless shapes are static; in these cases nothing is replaced.

#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/ops/dimension_origins.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class ScaledDotProductAttentionFusion final : public MiddleReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    origins_ = {};
    broadcast_.clear();
    for (Node* node : graph.nodes("MatMul"))
      if (const auto scores = scores_of(*node)) replace(*node, *scores);
  }

 private:
  struct Scores {
    Node* product = nullptr;  ///< MatMul(query, key^T)
    OutPort mask;
    double scale = 1;
  };

  static bool used_once(const OutPort& port) { return port.reader_count() == 1; }
  static int rank_of(const OutPort& port) { return port ? port.tensor().shape.rank() : -1; }

  static std::optional<double> number(const OutPort& port) {
    if (!port || !port.tensor().value || port.tensor().from_shape || port.tensor().value->elements() != 1)
      return std::nullopt;
    const auto numbers = read_doubles(*port.tensor().value, port.node().graph().files(), 1);
    if (!numbers || !std::isfinite((*numbers)[0]) || (*numbers)[0] == 0) return std::nullopt;
    return (*numbers)[0];
  }

  /// The scores if the first input of the MatMul is the SoftMax of scaled scores.
  static std::optional<Scores> scores_of(const Node& weighted) {
    const OutPort weights = weighted.source(0);
    if (weighted.get_bool("transpose_a") || weighted.get_bool("transpose_b") || !weights || !used_once(weights) ||
        weights.node().op() != "SoftMax")
      return std::nullopt;
    const int rank = rank_of(weights);
    const int64_t axis = weights.node().get_int("axis", 1);
    if (rank < 3 || rank_of(weighted.source(1)) != rank || (axis != -1 && axis != rank - 1)) return std::nullopt;
    Scores scores;
    OutPort at = weights.node().source(0);
    if (at && at.node().op() == "Add" && used_once(at)) at = without_mask(at.node(), scores);
    if (at && used_once(at) && (at.node().op() == "Mul" || at.node().op() == "Div")) {
      const bool divided = at.node().op() == "Div";
      int constant = 1;
      if (!number(at.node().source(1)) && !divided) constant = 0;
      const auto factor = number(at.node().source(constant));
      if (!factor) return std::nullopt;
      scores.scale = divided ? 1 / *factor : *factor;
      at = at.node().source(1 - constant);
    }
    if (!at || !used_once(at) || at.node().op() != "MatMul" || rank_of(at) != rank) return std::nullopt;
    scores.product = &at.node();
    const bool same_ranks = rank_of(at.node().source(0)) == rank && rank_of(at.node().source(1)) == rank;
    if (!same_ranks || at.node().get_bool("transpose_a") || !is_plain(at.node(), weighted.source(1)))
      return std::nullopt;
    return scores;
  }

  static bool is_plain(const Node& product, OutPort value) {
    const PartialShape &query = product.source(0).tensor().shape, &key = product.source(1).tensor().shape,
                       &values = value.tensor().shape;
    if (query.is_static() && key.is_static() && values.is_static()) return true;
    const auto rank = static_cast<size_t>(query.rank());
    for (size_t i = 0; i + 2 < rank; ++i)
      for (const Dimension& other : {key[i], values[i]})
        if (query[i].is_exact() && other.is_exact() && query[i] != other) return false;
    return query[rank - 1] == values[rank - 1];
  }

  /// The input of the sum that comes from a MatMul, scaled or not. The other input becomes the mask.
  static OutPort without_mask(const Node& sum, Scores& scores) {
    for (int i = 0; i < 2; ++i) {
      const OutPort from = sum.source(i), mask = sum.source(1 - i);
      if (!from || !mask || !leads_to_product(from) || !fits(mask.tensor().shape, from.tensor().shape)) continue;
      scores.mask = mask;
      return from;
    }
    return {};
  }
  static bool leads_to_product(OutPort port) {
    if (port.node().op() == "MatMul") return true;
    if (port.node().op() != "Mul" && port.node().op() != "Div") return false;
    for (int i = 0; i < 2; ++i)
      if (const OutPort source = port.node().source(i); source && source.node().op() == "MatMul") return true;
    return false;
  }
  /// Whether adding the mask keeps the shape of the scores.
  static bool fits(const PartialShape& mask, const PartialShape& scores) {
    if (!mask.has_rank() || !scores.has_rank() || mask.rank() > scores.rank()) return false;
    const size_t rank = mask.dimensions().size(), before = scores.dimensions().size() - rank;
    for (size_t i = 0; i < rank; ++i)
      if (mask[i].min > 1 && scores[before + i] == Dimension(1)) return false;
    const bool has_rows = rank >= 2 && mask[rank - 2].min > 1;
    return !has_rows || mask[rank - 2] == scores[before + rank - 2];
  }

  /// The mask with a row for each query and a column for each key. A scalar is returned unchanged.
  OutPort fitting_mask(Builder& b, OutPort mask, OutPort product) {
    const PartialShape &shape = mask.tensor().shape, &scores = product.tensor().shape;
    if (shape.rank() == 0) return mask;
    bool fits = shape.rank() > 1;
    DimensionOrigin wanted[2];
    std::string key = cat(mask.node().id(), ":", mask.index(), ":", scores.rank());
    for (size_t i = 0; i < 2; ++i) {
      const size_t axis = static_cast<size_t>(scores.rank()) - 2 + i;
      wanted[i] = origins_.of({product, axis});
      key += scores[axis].is_exact()
                 ? cat("|", scores[axis].min)
                 : cat("|", wanted[i].of.node().id(), ":", wanted[i].of.index(), ":", wanted[i].axis);
      if (!fits) continue;
      const size_t own = static_cast<size_t>(shape.rank()) - 2 + i;
      fits = shape[own].is_exact() ? shape[own] == scores[axis] : origins_.of({mask, own}) == wanted[i];
    }
    if (fits) return mask;
    OutPort& made = broadcast_[key];
    if (!made) made = b.op("Broadcast", {mask, dimensions(b, product, wanted)}, {{"mode", "bidirectional"}});
    return made;
  }
  /// The target of the mask's Broadcast: rows and columns of the scores, read from the tensors they originate from.
  static OutPort dimensions(Builder& b, OutPort product, const DimensionOrigin (&wanted)[2]) {
    const std::vector<Dimension>& dims = product.tensor().shape.dimensions();
    const Dimension sizes[2] = {dims[dims.size() - 2], dims.back()};
    if (sizes[0].is_exact() && sizes[1].is_exact()) {
      Ints all(dims.size() - 2, 1);  // kernels compiled for static shapes want all masks to have one rank
      all.insert(all.end(), {sizes[0].min, sizes[1].min});
      return b.i64(all);
    }
    const Ints axes{static_cast<int64_t>(wanted[0].axis), static_cast<int64_t>(wanted[1].axis)};
    if (!sizes[0].is_exact() && !sizes[1].is_exact() && wanted[0].of == wanted[1].of)
      return b.dims_of(wanted[0].of, axes);
    std::vector<OutPort> parts;
    for (size_t i = 0; i < 2; ++i)
      parts.push_back(sizes[i].is_exact() ? b.i64({sizes[i].min}) : b.dims_of(wanted[i].of, {axes[i]}));
    return b.concat(parts, 0);
  }

  /// `key` with its last two axes swapped.
  static OutPort swapped(Builder& b, OutPort key) {
    const auto rank = static_cast<size_t>(rank_of(key));
    Ints order(rank);
    std::iota(order.begin(), order.end(), 0);
    OutPort data = key;
    if (key.node().op() == "Transpose") {
      const auto known = key.node().source(1).exact_ints();
      if (known && known->size() == rank) {
        order = *known;
        data = key.node().source(0);
      }
    }
    std::swap(order[rank - 1], order[rank - 2]);
    const bool nothing_left = std::is_sorted(order.begin(), order.end());
    return nothing_left ? data : b.transpose(data, order);
  }

  void replace(Node& weighted, const Scores& scores) {
    Node& product = *scores.product;
    const OutPort query = product.source(0), value = weighted.source(1);
    Builder b(weighted);
    const OutPort key = product.get_bool("transpose_b") ? product.source(1) : swapped(b, product.source(1));
    std::vector<OutPort> inputs{query, key, value};
    const Dimension head = query.tensor().shape.dimensions().back();
    const bool usual = head.is_exact() && static_cast<float>(scores.scale) ==
                                              static_cast<float>(1 / std::sqrt(static_cast<double>(head.min)));
    if (scores.mask || !usual)
      inputs.push_back(scores.mask ? fitting_mask(b, scores.mask, product) : b.scalar_like(query, 0));
    if (!usual) inputs.push_back(b.scalar_like(query, scores.scale));
    Node& attention = b.node("ScaledDotProductAttention", inputs, {{"causal", false}});
    weighted.graph().replace(weighted, attention);
  }

  DimensionOrigins origins_;
  std::unordered_map<std::string, OutPort> broadcast_;  ///< by mask and lengths; looked up only
};

}  // namespace
MO_DEFINE_TRANSFORM(ScaledDotProductAttentionFusion)
}  // namespace mo
