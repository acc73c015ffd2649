// Products along chosen axes, and of several matrices.

#include <limits>

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// The sums of products along these axes; the others of x come before those of y.
void contract(Node& node, const Operand& x, const Operand& y, const Ints& of_x, const Ints& of_y) {
  if (x.rank() + y.rank() > 26) throw Error(Code::UnsupportedForm, msg("a product of ", x.rank() + y.rank(), " axes"));
  if (of_x.size() != of_y.size()) throw Error(Code::BadAttribute, msg(of_x.size(), " axes and ", of_y.size()));
  std::string first, second, summed, result;
  for (int64_t i = 0; i < x.rank() + y.rank(); ++i) (i < x.rank() ? first : second) += static_cast<char>('a' + i);
  for (size_t i = 0; i < of_x.size(); ++i) {
    const auto left = static_cast<size_t>(of_x[i]), right = static_cast<size_t>(of_y[i]);
    if (x.sizes.at(left) != y.sizes.at(right) && (x.sizes[left] == 1 || y.sizes[right] == 1))
      throw Error(Code::UnsupportedForm, msg("products along axes of ", x.sizes[left], " and ", y.sizes[right]));
    second[right] = first[left];
    summed += first[left];
  }
  for (const char letter : first + second)
    if (summed.find(letter) == std::string::npos) result += letter;
  become(node, "Einsum", {x.port, y.port}, {{"equation", cat(first, ",", second, "->", result)}});
}

/// A product of several matrices: where it is best cut, for those from one to another.
class Chain {
 public:
  /// `edges` has the rows of the first and the columns of all; at most kMost.
  explicit Chain(const Ints& edges) : count_(edges.size() - 1), cuts_(count_ * count_), costs_(count_ * count_) {
    for (size_t length = 1; length < count_; ++length)
      for (size_t first = 0; first + length < count_; ++first) {
        const size_t last = first + length;
        double& best = costs_[at(first, last)] = std::numeric_limits<double>::infinity();
        for (size_t cut = first; cut < last; ++cut) {
          const double own = static_cast<double>(edges[first]) * static_cast<double>(edges[cut + 1]) *
                             static_cast<double>(edges[last + 1]);
          const double cost = costs_[at(first, cut)] + costs_[at(cut + 1, last)] + own;
          if (cost < best) best = cost, cuts_[at(first, last)] = cut;
        }
      }
  }

  OutPort product(Builder& b, const std::vector<OutPort>& factors, size_t first, size_t last) const {
    if (first == last) return factors[first];
    const size_t cut = cuts_[at(first, last)];
    const OutPort left = product(b, factors, first, cut), right = product(b, factors, cut + 1, last);
    return b.matmul({left, right});
  }

  static constexpr size_t kMost = 64;

 private:
  size_t at(size_t first, size_t last) const { return first * count_ + last; }

  size_t count_;
  std::vector<size_t> cuts_;
  std::vector<double> costs_;
};

}  // namespace

void extract_inner(Node& node) {
  const Operand x = operands_of(node, "self")[0], y = operands_of(node, "other")[0];
  if (x.rank() == 0 || y.rank() == 0) return become(node, "Mul", {x.port, y.port});
  if (y.rank() == 1) return become(node, "MatMul", {x.port, y.port});
  if (y.rank() == 2) return become(node, "MatMul", {x.port, y.port}, {{"transpose_b", true}});
  contract(node, x, y, {x.rank() - 1}, {y.rank() - 1});
}

void extract_tensordot(Node& node) {
  const Operand x = operands_of(node, "self")[0], y = operands_of(node, "other")[0];
  const Ints of_x = axes_of(node, "dims_self", x.rank()), of_y = axes_of(node, "dims_other", y.rank());
  contract(node, x, y, of_x, of_y);
}

/// In the order that takes the fewest products of numbers, as far as sizes are known.
void extract_multi_dot(Node& node) {
  const std::vector<Operand> all = operands_of(node, is_given(node, "matrices") ? "matrices" : "tensors");
  if (all.size() > Chain::kMost) throw Error(Code::UnsupportedForm, msg("a product of ", all.size(), " matrices"));
  std::vector<OutPort> factors;
  Ints edges;
  for (const Operand& one : all) {
    factors.push_back(one.port);
    if (one.rank() < 1 || one.rank() > 2) throw Error(Code::RankMismatch, msg("a factor of rank ", one.rank()));
    if (edges.empty()) edges.push_back(one.rank() == 1 ? 1 : one.sizes[0]);
    edges.push_back(one.rank() == 1 && edges.size() > 1 ? 1 : one.sizes.back());
  }
  for (int64_t& edge : edges)
    if (edge < 0) edge = 1;
  Builder b(node);
  give(node, {Chain(edges).product(b, factors, 0, factors.size() - 1)});
}

void extract_vecdot(Node& node) {
  const ElementType type = result_type(node);
  const int64_t axis = axis_of(node, "dim", rank_of(node, "x"));
  Builder b(node);
  const OutPort x = operand(node, b, "x", type), y = operand(node, b, "y", type);
  give(node, {b.reduce("ReduceSum", b.op("Mul", {x, y}), {axis}, false)});
}

}  // namespace mo::pytorch
