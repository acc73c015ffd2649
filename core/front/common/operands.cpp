#include "core/front/common/operands.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"

namespace mo {
namespace {

const Constant* constant_at(OutPort port) {
  if (!port || port.node().op() != "Const") return nullptr;
  return port.node().get_constant("value");
}

/// Walks towards the inputs; `steps` limits the total number of nodes.
int least_rank(OutPort port, int& steps) {
  if (!port || --steps < 0) return 0;
  const Node& node = port.node();
  const std::string& op = node.op();
  if (const Constant* value = constant_at(port)) return static_cast<int>(value->shape.size());
  if (op == "Parameter") {
    const PartialShape* shape = node.attributes.get_if<PartialShape>("shape");
    return shape ? std::max(shape->rank(), 0) : 0;
  }
  if (is_one_of(op, {"Conv", "Convolution", "Pooling", "InstanceNormalization"})) return 3;
  if (op == "Gemm") return 2;
  if (op == "AttributedReshape") {
    const Constant* pattern = constant_at(node.source(1));
    return pattern && pattern->shape.size() == 1 ? static_cast<int>(std::min<int64_t>(pattern->shape[0], 64)) : 0;
  }
  if (op == "MatMul") {
    const int a = least_rank(node.source(0), steps), b = least_rank(node.source(1), steps);
    return std::min(a, b) >= 2 ? std::max(a, b) : 0;
  }
  if (is_one_of(op, {"Add", "Sub", "Mul", "Div", "Pow"}))
    return std::max(least_rank(node.source(0), steps), least_rank(node.source(1), steps));
  if (is_one_of(op, {"Exp",
                     "Log",
                     "Tanh",
                     "Sigmoid",
                     "ReLU",
                     "SoftPlus",
                     "Mish",
                     "Swish",
                     "HSwish",
                     "Gelu",
                     "Erf",
                     "Sqrt",
                     "Negative",
                     "Abs",
                     "Clamp",
                     "AttributedClamp",
                     "Identity",
                     "Dropout",
                     "batchNormInference",
                     "LayerNormalization",
                     "MVN",
                     "AttributedTranspose"}))
    return least_rank(node.source(0), steps);
  return 0;
}

std::optional<Polynomial> polynomial_of(OutPort y, OutPort x, int& steps) {
  if (!y || --steps < 0) return std::nullopt;
  if (y == x) return Polynomial{0, 1, 0, 0};
  if (const auto number = number_beside(y, x)) return Polynomial{*number, 0, 0, 0};
  const Node& node = y.node();
  if (!is_one_of(node.op(), {"Add", "Sub", "Mul", "Div", "Pow"}) || node.in_count() != 2) return std::nullopt;
  const auto a = polynomial_of(node.source(0), x, steps);
  if (!a) return std::nullopt;
  const auto times = [](const Polynomial& l, const Polynomial& r) -> std::optional<Polynomial> {
    Polynomial product{};
    for (size_t i = 0; i < 4; ++i)
      for (size_t k = 0; k < 4; ++k) {
        const double term = l[i] * r[k];
        if (term == 0) continue;
        if (i + k > 3) return std::nullopt;
        product[i + k] += term;
      }
    return product;
  };
  if (node.op() == "Pow") {
    const auto exponent = number_of(node.source(1));
    const Constant* constant = constant_at(node.source(1));
    const bool fits = constant && static_cast<int>(constant->shape.size()) <= std::max(least_rank(x), 0);
    if (!exponent || !fits) return std::nullopt;
    if (*exponent == 2) return times(*a, *a);
    if (*exponent != 3) return std::nullopt;
    const auto square = times(*a, *a);
    return square ? times(*square, *a) : std::nullopt;
  }
  const auto b = polynomial_of(node.source(1), x, steps);
  if (!b) return std::nullopt;
  if (node.op() == "Mul") return times(*a, *b);
  if (node.op() == "Div") {
    if ((*b)[0] == 0 || (*b)[1] != 0 || (*b)[2] != 0 || (*b)[3] != 0) return std::nullopt;
    return times(*a, {1 / (*b)[0], 0, 0, 0});
  }
  Polynomial sum = *a;
  for (size_t i = 0; i < 4; ++i) sum[i] += node.op() == "Add" ? (*b)[i] : -(*b)[i];
  return sum;
}

}  // namespace

std::optional<double> number_of(OutPort port) {
  const Constant* value = constant_at(port);
  if (!value || value->type == ElementType::String || value->elements() != 1) return std::nullopt;
  const auto numbers = read_doubles(*value, port.node().graph().files(), 1);
  return numbers ? std::optional<double>((*numbers)[0]) : std::nullopt;
}

std::optional<double> number_beside(OutPort port, OutPort beside) {
  const Constant* value = constant_at(port);
  if (!value || !is_float(value->type)) return std::nullopt;
  const bool keeps_shape = value->shape.empty() || static_cast<int>(value->shape.size()) <= least_rank(beside);
  return keeps_shape ? number_of(port) : std::nullopt;
}

int least_rank(OutPort port) {
  int steps = 64;
  return least_rank(port, steps);
}

bool is_close(double value, double wanted) { return std::abs(value - wanted) <= 5e-4 * std::abs(wanted); }

std::optional<Polynomial> polynomial_of(OutPort y, OutPort x) {
  int steps = 48;
  return polynomial_of(y, x, steps);
}

bool is_close(const Polynomial& value, const Polynomial& wanted) {
  for (size_t i = 0; i < wanted.size(); ++i)
    if (!is_close(value[i], wanted[i])) return false;
  return true;
}

OutPort other_operand(const InPort& one) { return one.node().source(1 - one.index()); }

std::optional<double> scale_of(const InPort& operand) {
  const Node& node = operand.node();
  if (node.in_count() != 2 || (node.op() != "Mul" && !(node.op() == "Div" && operand.index() == 0)))
    return std::nullopt;
  const auto number = number_beside(other_operand(operand), operand.source());
  if (!number || node.op() == "Mul") return number;
  return 1 / *number;
}

std::vector<Product> products_of(OutPort s, double factor) {
  std::vector<Product> products;
  for (const InPort& use : s.destinations()) {
    if (const auto scale = scale_of(use)) {
      if (!is_close(*scale, factor)) continue;
      for (const InPort& next : OutPort(use.node()).destinations())
        if (next.node().op() == "Mul" && next.node().in_count() == 2)
          products.push_back({&next.node(), other_operand(next)});
      continue;
    }
    if (use.node().op() != "Mul" || use.node().in_count() != 2) continue;
    const OutPort other = other_operand(use);
    if (!other) continue;
    for (const InPort& next : OutPort(use.node()).destinations())
      if (const auto scale = scale_of(next); scale && is_close(*scale, factor))
        products.push_back({&next.node(), other});
    for (int i = 0; i < 2 && other.node().in_count() == 2; ++i)
      if (const auto scale = other.node().has_in(i) ? scale_of(other.node().in(i)) : std::nullopt;
          scale && is_close(*scale, factor))
        products.push_back({&use.node(), other.node().source(i)});
  }
  return products;
}

std::optional<Ints> kept_reduction_axes(const Node& node) {
  if (!node.get_bool("keep_dims", true)) return std::nullopt;
  Ints axes = node.get_ints("axes");
  if (const Constant* value = constant_at(node.source(1)); value && is_integer(value->type) && axes.empty())
    if (const auto numbers = read_ints(*value, node.graph().files(), 64)) axes = *numbers;
  return axes.empty() ? std::nullopt : std::optional<Ints>(axes);
}

void take_place_of(Node& old, Node& fused) {
  Graph& graph = old.graph();
  const std::string name = old.name();
  OutPort(old).connection().set_source(fused);
  graph.rename_nodes({{&old, graph.unique_name(name + "/TBR")}, {&fused, name}});
}

Node& add_fused(Graph& graph, std::string_view op, List<OutPort> inputs, Attributes attributes) {
  Node& node = graph.add_node(std::string(op));
  node.attributes = std::move(attributes);
  node.add_in_ports(static_cast<int>(inputs.size()));
  node.add_out_ports(1);
  for (size_t i = 0; i < inputs.size(); ++i) node.in(static_cast<int>(i)).connect(inputs[i]);
  return node;
}

}  // namespace mo
