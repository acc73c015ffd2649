#include "core/base/json_text.h"

#include <algorithm>

namespace mo {

std::string json_text(std::string_view text) {
  std::string out = "\"";
  out.reserve(text.size() + 2);
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::all_of(text.begin(), text.end(), is_plain)) {
    out += text;
    return out += '"';
  }
  for (const char c : name_in_ir(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return printable_json(out += '"');
}

void separate(std::string& out, std::string_view open) {
  if (out.empty() || out.back() == '{' || out.back() == '[') return void(out += open);
  out += ',', out += open;
}

}  // namespace mo
