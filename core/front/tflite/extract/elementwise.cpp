// Operators on elements whose options or types decide what they are.

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/tflite/extract/extractor.h"

namespace mo::tflite {

/// beta multiplies the input.
void extract_softmax(Node& node) {
  require_input(node, 0);
  const double beta = node.get_float("beta", 1);
  if (beta != 1) {
    Builder b(node);
    const OutPort scaled = b.op("Mul", {node.source(0), b.f32_scalar(static_cast<float>(beta))});
    node.in(0).connect(scaled);
  }
  node.attributes.erase("beta");
  node.set("axis", int64_t{-1});
  node.set_op("SoftMax");
}

void extract_gelu(Node& node) {
  node.set("approximation_mode", std::string(node.get_bool("approximate") ? "TANH" : "ERF"));
  node.attributes.erase("approximate");
  node.set_op("Gelu");
}

/// Runtimes divide integers towards 0.
void extract_floor_div(Node& node) {
  const ElementType type = node.get_type("output_type", ElementType::F32);
  node.set_op(!is_integer(type) ? "FloorDiv" : is_signed(type) ? "FloorDivOfIntegers" : "Div");
}

/// A number that is a boundary belongs to the bucket above.
void extract_bucketize(Node& node) {
  const Doubles limits = node.get_floats("boundaries");
  const auto count = static_cast<int64_t>(limits.size());
  const OutPort boundaries = Builder(node).constant(make_f32({count}, {limits.begin(), limits.end()}));
  node.add_in_ports(2);
  node.in(1).connect(boundaries);
  node.attributes.erase("boundaries");
  node.set("output_type", ElementType::I32);
  node.set("with_right_bound", false);
  node.set_op("Bucketize");
}

/// alpha is that of one element of the sum; in IR it is divided by their number.
void extract_local_response_normalization(Node& node) {
  const int64_t radius = node.get_int("radius");
  if (radius < 0) throw Error(Code::BadAttribute, cat("radius is ", radius));
  const int64_t size = 2 * radius + 1;
  node.attributes.erase("radius");
  node.set("size", size);
  node.set("alpha", node.get_float("alpha") * static_cast<double>(size));
  node.set("batch_dims", Ints{0});
  node.set("channel_dims", Ints{3});
  node.set("spatial_dims", Ints{1, 2});
  node.set_op("AttributedLRN");
}

/// The range is an option.
void extract_fake_quant(Node& node) {
  require_input(node, 0);
  const int64_t bits = node.get_int("num_bits", 8), least = node.get_bool("narrow_range") ? 1 : 0;
  if (bits < 2 || bits > 16) throw Error(Code::BadAttribute, cat("num_bits is ", bits));
  const int64_t most = (int64_t{1} << bits) - 1;
  Builder b(node);
  const OutPort low = b.f32_scalar(static_cast<float>(node.get_float("min"))),
                high = b.f32_scalar(static_cast<float>(node.get_float("max")));
  node.add_in_ports(3);
  node.in(1).connect(low);
  node.in(2).connect(high);
  for (const char* key : {"min", "max", "num_bits", "narrow_range"}) node.attributes.erase(key);
  node.set("least", least);
  node.set("most", most);
  node.set("range", most - least);
  node.set("levels", most - least + 1);
  node.set_op("FakeQuantWithMinMax");
}

}  // namespace mo::tflite
