// Arithmetic of two tensors: Y is aligned with X at `axis`; -1, which is the default, aligns the last dimensions.

#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

/// Without `axis`, Y may have more dimensions than X. `factors` scale, which quantised programs set, is not there.
void extract_aligned(Node& node, const char* op, NewAttributes attributes = {}) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  const int64_t axis = node.get_int("axis", -1);
  Attributes all(attributes);
  if (axis == -1) return become(node, op, {x, y}, std::move(all));
  all.set("operation", std::string(op));
  all.set("axis", axis);
  become(node, "AxisBroadcast", {x, y}, std::move(all));
}

}  // namespace

void extract_elementwise_add(Node& node) { extract_aligned(node, "Add"); }
void extract_elementwise_sub(Node& node) { extract_aligned(node, "Sub"); }
void extract_elementwise_mul(Node& node) { extract_aligned(node, "Mul"); }
/// Integers are divided towards 0.
void extract_elementwise_div(Node& node) { extract_aligned(node, "Div", {{"m_pythondiv", false}}); }
void extract_elementwise_pow(Node& node) { extract_aligned(node, "Pow"); }
void extract_elementwise_max(Node& node) { extract_aligned(node, "Maximum"); }
void extract_elementwise_min(Node& node) { extract_aligned(node, "Minimum"); }

}  // namespace mo::paddle
