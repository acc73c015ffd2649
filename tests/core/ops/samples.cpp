#include "tests/core/ops/samples.h"

#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo::test {

SampleInput data(const PartialShape& shape, ElementType type) { return {shape, type, {}, true, {}}; }
SampleInput numbers(const Ints& values) { return {{}, ElementType::I64, make_i64(values), true, {}}; }
SampleInput number(int64_t value) { return {{}, ElementType::I64, make_i64_scalar(value), true, {}}; }
SampleInput floats(const std::vector<float>& values) {
  return {{}, ElementType::F32, make_f32({static_cast<int64_t>(values.size())}, values), true, {}};
}
SampleInput float_number(float value) { return {{}, ElementType::F32, make_f32_scalar(value), true, {}}; }
SampleInput nothing() { return {{}, ElementType::Unknown, {}, false, {}}; }

const Samples& all_samples() {
  static const Samples all = [] {
    Samples out;
    for (const auto family : {elementwise_samples, movement_samples, reduction_samples, spatial_samples, other_samples,
                              control_flow_samples})
      for (Sample& sample : family()) out.push_back(std::move(sample));
    return out;
  }();
  return all;
}

SampleNode::SampleNode(const Sample& sample) : graph_(std::make_shared<Model>(files_, built_in_operations())) {
  std::vector<OutPort> sources;
  for (const SampleInput& input : sample.inputs) {
    if (!input.connected) {
      sources.emplace_back();
    } else if (input.value) {
      sources.push_back(graph_.constant(*input.value).out(0));
    } else {
      Node& parameter = graph_.add_node("Parameter");
      parameter.add_out_ports(1);
      parameter.set("shape", input.shape);
      parameter.set("data_type", input.type);
      infer_node(parameter);
      if (!input.ints.empty()) parameter.out(0).tensor().ints = IntTensor{input.shape.to_shape(), input.ints};
      sources.push_back(parameter.out(0));
    }
  }
  node_ = &graph_.add_node(sample.op, "sample");
  for (const auto& [key, value] : sample.attributes) {
    const auto* body = std::get_if<std::shared_ptr<Graph>>(&value);
    node_->set(key, body ? Attribute(copy_body(**body, *node_)) : value);
  }
  node_->add_in_ports(static_cast<int>(sources.size()));
  node_->add_out_ports(sample.outputs);
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i]) node_->in(static_cast<int>(i)).connect(sources[i]);
}

std::vector<PartialShape> SampleNode::output_shapes() {
  std::vector<PartialShape> out;
  for (int i = 0; i < node_->out_count(); ++i) out.push_back(node_->out(i).tensor().shape);
  return out;
}

}  // namespace mo::test
