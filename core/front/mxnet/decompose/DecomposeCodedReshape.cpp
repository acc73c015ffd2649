// Before: y = CodedReshape(x) {shape, reverse}
// After:  y = Reshape(x, sizes): each code takes dimensions of x and gives sizes. 0: a dimension; -1: the rest; -2: all
//         dimensions that are left; -3: the product of two; -4 and two sizes, of which one may be -1: a dimension in
//         two; -5: none for a dimension. Reverse: codes and dimensions are taken from behind, a split is -4 behind its
//         sizes.
// Conditions: the rank of x is known.

#include <algorithm>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// One size of the result: a number, or that many dimensions of x from `first` on, multiplied and divided.
struct Size {
  int64_t number = -1;
  int64_t first = -1, count = 0, divisor = 1;
};

class Codes {
 public:
  Codes(const Ints& codes, int64_t rank) : codes_(codes), rank_(rank) {}

  std::vector<Size> sizes() {
    for (at_ = 0; at_ < codes_.size(); ++at_) one(codes_[at_]);
    return std::move(sizes_);
  }

 private:
  void one(int64_t code) {
    switch (code) {
      case 0: sizes_.push_back(taken(1)); break;
      case -1:
        ++next_;
        sizes_.push_back({});
        break;
      case -2:
        while (next_ < rank_) sizes_.push_back(taken(1));
        break;
      case -3: sizes_.push_back(taken(2)); break;
      case -4: split(); break;
      case -5: taken(1); break;
      default:
        if (code < 0) throw Error(Code::BadAttribute, msg(std::string("shape"), " holds ", code));
        ++next_;
        sizes_.push_back({code});
    }
  }

  Size taken(int64_t count) {
    if (next_ + count > rank_) throw Error(Code::BadAttribute, msg("shape needs more than ", rank_, " dimensions"));
    next_ += count;
    return {-1, next_ - count, count};
  }

  /// Two sizes whose product is a dimension.
  void split() {
    if (at_ + 2 >= codes_.size()) throw Error(Code::BadAttribute, "shape ends within a split");
    const int64_t first = codes_[at_ + 1], second = codes_[at_ + 2];
    at_ += 2;
    const Size whole = taken(1);
    if ((first < 1 && first != -1) || (second < 1 && second != -1) || (first == -1 && second == -1))
      throw Error(Code::BadAttribute, msg("a dimension is split into ", first, " and ", second));
    const auto part = [&](int64_t size, int64_t other) {
      return size > 0 ? Size{size} : Size{-1, whole.first, 1, other};
    };
    sizes_.push_back(part(first, second));
    sizes_.push_back(part(second, first));
  }

  const Ints& codes_;
  int64_t rank_, next_ = 0;
  size_t at_ = 0;
  std::vector<Size> sizes_;
};

class DecomposeCodedReshape final : public Decomposition {
 public:
  Names ops() const override { return {"CodedReshape"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const PartialShape& shape = x.tensor().shape;
    if (!shape.has_rank()) throw Error(Code::UnsupportedForm, "a tensor of unknown rank");
    const bool reverse = node.get_bool("reverse");
    std::vector<Size> sizes = reverse ? from_behind(node.get_ints("shape"), shape.rank())
                                      : Codes(node.get_ints("shape"), shape.rank()).sizes();
    for (Size& size : sizes) fix(size, shape);
    return {reshaped(b, x, sizes)};
  }

 private:
  static std::vector<Size> from_behind(Ints codes, int64_t rank) {
    std::reverse(codes.begin(), codes.end());
    std::vector<Size> sizes = Codes(codes, rank).sizes();
    std::reverse(sizes.begin(), sizes.end());
    for (Size& size : sizes)
      if (size.count > 0) size.first = rank - size.first - size.count;
    return sizes;
  }

  /// Known dimensions give numbers.
  static void fix(Size& size, const PartialShape& shape) {
    if (size.count == 0) return;
    Interval product(1);
    for (int64_t i = 0; i < size.count; ++i) product = product * shape[static_cast<size_t>(size.first + i)];
    if (!product.is_exact()) return;
    if (product.min % size.divisor != 0)
      throw Error(Code::ShapeMismatch, msg(product.min, " elements in parts of ", size.divisor));
    size = {product.min / size.divisor};
  }

  /// One size that is not known is the rest; those of x at the same place are 0. Others are computed.
  static OutPort reshaped(Builder& b, OutPort x, const std::vector<Size>& sizes) {
    Ints constant;
    std::vector<size_t> open;
    bool zeros = false, has_rest = false;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const Size& size = sizes[i];
      const bool same = size.count == 1 && size.divisor == 1 && size.first == static_cast<int64_t>(i);
      const bool is_rest = size.number < 0 && size.count == 0;
      if (is_rest && has_rest) throw Error(Code::BadAttribute, "shape has two rests");
      has_rest = has_rest || is_rest;
      zeros = zeros || size.number == 0;
      constant.push_back(size.number >= 0 ? size.number : same ? 0 : -1);
      if (size.number < 0 && !same && !is_rest) open.push_back(i);
    }
    const bool copies = std::count(constant.begin(), constant.end(), 0) > 0;
    if ((open.empty() || (open.size() == 1 && !has_rest)) && !(zeros && copies && open.empty()))
      return b.reshape(x, constant, !zeros);
    std::vector<OutPort> parts;
    bool rest = has_rest;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const Size& size = sizes[i];
      if (size.number >= 0 || size.count == 0) {
        parts.push_back(b.i64({size.number}));
      } else if (!rest && size.count > 1) {
        parts.push_back(b.i64({-1}));
        rest = true;
      } else {
        parts.push_back(computed(b, x, size));
      }
    }
    return b.op("Reshape", {x, b.concat(parts, 0)}, {{"special_zero", false}});
  }

  static OutPort computed(Builder& b, OutPort x, const Size& size) {
    OutPort y = b.dims_of(x, {size.first});
    for (int64_t i = 1; i < size.count; ++i) y = b.op("Mul", {y, b.dims_of(x, {size.first + i})});
    return size.divisor == 1 ? y : b.op("Div", {y, b.i64({size.divisor})});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCodedReshape)
}  // namespace mo
