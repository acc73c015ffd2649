// Operators on elements whose options or types decide what they are.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/common/extracted.h"
#include "core/front/tflite/extract/extractor.h"
#include "core/front/tflite/extract/window.h"

namespace mo::tflite {
namespace {

/// Numbers of a constant that are read to see whether one is infinite: masks are small.
constexpr uint64_t kMostRead = 1 << 16;

}  // namespace

void extract_cast(Node& node) {
  node.set("dst_type", node.get_type("out_data_type"));
  node.attributes.erase("out_data_type");
  node.set_op("Cast");
}

/// LiteRT clamps the results of these operators to finite numbers. That matters only where a constant is infinite.
void extract_arithmetic(Node& node) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  const auto is_infinite = [&](int i) {
    require_input(node, i);
    const Constant* value = node.source(i).node().get_constant("value");
    if (!value || value->type != ElementType::F32 || value->elements() > kMostRead) return false;
    const auto numbers = read_doubles(*value, node.graph().files(), kMostRead);
    return numbers && std::any_of(numbers->begin(), numbers->end(), [](double x) { return std::abs(x) > kLargest; });
  };
  const bool limited = is_infinite(0) || is_infinite(1);
  const std::string op = node.op();
  node.set_op(op == "ADD" ? "Add" : op == "SUB" ? "Sub" : "Mul");
  if (!limited || node.get_int("fused_activation_function") != 0) return;
  Node& clamp = Builder(node).node("AttributedClamp", {OutPort()}, {{"min", -kLargest}, {"max", kLargest}});
  node.out(0).connection().set_source(clamp.out(0), TensorNames::Merge);
  node.out(0).connect(clamp.in(0));
}

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

void extract_floor_div(Node& node) { node.set_op(floor_division(node.get_type("output_type", ElementType::F32))); }

void extract_bucketize(Node& node) {
  const Doubles boundaries = node.get_floats("boundaries");
  node.attributes.erase("boundaries");
  make_bucketize(node, boundaries);
}

void extract_local_response_normalization(Node& node) {
  set_lrn_window(node, "radius", node.get_int("radius"), node.get_float("alpha"));
  node.attributes.erase("radius");
  set_axes(node, 2);
  node.set_op("AttributedLRN");
}

/// The range is an option.
void extract_fake_quant(Node& node) {
  require_input(node, 0);
  const int64_t bits = node.get_int("num_bits", 8);
  const bool narrow = node.get_bool("narrow_range");
  if (bits < 2 || bits > 16) throw Error(Code::BadAttribute, msg("num_bits is ", bits));
  Builder b(node);
  const OutPort low = b.f32_scalar(static_cast<float>(node.get_float("min"))),
                high = b.f32_scalar(static_cast<float>(node.get_float("max")));
  node.add_in_ports(3);
  node.in(1).connect(low);
  node.in(2).connect(high);
  for (const char* key : {"min", "max", "num_bits", "narrow_range"}) node.attributes.erase(key);
  set_fake_quant_steps(node, bits, narrow);
  node.set_op("FakeQuantWithMinMax");
}

}  // namespace mo::tflite
