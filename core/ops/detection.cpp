#include "core/ops/detection.h"

namespace mo {

Dimension dimension_of(const InferContext& c, int i, size_t axis) {
  return c.shape(i).has_rank() ? c.shape(i)[axis] : kAnyDimension;
}

Dimension agree(const InferContext& c, Dimension a, Dimension b, const Detail& what) {
  const auto both = intersect(a, b);
  if (!both) c.fail(Code::ShapeMismatch, msg(what, ": ", to_string(a), " and ", to_string(b)));
  return *both;
}

int64_t count_of(const InferContext& c, const char* attribute, int64_t least) {
  const int64_t value = c.node().get_int(attribute, least);
  if (value < least || value > INT32_MAX) c.fail(Code::BadAttribute, msg(attribute, " is ", value));
  return value;
}

void require_columns(const InferContext& c, int i, Dimension columns) {
  c.require_rank(i, 2, 2);
  agree(c, dimension_of(c, i, 1), columns, msg("columns of input ", i));
}

}  // namespace mo
