#include "core/front/common/extracted.h"

#include "core/base/text.h"
#include "core/build/builder.h"

namespace mo {

void make_bucketize(Node& node, const Doubles& boundaries) {
  const auto count = static_cast<int64_t>(boundaries.size());
  const OutPort limits = Builder(node).constant(make_f32({count}, {boundaries.begin(), boundaries.end()}));
  node.add_in_ports(2);
  node.in(1).connect(limits);
  node.set("output_type", ElementType::I32);
  node.set("with_right_bound", false);
  node.set_op("Bucketize");
}

const char* floor_division(ElementType type) {
  return !is_integer(type) ? "FloorDiv" : is_signed(type) ? "FloorDivOfIntegers" : "Div";
}

void set_lrn_window(Node& node, std::string_view radius_name, int64_t radius, double alpha) {
  if (radius < 0 || radius > INT32_MAX) throw Error(Code::BadAttribute, msg(radius_name, " is ", radius));
  const int64_t size = 2 * radius + 1;
  node.set("size", size);
  node.set("alpha", alpha * static_cast<double>(size));
}

void set_fake_quant_steps(Node& node, int64_t bits, bool narrow_range) {
  const int64_t least = narrow_range ? 1 : 0, most = (int64_t{1} << bits) - 1;
  node.set("least", least);
  node.set("most", most);
  node.set("range", most - least);
  node.set("levels", most - least + 1);
}

}  // namespace mo
