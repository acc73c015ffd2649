// Arithmetic of com.microsoft
// Before → after:
// CDist(a, b) {metric}                          → ReduceSum((a - b)^2) of each pair of rows [, Sqrt]
// ComplexMul(a, b), ComplexMulConj(a, b)        → products of the real and imaginary parts in the last dimension
// Rfft(x), Irfft(x) {signal_ndim}               → RDFT, IRDFT over the last signal_ndim dimensions
// UnfoldTensor(x) {dim, size, step}             → Gather of each window; its elements become the last dimension
// y, places, counts = Unique(x)                 → Unique, in the order of first occurrence
// Conditions: Rfft and Irfft are neither normalised nor two-sided; the unfolded dimension is known.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeContribMath final : public Decomposition {
 public:
  Names ops() const override {
    return {"CDist", "ComplexMul", "ComplexMulConj", "Rfft", "Irfft", "UnfoldTensor", "UniqueInOrder"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const std::string& op = node.op();
    if (op == "CDist") return {distances(b, node)};
    if (op == "ComplexMul" || op == "ComplexMulConj") return {complex_product(b, node)};
    if (op == "Rfft" || op == "Irfft") return {fourier(b, node)};
    if (op == "UnfoldTensor") return {unfolded(b, node)};
    Node& unique = b.node(
        "Unique", {b.reshape(node.source(0), {-1}, false)},
        {{"sorted", false}, {"index_element_type", ElementType::I64}, {"count_element_type", ElementType::I64}}, 4);
    std::vector<OutPort> outputs{unique.out(0), unique.out(2), unique.out(3)};
    outputs.resize(static_cast<size_t>(node.out_count()));
    return outputs;
  }

 private:
  static OutPort distances(Builder& b, const Node& node) {
    require_input(node, 1);
    const std::string metric = node.get_string("metric");
    if (metric != "sqeuclidean" && metric != "euclidean")
      throw Error(Code::BadAttribute, msg("metric is '", metric, "'"));
    const OutPort square =
        b.op("SquaredDifference", {b.unsqueeze(node.source(0), {1}), b.unsqueeze(node.source(1), {0})});
    const OutPort sum = b.reduce("ReduceSum", square, {2}, false);
    return metric == "euclidean" ? b.op("Sqrt", {sum}) : sum;
  }

  static OutPort complex_product(Builder& b, const Node& node) {
    require_input(node, 1);
    const bool conjugated = node.op() == "ComplexMulConj";
    const auto parts = [&](int input) -> Node& {
      return b.node("Split", {node.source(input), b.i64_scalar(-1)}, {{"num_splits", int64_t{2}}}, 2);
    };
    Node &x = parts(0), &y = parts(1);
    const auto product = [&](int i, int k) { return b.op("Mul", {x.out(i), y.out(k)}); };
    const OutPort real = b.op(conjugated ? "Add" : "Sub", {product(0, 0), product(1, 1)});
    const OutPort imaginary = b.op(conjugated ? "Sub" : "Add", {product(1, 0), product(0, 1)});
    return b.concat({real, imaginary}, -1);
  }

  static OutPort fourier(Builder& b, const Node& node) {
    const int64_t dimensions = node.get_int("signal_ndim");
    if (dimensions < 1 || dimensions > 3) throw Error(Code::BadAttribute, msg("signal_ndim is ", dimensions));
    if (node.get_bool("normalized") || !node.get_bool("onesided"))
      throw Error(Code::UnsupportedForm, "a transform that is normalised or two-sided");
    const bool inverse = node.op() == "Irfft";
    const int rank = node.source(0).tensor().shape.rank() - (inverse ? 1 : 0);
    if (rank < dimensions) throw Error(Code::UnsupportedForm, "a signal of unknown or too small rank");
    Ints axes;
    for (int64_t i = rank - dimensions; i < rank; ++i) axes.push_back(i);
    return b.op(inverse ? "IRDFT" : "RDFT", {node.source(0), b.i64(axes)});
  }

  static OutPort unfolded(Builder& b, const Node& node) {
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    const int64_t size = node.get_int("size"), step = node.get_int("step");
    if (rank < 1) throw Error(Code::UnsupportedForm, "windows of a tensor of unknown rank");
    const size_t axis = normalize_axis(node.get_int("dim"), rank);
    const Dimension whole = x.tensor().shape[axis];
    if (!whole.is_exact()) throw Error(Code::UnsupportedForm, "windows of a dimension that is not known");
    if (size < 1 || step < 1 || size > whole.min)
      throw Error(Code::BadAttribute, msg("size ", size, " and step ", step, " of a dimension of ", whole.min));
    Ints places, order;
    for (int64_t from = 0; from + size <= whole.min; from += step) {
      if (places.size() > (size_t{1} << 24)) throw Error(Code::UnsupportedForm, msg("more than 2^24 elements"));
      for (int64_t i = 0; i < size; ++i) places.push_back(from + i);
    }
    const OutPort windows = b.gather(x, b.reshape(b.i64(places), {-1, size}, false), static_cast<int64_t>(axis));
    for (int64_t i = 0; i <= rank; ++i)
      if (i != static_cast<int64_t>(axis) + 1) order.push_back(i);
    order.push_back(static_cast<int64_t>(axis) + 1);
    return b.transpose(windows, order);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeContribMath)
}  // namespace mo
