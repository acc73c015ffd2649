// Products of complex matrices, which may have a real factor, and their transposed forms: functions of complex.def.

#include <functional>
#include <numeric>

#include "core/front/pytorch/extract/complex.h"

namespace mo::pytorch {
namespace {

using Product = std::function<OutPort(OutPort, OutPort)>;

struct Factor {
  OutPort port;
  bool is_complex;
};

/// (a + bi)(c + di) = ac - bd + (ad + bc)i.
OutPort product(Builder& b, const Factor& x, const Factor& y, const Product& of_reals) {
  const auto part = [&](const char* which, const Factor& of) {
    return of.is_complex ? b.op(which, {of.port}) : of.port;
  };
  const OutPort a = part("Real", x), c = part("Real", y);
  OutPort real = of_reals(a, c), imaginary;
  if (x.is_complex && y.is_complex) {
    const OutPort second = part("Imag", x), fourth = part("Imag", y);
    const OutPort less = of_reals(second, fourth), first = of_reals(a, fourth), other = of_reals(second, c);
    real = b.op("Sub", {real, less});
    imaginary = b.op("Add", {first, other});
  } else {
    imaginary = x.is_complex ? of_reals(part("Imag", x), c) : of_reals(a, part("Imag", y));
  }
  return b.op("Complex", {real, imaginary});
}

OutPort product(Node& node, Builder& b, std::string_view x, std::string_view y, bool transposed = false) {
  return product(b, {required(node, x), is_complex(node, x)}, {required(node, y), is_complex(node, y)},
                 [&](OutPort first, OutPort second) {
                   return b.matmul({first, second}, transposed);
                 });
}

/// beta * self + alpha * x * y.
bool sum_with_product(Node& node, std::string_view x, std::string_view y) {
  Builder b(node);
  const ElementType type = result_type(node);
  OutPort made = product(node, b, x, y);
  const double alpha = number_of(node, "alpha"), beta = number_of(node, "beta");
  if (alpha != 1) made = b.op("Mul", {made, b.constant(make_scalar(type, alpha))});
  if (beta == 0) return give(node, {made}), true;
  OutPort added = pairs(node, b, "self", type);
  if (beta != 1) added = b.op("Mul", {added, b.constant(make_scalar(type, beta))});
  become(node, "Add", {made, added});
  return true;
}

/// The last two of the axes that the program knows, the others where they are.
OutPort last_two_swapped(Node& node, Builder& b) {
  const auto rank = static_cast<size_t>(rank_of(node, "self"));
  const OutPort x = required(node, "self");
  if (rank < 2) return x;
  Ints order(rank + 1);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[rank - 1], order[rank - 2]);
  return b.op("AttributedTranspose", {x}, {{"perm", order}});
}

}  // namespace

bool complex_matmul(Node& node) {
  Builder b(node);
  std::string_view second = "other";
  for (const char* name : {"mat2", "vec", "tensor"})
    if (input(node, name)) second = name;
  give(node, {product(node, b, "self", second)});
  return true;
}

bool complex_vdot(Node& node) {
  Builder b(node);
  const OutPort x = b.op("Conj", {pairs(node, b, "self", result_type(node))});
  const OutPort y = pairs(node, b, "other", result_type(node));
  give(node, {product(b, {x, true}, {y, true}, [&](OutPort one, OutPort other) { return b.matmul({one, other}); })});
  return true;
}

bool complex_outer(Node& node) {
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = b.unsqueeze(pairs(node, b, "self", type), {1}),
                y = b.unsqueeze(pairs(node, b, input(node, "vec2") ? "vec2" : "other", type), {0});
  become(node, "ComplexProduct", {x, y});
  return true;
}

bool complex_linear(Node& node) {
  Builder b(node);
  const OutPort y = product(node, b, "input", "weight", rank_of(node, "weight") > 1);
  if (!input(node, "bias")) return give(node, {y}), true;
  become(node, "Add", {y, pairs(node, b, "bias", result_type(node))});
  return true;
}

bool complex_addmm(Node& node) { return sum_with_product(node, "mat1", "mat2"); }
bool complex_baddbmm(Node& node) { return sum_with_product(node, "batch1", "batch2"); }
bool complex_addmv(Node& node) { return sum_with_product(node, "mat", "vec"); }

/// Of one tensor or two.
bool complex_einsum(Node& node) {
  Builder b(node);
  std::string equation;
  for (const char c : node.get_string("equation"))
    if (c != ' ') equation += c;
  const auto einsum = [&](const std::vector<OutPort>& of) { return b.op("Einsum", of, {{"equation", equation}}); };
  const std::vector<OutPort> tensors = inputs(node, "tensors");
  if (tensors.size() == 2) {
    give(node, {product(b, {tensors[0], is_complex_input(node, 0)}, {tensors[1], is_complex_input(node, 1)},
                        [&](OutPort x, OutPort y) {
                          return einsum({x, y});
                        })});
    return true;
  }
  if (tensors.size() != 1) throw not_complex(node);
  const OutPort real = einsum({b.op("Real", {tensors[0]})}), imaginary = einsum({b.op("Imag", {tensors[0]})});
  become(node, "Complex", {real, imaginary});
  return true;
}

bool complex_last_two(Node& node) {
  Builder b(node);
  give(node, {last_two_swapped(node, b)});
  return true;
}
bool complex_t(Node& node) {
  if (rank_of(node, "self") > 2) throw not_complex(node);
  return complex_last_two(node);
}
bool complex_adjoint(Node& node) {
  Builder b(node);
  become(node, "Conj", {last_two_swapped(node, b)});
  return true;
}

}  // namespace mo::pytorch
