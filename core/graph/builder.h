// Makes nodes in the words of a rewrite: b.op("Add", {x, b.f32_like(x, 1)}).
#pragma once

#include <initializer_list>
#include <string>

#include "core/graph/graph.h"

namespace mo {

/// New nodes are named after the node they replace: "<name>/<op>".
class Builder {
 public:
  Builder(Graph& graph, std::string prefix) : graph_(graph), prefix_(std::move(prefix)) {}
  explicit Builder(Node& replaced) : Builder(replaced.graph(), replaced.name()) {}

  /// A node with its inputs connected (an empty port leaves the input free) and inferred as far as the inputs are.
  Node& node(std::string_view op, const std::vector<OutPort>& inputs, Attributes attributes = {}, int outputs = 1);
  /// Its output 0.
  OutPort op(std::string_view op, const std::vector<OutPort>& inputs, Attributes attributes = {}) {
    return node(op, inputs, std::move(attributes)).out(0);
  }

  OutPort constant(Constant value);
  OutPort i64(const Ints& values) { return constant(make_i64(values)); }
  OutPort i64_scalar(int64_t value) { return constant(make_i64_scalar(value)); }
  OutPort f32_scalar(float value) { return constant(make_f32_scalar(value)); }
  /// A scalar of the element type of `like` when that is known already, else f32 behind a ConvertLike.
  OutPort scalar_like(OutPort like, double value);
  OutPort convert(OutPort x, ElementType type);
  OutPort reshape(OutPort x, const Ints& shape, bool special_zero = true);
  OutPort transpose(OutPort x, const Ints& order) { return op("Transpose", {x, i64(order)}); }
  OutPort squeeze(OutPort x, const Ints& axes) { return op("Squeeze", {x, i64(axes)}); }
  OutPort unsqueeze(OutPort x, const Ints& axes) { return op("Unsqueeze", {x, i64(axes)}); }
  /// The shape as i64.
  OutPort shape_of(OutPort x) { return op("ShapeOf", {x}, {{"output_type", ElementType::I64}}); }
  /// Dimensions `axes` of x as an i64 tensor of that many elements.
  OutPort dims_of(OutPort x, const Ints& axes);
  OutPort gather(OutPort x, OutPort indices, int64_t axis) { return op("Gather", {x, indices, i64_scalar(axis)}); }
  OutPort concat(const std::vector<OutPort>& parts, int64_t axis) { return op("Concat", parts, {{"axis", axis}}); }
  OutPort reduce(std::string_view kind, OutPort x, const Ints& axes, bool keep_dims) {
    return op(kind, {x, i64(axes)}, {{"keep_dims", keep_dims}});
  }

  Graph& graph() const { return graph_; }
  const std::string& prefix() const { return prefix_; }

 private:
  Graph& graph_;
  std::string prefix_;
};

}  // namespace mo
