#include "core/front/mxnet/load/variable.h"

#include "core/base/text.h"
#include "core/front/expansion.h"
#include "core/front/mxnet/load/arrays.h"

namespace mo::mxnet {
namespace {

constexpr size_t kMostFused = 64;

/// The whole numbers in a text such as "(1, 3L, 224)"; other signs are between them.
std::vector<int64_t> numbers_in(std::string_view text) {
  std::vector<int64_t> out;
  size_t at = 0;
  const auto is_of_number = [&](size_t i) { return (text[i] >= '0' && text[i] <= '9') || text[i] == '-'; };
  while (at < text.size()) {
    size_t end = at;
    while (end < text.size() && is_of_number(end)) ++end;
    if (end > at) out.push_back(parse_int(text.substr(at, end - at)).value_or(-1));
    at = end + 1;
  }
  return out;
}

}  // namespace

PartialShape open_shape(const std::vector<int64_t>& sizes) {
  require_dimensions(sizes.size());
  std::vector<Dimension> out;
  for (const int64_t size : sizes) out.push_back(size > 0 && size <= INT32_MAX ? Dimension(size) : kAnyDimension);
  return PartialShape(out);
}

PartialShape shape_of_variable(const SymbolNode& variable) {
  const std::string text = variable.text("__shape__");
  const std::vector<int64_t> sizes = numbers_in(text);
  // "()" and "None" say nothing: MXNet has no scalars but under the rules of NumPy.
  return sizes.empty() ? PartialShape() : open_shape(sizes);
}

ElementType type_of_variable(const SymbolNode& variable) {
  const auto number = parse_int(trim(variable.text("__dtype__")));
  const ElementType type = number && *number >= 0 ? required_type(*number) : ElementType::F32;
  // As the parameters: MXNet wants one type where they meet.
  return is_float(type) ? ElementType::F32 : type;
}

bool is_fused(const SymbolNode& node) {
  return node.op.starts_with("_sg_") && node.subgraphs.size() == 1 &&
         !is_one_of(lower(node.text("quantized")), {"true", "1"});
}

void add_parts(Node& node, const SymbolNode& from) {
  Strings parts;
  for (const Symbol& inner : from.subgraphs)
    for (const SymbolNode& part : inner.nodes) {
      if (part.is_variable()) continue;
      if (parts.size() == kMostFused)
        throw Error(Code::UnsupportedForm, msg("a fused network of more than ", kMostFused, " operators"));
      for (const auto& [key, value] : part.attributes) node.set(cat(parts.size(), ".", key), value);
      parts.push_back(part.op);
    }
  if (!parts.empty()) node.set("parts", std::move(parts));
}

}  // namespace mo::mxnet
