// Two constants that are the same operand: types, shapes, and places or contents.

#include "core/base/text.h"
#include "core/ir/compare/graph_comparer.h"
#include "core/ir/verify/verify.h"

namespace mo {
namespace {

std::optional<IrRange> range_of(const IrLayer &constant) {
  const std::string *offset = attribute_of(constant, "offset"), *size = attribute_of(constant, "size");
  const auto from = offset ? parse_int(*offset) : std::nullopt, bytes = size ? parse_int(*size) : std::nullopt;
  if (!from || !bytes || *from < 0 || *bytes < 0) return std::nullopt;
  return IrRange{static_cast<uint64_t>(*from), static_cast<uint64_t>(*bytes)};
}

/// "f32 [2,3]".
std::string shown_constant(const IrLayer &constant) {
  const std::string *type = attribute_of(constant, "element_type"), *shape = attribute_of(constant, "shape");
  std::string dims;
  if (shape)
    for (const char c : *shape)
      if (c != ' ') dims += c;
  return cat(type ? *type : "", " [", dims, "]");
}

}  // namespace

void IrGraphComparer::compare_constants(Pair readers, Pair constants, std::string_view what) {
  if (!constants_.emplace(constants.a, constants.b).second) return;
  ++all_.out.constants;
  const IrLayer &x = a_.layer(constants.a), &y = b_.layer(constants.b);
  const auto different = [&](IrDifferenceKind kind, std::string in_a, std::string in_b) {
    const IrLayer &a = a_.layer(readers.a), &b = b_.layer(readers.b);
    differ(kind, a, b, std::string(what), std::move(in_a), std::move(in_b));
  };
  const std::string shown_a = shown_constant(x), shown_b = shown_constant(y);
  if (shown_a != shown_b) return different(IrDifferenceKind::Constant, shown_a, shown_b);
  const std::optional<IrRange> a = range_of(x), b = range_of(y);
  if (!a || !b || a->size != b->size) {
    const auto size = [](const std::optional<IrRange> &range) { return range ? cat(range->size, " bytes") : ""; };
    if (a || b) different(IrDifferenceKind::Constant, size(a), size(b));
    return;
  }
  if (!all_.how.same_bytes) {
    if (a->offset != b->offset)
      different(IrDifferenceKind::Place, std::to_string(a->offset), std::to_string(b->offset));
    return;
  }
  const auto known = all_.same_bytes.find({*a, *b});
  const bool is_same = known != all_.same_bytes.end() ? known->second : all_.how.same_bytes(*a, *b);
  all_.same_bytes.emplace(std::pair(*a, *b), is_same);
  if (!is_same) different(IrDifferenceKind::Contents, described(x), described(y));
}

}  // namespace mo
