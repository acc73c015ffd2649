// Functions of operators.def for operations on elements.

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/common/extracted.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {
namespace {

/// Makes the node a binary operation with a constant of the type of x.
void with_scalar(Node& node, const char* op, double value) {
  require_input(node, 0);
  const Constant scalar = make_scalar(type_of(node, "T"), value);
  node.add_in_ports(2);
  node.in(1).connect(Builder(node).constant(scalar));
  node.set_op(op);
}

}  // namespace

void extract_rsqrt(Node& node) { with_scalar(node, "Pow", -0.5); }

void extract_square(Node& node) {
  require_input(node, 0);
  node.add_in_ports(2);
  node.in(1).connect(node.source(0));
  node.set_op("Mul");
}

void extract_floor_div(Node& node) { node.set_op(floor_division(type_of(node, "T"))); }

void extract_bucketize(Node& node) { make_bucketize(node, node.get_floats("boundaries")); }

/// OpenVINO's CPU plugin computes with 32 bits and a sign.
void extract_population_count(Node& node) {
  const ElementType type = type_of(node, "T");
  const int below = bits(type) - is_signed(type);
  if (below > 31) throw Error(Code::UnsupportedForm, msg(below, " bits, of which runtimes compute with 31"));
  node.set("bits", int64_t{below});
  node.set_op("PopulationCount");
}

void extract_leaky_relu(Node& node) {
  const double alpha = node.get_float("alpha", 0.2);
  node.set("alpha", alpha);
  node.set_op(alpha == 0 ? "ReLU" : "LeakyReLU");
}

}  // namespace mo::tf
