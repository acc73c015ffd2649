// Whether tensors are equal, or empty.

#include "core/base/text.h"
#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

/// A tensor, or an attribute, which is text or a number.
OutPort tolerance(Node& node, const char* slot, const char* attribute, double otherwise) {
  Builder b(node);
  const OutPort x = required(node, "Input");
  if (const OutPort given = input(node, slot)) return b.op("ConvertLike", {scalar_of(b, given), x});
  const std::string text = node.get_string(attribute);
  const auto number = text.empty() ? node.get_float(attribute, otherwise) : parse_double(text);
  if (!number) throw Error(Code::BadAttribute, msg(attribute, " is '", printable(text), "'"));
  return b.scalar_like(x, *number);
}

OutPort close(Node& node) {
  const OutPort x = required(node, "Input"), y = required(node, "Other");
  const OutPort relative = tolerance(node, "Rtol", "rtol", 1e-5), absolute = tolerance(node, "Atol", "atol", 1e-8);
  Builder b(node);
  const OutPort near = b.op("IsClose", {x, y, relative, absolute});
  if (!node.get_bool("equal_nan")) return near;
  const OutPort both = b.op("LogicalAnd", {b.op("IsNaN", {x}), b.op("IsNaN", {y})});
  return b.op("LogicalOr", {near, both});
}

}  // namespace

void extract_isclose(Node& node) { give(node, {{"Out", close(node)}}); }

void extract_allclose(Node& node) {
  const OutPort near = close(node);
  const OutPort all =
      Builder(node).op("LogicalOfAll", {near}, {{"function", "ReduceLogicalAnd"}, {"keep_dims", false}});
  give(node, {{"Out", as_declared(node, all)}});
}

void extract_equal_all(Node& node) { become_declared(node, "EqualAll", {required(node, "X"), required(node, "Y")}); }

void extract_is_empty(Node& node) {
  Builder b(node);
  const OutPort count = b.op("Size", {required(node, "X")}), none = b.i64_scalar(0);
  become_declared(node, "Equal", {count, none});
}

}  // namespace mo::paddle
