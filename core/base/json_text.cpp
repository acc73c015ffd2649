#include "core/base/json_text.h"

namespace mo {

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

void separate(std::string& out, std::string_view open) {
  if (out.empty() || out.back() == '{' || out.back() == '[') return void(out += open);
  out += ',', out += open;
}

}  // namespace mo
