// Before: y = ReduceWindow(x, first value, sizes, strides, dilations) {function}
// After:  the function of one strided slice of x for each place in a window, and of the first value
// Conditions: sizes, strides and dilations are constants; a window has at most 1024 elements.

#include "core/base/text.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeReduceWindow final : public Decomposition {
 public:
  Names ops() const override { return {"ReduceWindow"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const Ints sizes = numbers(node, 2), strides = numbers(node, 3), dilations = numbers(node, 4);
    const PartialShape& shape = x.tensor().shape;
    const size_t rank = sizes.size();
    if (shape.rank() != static_cast<int>(rank) || strides.size() != rank || dilations.size() != rank)
      throw Error(Code::RankMismatch, msg("windows of ", rank, " dimensions for [", to_string(shape), "]"));
    int64_t elements = 1;
    for (const int64_t size : sizes)
      if ((elements *= size) > kMostElements)
        throw Error(Code::UnsupportedForm, msg("windows of more than ", kMostElements, " elements"));
    const std::string function = node.get_string("function");
    OutPort y = node.source(1);
    Ints axes(rank), place(rank, 0);
    for (size_t i = 0; i < rank; ++i) axes[i] = static_cast<int64_t>(i);
    for (int64_t n = 0; n < elements; ++n) {
      Ints begin(rank), end(rank);
      for (size_t i = 0; i < rank; ++i) {
        begin[i] = place[i] * dilations[i];
        const int64_t behind = (sizes[i] - 1 - place[i]) * dilations[i];  // elements that later places need
        end[i] = behind == 0 ? INT64_MAX : -behind;
      }
      y = b.op(function.c_str(), {y, b.op("Slice", {x, b.i64(begin), b.i64(end), b.i64(strides), b.i64(axes)})});
      for (size_t i = rank; i-- > 0 && ++place[i] == sizes[i];) place[i] = 0;
    }
    return {y};
  }

 private:
  static constexpr int64_t kMostElements = 1024;

  static Ints numbers(const Node& node, int input) {
    const auto known = node.source(input).exact_ints();
    if (!known) throw Error(Code::UnsupportedForm, msg("input ", input, " is not constant"));
    for (const int64_t number : *known)
      if (number < 1 || number > INT32_MAX) throw Error(Code::BadValue, msg("input ", input, " has ", number));
    return *known;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeReduceWindow)
}  // namespace mo
