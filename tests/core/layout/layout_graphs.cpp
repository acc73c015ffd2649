#include "tests/core/layout/layout_graphs.h"

namespace mo::test {

OutPort NhwcGraph::input(const std::string& name, const PartialShape& shape, const Shape& fed, ElementType type) {
  Node& node = graph_.add_node("Parameter", name);
  node.add_out_ports(1);
  node.set("shape", shape);
  node.set("data_type", type);
  node.set("fed", fed.empty() ? shape.to_shape() : fed);
  node.out().tensor().names = {name};
  return node;
}

OutPort NhwcGraph::weights(Shape shape) {
  std::vector<float> values(element_count(shape));
  for (float& v : values) {
    random_ = random_ * 1664525 + 1013904223;
    v = static_cast<float>(random_ >> 16) / 65536.0F - 0.5F;
  }
  return f32(std::move(shape), values);
}

OutPort NhwcGraph::i64(const Ints& values) { return graph_.constant(make_i64(values)); }
OutPort NhwcGraph::i64_scalar(int64_t value) { return graph_.constant(make_i64_scalar(value)); }
OutPort NhwcGraph::f32(Shape shape, const std::vector<float>& values) {
  return graph_.constant(make_f32(std::move(shape), values));
}

OutPort NhwcGraph::op(const char* op, const std::string& name, List<OutPort> inputs, const Attributes& attributes,
                      int outputs) {
  Node& node = graph_.add_node(op, name);
  node.attributes = attributes;
  node.add_in_ports(static_cast<int>(inputs.size()));
  node.add_out_ports(outputs);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i]) node.in(static_cast<int>(i)).connect(inputs[i]);
  return node;
}

void NhwcGraph::result(OutPort source, const std::string& name) {
  Node& node = graph_.add_node("Result", name + ":0");
  node.add_in_ports(1);
  node.in(0).connect(source);
  source.tensor().add_name(name);
}

OutPort NhwcGraph::conv(const std::string& name, OutPort x, const Shape& shape, int64_t stride) {
  const Ints strides(shape.size() - 2, stride);
  return op("Convolution", name, {x, weights(shape)},
            channels_last(shape.size(), {{"strides", strides}, {"auto_pad", "same_upper"}}));
}

OutPort NhwcGraph::pool(const char* kind, const std::string& name, OutPort x, int64_t kernel) {
  const Ints window{kernel, kernel};
  return op(kind, name, {x}, channels_last(4, {{"strides", window}, {"kernel", window}, {"auto_pad", "valid"}}));
}

OutPort NhwcGraph::dims(const std::string& name, OutPort x, const Ints& axes) {
  const OutPort shape = op("ShapeOf", name + "/shape", {x}, {{"output_type", ElementType::I64}});
  return op("Gather", name, {shape, i64(axes), i64_scalar(0)});
}

OutPort conv_of(NhwcGraph& g) { return g.conv("conv", g.input("x", {1, 8, 10, 3}), {4, 3, 3, 3}); }

const std::vector<LayoutGraph>& layout_graphs() {
  static const std::vector<LayoutGraph> all = [] {
    std::vector<LayoutGraph> out;
    for (const auto family :
         {worked_graphs, axis_graphs, reshaping_graphs, operand_graphs, spatial_graphs, shape_path_graphs, body_graphs})
      for (const LayoutGraph& graph : family()) out.push_back(graph);
    return out;
  }();
  return all;
}

}  // namespace mo::test
