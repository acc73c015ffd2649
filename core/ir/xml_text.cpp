#include "core/ir/xml_text.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <type_traits>

#include "core/base/text.h"

namespace mo {

void XmlText::attribute(std::string_view name, std::string_view value) {
  put(' ');
  put(name);
  put("=\"");
  size_t from = 0;
  for (size_t at = 0; at < value.size();) {
    const char c = value[at];
    if (c >= ' ' && c < '\x7f' && c != '&' && c != '<' && c != '"') {
      ++at;
      continue;
    }
    put(value.substr(from, at - from));
    const Character character = character_at(value, at);
    const bool is_there = is_in_ir(character);
    if (!is_there)
      put(kReplacement);
    else if (is_unsafe(character.code))
      put_reference(character.code);
    else
      put(c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : value.substr(at, character.size));
    from = at += is_there ? character.size : 1;
  }
  put(value.substr(from));
  put('"');
}

void XmlText::attribute(std::string_view name, int64_t value) {
  put(' ');
  put(name);
  put("=\"");
  put(value);
  put('"');
}

void XmlText::number(std::string_view name, int64_t value) {
  end_tag();
  indent();
  put('<');
  put(name);
  put('>');
  put(value);
  put("</");
  put(name);
  put(">\n");
}

uint64_t XmlText::finish() {
  flush();
  return given_;
}

void XmlText::begin(std::string_view name) {
  end_tag();
  indent();
  ++depth_;
  put('<');
  put(name);
  in_tag_ = true;
}

void XmlText::end(std::string_view name) {
  --depth_;
  if (in_tag_) {
    in_tag_ = false;
    return put(" />\n");
  }
  indent();
  put("</");
  put(name);
  put(">\n");
}

void XmlText::end_tag() {
  if (in_tag_) put(">\n");
  in_tag_ = false;
}

void XmlText::indent() {
  constexpr std::string_view kTabs = "\t\t\t\t\t\t\t\t";
  for (size_t left = depth_; left > 0;) {
    const std::string_view tabs = kTabs.substr(0, left);
    put(tabs);
    left -= tabs.size();
  }
}

void XmlText::put(std::string_view text) {
  if (text.size() > kPiece - size_) {
    for (const char c : text) put(c);
    return;
  }
  // Most texts are a few bytes long: a call of memcpy takes longer than copying them.
  char* to = piece_.data() + size_;
  const char* from = text.data();
  const auto copy = [&](auto bytes) {
    std::memcpy(to, from, bytes);
    to += bytes;
    from += bytes;
  };
  for (size_t eights = text.size() / 8; eights > 0; --eights) copy(std::integral_constant<size_t, 8>());
  if (text.size() & 4) copy(std::integral_constant<size_t, 4>());
  if (text.size() & 2) copy(std::integral_constant<size_t, 2>());
  if (text.size() & 1) copy(std::integral_constant<size_t, 1>());
  size_ += text.size();
}

void XmlText::put(int64_t value) {
  char digits[20];
  put({digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits)});
}

void XmlText::put_reference(uint32_t code) {
  char digits[8];
  put("&#x");
  put({digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, code, 16).ptr - digits)});
  put(';');
}

void XmlText::flush() {
  sink_({piece_.data(), size_});
  given_ += size_;
  size_ = 0;
}

}  // namespace mo
