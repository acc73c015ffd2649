// Predicates; the output is boolean. Two inputs with NumPy broadcasting, auto_broadcast="numpy" (opset1): Equal,
// NotEqual, Less, LessEqual, Greater, GreaterEqual. One input (opset10): IsNaN, IsInf (detect_negative,
// detect_positive), IsFinite.

#include <cmath>

#include "core/ops/elementwise.h"

namespace mo {
namespace {

constexpr Interval kEither{0, 1};
Interval not_ints(Interval truth) { return {1 - truth.max, 1 - truth.min}; }

Interval equal_ints(Interval a, Interval b) {
  if (a.is_exact() && b.is_exact()) return a.min == b.min;
  return intersect(a, b) ? kEither : Interval(0);
}
Interval less_ints(Interval a, Interval b) {
  return a.max < b.min ? Interval(1) : a.min >= b.max ? Interval(0) : kEither;
}
Interval not_equal_ints(Interval a, Interval b) { return not_ints(equal_ints(a, b)); }
Interval greater_ints(Interval a, Interval b) { return less_ints(b, a); }
Interval greater_equal_ints(Interval a, Interval b) { return not_ints(less_ints(a, b)); }
Interval less_equal_ints(Interval a, Interval b) { return not_ints(less_ints(b, a)); }

bool equal_floats(double a, double b) { return a == b; }
bool not_equal_floats(double a, double b) { return a != b; }
bool less_floats(double a, double b) { return a < b; }
bool less_equal_floats(double a, double b) { return a <= b; }
bool greater_floats(double a, double b) { return a > b; }
bool greater_equal_floats(double a, double b) { return a >= b; }

template <BinaryInterval Map>
void infer_comparison(InferContext& c) {
  infer_numpy_broadcast(c, true);
  map_ints(c, Map);
}
template <bool (*Test)(double, double), BinaryInterval Map>
void fold_comparison(InferContext& c) {
  fold_predicate(c, Test, Map);
}

void infer_float_predicate(InferContext& c) { c.set(0, c.shape(0), ElementType::Bool); }
void fold_float_predicate(InferContext& c) {
  if (!is_float(c.type(0))) return;
  const auto values = read_doubles(*c.value(0), c.files(), Model::kFoldOne);
  if (!values) return;
  const std::string& op = c.node().op();
  const bool negative = c.node().get_bool("detect_negative", true),
             positive = c.node().get_bool("detect_positive", true);
  std::vector<int64_t> out;
  for (const double v : *values)
    out.push_back(op == "IsNaN"      ? std::isnan(v)
                  : op == "IsFinite" ? std::isfinite(v)
                                     : std::isinf(v) && (v < 0 ? negative : positive));
  c.set_value(0, make_ints(ElementType::Bool, c.value(0)->shape, out));
}

void attributes_comparison(const Node&, IrAttributes& a) { a.add("auto_broadcast", "numpy"); }
void attributes_is_inf(const Node& n, IrAttributes& a) {
  a.add("detect_negative", n.get_bool("detect_negative", true));
  a.add("detect_positive", n.get_bool("detect_positive", true));
}

#define COMPARISON(op_name, name)                                                                \
  {                                                                                              \
    .op = op_name, .type = op_name, .version = "opset1", .infer = infer_comparison<name##_ints>, \
    .ir_attributes = attributes_comparison, .layout = kBroadcasting,                             \
    .fold = fold_comparison<name##_floats, name##_ints>                                          \
  }

constexpr OpDef kComparisonDefs[] = {
    COMPARISON("Equal", equal),
    COMPARISON("NotEqual", not_equal),
    COMPARISON("Less", less),
    COMPARISON("LessEqual", less_equal),
    COMPARISON("Greater", greater),
    COMPARISON("GreaterEqual", greater_equal),
    {.op = "IsNaN",
     .type = "IsNaN",
     .version = "opset10",
     .infer = infer_float_predicate,
     .fold = fold_float_predicate},
    {.op = "IsInf",
     .type = "IsInf",
     .version = "opset10",
     .infer = infer_float_predicate,
     .ir_attributes = attributes_is_inf,
     .fold = fold_float_predicate},
    {.op = "IsFinite",
     .type = "IsFinite",
     .version = "opset10",
     .infer = infer_float_predicate,
     .fold = fold_float_predicate},
};
#undef COMPARISON

}  // namespace

OpFamily ops_Comparison() { return kComparisonDefs; }

}  // namespace mo
