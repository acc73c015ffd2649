// Integers whose zero is not 0, which only recurrent layers take.

#include "core/front/mxnet/extract/quantised.h"
#include "core/graph/framework_node.h"

namespace mo::mxnet {
void extract_rnn(Node&);

/// u8, a scale and a shift: x * scale + shift. The layers get the numbers that the integers stand for, others these.
void extract_quantize_asym(Node& node) {
  const OutPort x = required(node, 0);
  const auto limits = calibrated(node);
  Builder b(node);
  const auto limit = [&](double value) { return b.constant(make_f32(Shape{1}, {static_cast<float>(value)})); };
  const OutPort least = limits ? limit(limits->first) : b.op("LeastOfAll", {x});
  const OutPort most = limits ? limit(limits->second) : b.op("LargestOfAll", {x});
  const OutPort scale = b.op("StepsBetween", {least, most}), shift = b.op("Negative", {b.op("Mul", {least, scale})});
  const OutPort real = b.op("FakeQuantize", {x, least, most, least, most}, {{"levels", int64_t{256}}});
  std::vector<InPort> others;
  for (const InPort& reader : node.out(0).destinations())
    if (!reader.node().pb || reader.node().pb->op != "_contrib_quantized_rnn") others.push_back(reader);
  if (!others.empty()) {
    const OutPort steps = b.op("Add", {b.op("Mul", {real, scale}), shift});
    const OutPort integers =
        b.op("Cast", {b.op("Round", {steps}, {{"mode", "half_to_even"}})}, {{"dst_type", ElementType::U8}});
    for (InPort& reader : others) reader.connect(integers);
    integers.tensor().names = std::move(node.out(0).tensor().names);
    node.out(0).tensor().names = {};
  }
  const int count = node.is_read(2) ? 3 : node.is_read(1) ? 2 : 1;
  std::vector<OutPort> results{real, scale, shift};
  results.resize(static_cast<size_t>(count));
  become(node, "IntegersAsReals", results, {{"integers", ElementType::U8}}, count);
}

/// The layers of real numbers: neither their weights nor their states are rounded.
void extract_quantized_rnn(Node& node) {
  const OutPort x = required(node, 0), scale = required(node, 4), shift = required(node, 5);
  Builder b(node);
  OutPort real = x;
  if (x.node().op() != "IntegersAsReals") {
    const OutPort steps = b.op("Sub", {b.op("Cast", {x}, {{"dst_type", ElementType::F32}}), shift});
    real = b.op("Div", {steps, scale});
  }
  std::vector<OutPort> sources{real};
  for (int i = 1; i < 4; ++i) sources.push_back(required(node, i));
  for (int i = 0; i < 4; ++i) node.in(i).connect(sources[static_cast<size_t>(i)]);
  extract_rnn(node);
}

}  // namespace mo::mxnet
