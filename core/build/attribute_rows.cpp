#include "core/build/attribute_rows.h"

#include "core/base/text.h"

namespace mo {

Attribute literal(const std::string& text) {
  if (const auto whole = parse_int(text)) return *whole;
  if (const auto number = parse_double(text)) return *number;
  return text;
}

void apply_attributes(Node& node, std::string_view rows) {
  if (rows.empty()) return;
  for (const std::string& row : split(rows, ' ')) {
    if (row.empty()) continue;
    const size_t equals = row.find('=');
    const std::string names = row.substr(0, equals);
    const size_t arrow = names.find('>');
    const std::string from = names.substr(0, arrow), to = arrow == std::string::npos ? from : names.substr(arrow + 1);
    if (const Attribute* given = node.attributes.find(from)) {
      if (to != from) {
        Attribute value = *given;
        node.attributes.erase(from);
        node.set(to, std::move(value));
      }
    } else if (equals != std::string::npos) {
      node.set(to, literal(row.substr(equals + 1)));
    }
  }
}

}  // namespace mo
