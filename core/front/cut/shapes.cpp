#include "core/front/cut/shapes.h"

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {
namespace {

[[noreturn]] void refuse_shape(std::string_view text) {
  throw Error(Code::BadInputShape, msg("Input shape \"", printable(text), "\" cannot be parsed"));
}

Dimension parse_dimension(std::string_view item, std::string_view whole) {
  if (item == "?" || item == "-1") return kAnyDimension;
  const auto number = [&](std::string_view digits) {
    const auto value = parse_int(digits);
    if (!value || *value < 0 || digits[0] == '+') refuse_shape(whole);
    return *value;
  };
  const size_t dots = item.find("..");
  if (dots == std::string_view::npos) return number(item);
  const std::string_view low = trim(item.substr(0, dots)), high = trim(item.substr(dots + 2));
  const Dimension range{low.empty() ? 0 : number(low), high.empty() ? Interval::kInfinity : number(high)};
  if (range.min > range.max) refuse_shape(whole);
  return range;
}

/// Sizes as people write them, "1x3x224x224", with commas.
std::string with_commas(std::string_view group) {
  std::string out;
  for (size_t at = 0; at < group.size(); ++at) {
    const bool is_sign = group.substr(at).starts_with("\xC3\x97");  // U+00D7, the sign of multiplication
    at += is_sign;
    out += is_sign || group[at] == 'x' || group[at] == 'X' || group[at] == '*' ? ',' : group[at];
  }
  return out;
}

}  // namespace

PartialShape parse_shape(std::string_view group, std::string_view whole) {
  std::vector<Dimension> dimensions;
  if (trim(group).empty()) return dimensions;  // a scalar
  if (trim(group) == "...") return {};         // of any rank
  // Blanks separate like commas: "[1 2]" and "[1, 2]" are the same.
  for (const std::string& part : split(with_commas(group), ',')) {
    bool any = false;
    for (const std::string& item : split(part, ' ')) {
      if (item.empty()) continue;
      dimensions.push_back(parse_dimension(item, whole));
      any = true;
    }
    if (!any) refuse_shape(whole);
  }
  return dimensions;
}

std::vector<PartialShape> parse_shapes(std::string_view text) {
  std::vector<PartialShape> shapes;
  std::string_view rest = trim(text);
  if (!rest.empty() && rest.find_first_of("[]()") == std::string_view::npos) return {parse_shape(rest, text)};
  while (!rest.empty()) {
    const char close = rest[0] == '[' ? ']' : rest[0] == '(' ? ')' : '\0';
    const size_t end = close ? rest.find(close) : std::string_view::npos;
    if (end == std::string_view::npos) refuse_shape(text);
    shapes.push_back(parse_shape(rest.substr(1, end - 1), text));
    rest = trim(rest.substr(end + 1));
    if (rest.empty()) break;
    if (rest[0] != ',') refuse_shape(text);
    rest = trim(rest.substr(1));
    if (rest.empty()) refuse_shape(text);
  }
  return shapes;
}

}  // namespace mo
