#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace mo {

std::string format_double(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[40];
  return {buffer, static_cast<size_t>(std::snprintf(buffer, sizeof buffer, "%.17g", value))};
}

std::optional<int64_t> parse_int(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::optional<double> parse_double(std::string_view text) {
  const std::string copy(text);
  if (copy.empty() || copy[0] == ' ') return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return std::nullopt;
  return value;
}

Character character_at(std::string_view s, size_t at) {
  const auto byte = [&](size_t i) { return at + i < s.size() ? static_cast<unsigned char>(s[at + i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, at < s.size() ? size_t{1} : 0};
  const size_t n = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (n == 0 || first >= 0xf5) return {};
  unsigned code = first & (0xff >> (n + 1));
  for (size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
  if (overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, n};
}

bool is_unsafe(uint32_t code) {
  constexpr uint32_t kRanges[][2] = {
      {0, 0x1f},          {0x7f, 0x9f},      // control characters
      {0x61c, 0x61c},     {0x200e, 0x200f},  // marks of direction
      {0x2028, 0x202e},   {0x2066, 0x206f},  // ends of lines, embedded and turned directions
      {0xfeff, 0xfeff},   {0xfff9, 0xfffb},  // without a width
      {0xfffe, 0xffff},                      // no characters
      {0xe0000, 0xe007f},                    // tags
  };
  if (code >= 0x20 && code < 0x7f) return false;  // most are
  for (const auto& [first, last] : kRanges)
    if (code >= first && code <= last) return true;
  return false;
}

bool has_unsafe(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    if (c.size > 0 && is_unsafe(c.code)) return true;
    at += std::max<size_t>(c.size, 1);
  }
  return false;
}

std::string without_unsafe(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    const size_t n = std::max<size_t>(c.size, 1);
    out += c.size > 0 && is_unsafe(c.code) ? std::string_view("_") : text.substr(at, n);
    at += n;
  }
  return out;
}

bool is_in_ir(const Character& c) {
  return c.size > 0 && c.code >= 0x20 && c.code != 0x7f && c.code != 0xfffe && c.code != 0xffff;
}

namespace {

/// As in JSON: one unit of UTF-16, or two.
void append_escape(std::string& out, uint32_t code) {
  char text[16];
  if (code >= 0x10000)
    std::snprintf(text, sizeof text, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
  else
    std::snprintf(text, sizeof text, "\\u%04x", code);
  out += text;
}

/// Escapes unsafe characters, except those in `kept`.
std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    if (c.size == 0)
      out += kReplacement;
    else if (is_unsafe(c.code) && kept.find(text[at]) == std::string_view::npos)
      append_escape(out, c.code);
    else
      out += text.substr(at, c.size);
    at += std::max<size_t>(c.size, 1);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, ""); }
std::string printable_lines(std::string_view text) { return escaped(text, "\n\t"); }
std::string printable_json(std::string_view json) { return escaped(json, "\n"); }

std::string name_in_ir(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    const bool is_there = is_in_ir(c);
    out += is_there ? text.substr(at, c.size) : kReplacement;
    at += is_there ? c.size : 1;
  }
  return out;
}

std::string join(const std::vector<int64_t>& values, std::string_view separator) {
  return join(
      values, [](int64_t v) { return std::to_string(v); }, separator);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t from = 0;;) {
    const size_t at = text.find(separator, from);
    parts.emplace_back(text.substr(from, at == std::string_view::npos ? at : at - from));
    if (at == std::string_view::npos) return parts;
    from = at + 1;
  }
}

size_t skip_quoted(std::string_view text, size_t at) {
  const bool quote = text[at] == '"' || text[at] == '\'';
  // A quote inside a name is a character like any other.
  if (!quote || at == 0 || std::string_view(">[(, ").find(text[at - 1]) == std::string_view::npos) return at;
  const size_t close = text.find(text[at], at + 1);
  return close == std::string_view::npos ? at : close;
}

std::vector<std::string_view> split_items(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (at < text.size()) at = skip_quoted(text, at);
    if (c == '[' || c == '(') ++depth;
    if ((c == ']' || c == ')') && depth > 0) --depth;
    if (c != ',' || (depth > 0 && at < text.size())) continue;
    out.push_back(trim(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  return out;
}

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() >= limit) return limit;
  std::vector<size_t> row(a.size() + 1);
  for (size_t i = 0; i < row.size(); ++i) row[i] = i;
  for (size_t j = 0; j < b.size(); ++j) {
    size_t diagonal = row[0]++;
    for (size_t i = 0; i < a.size(); ++i) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[i + 1];
      row[i + 1] = std::min({replaced, row[i] + 1, diagonal + 1});
    }
  }
  return std::min(row.back(), limit);
}

}  // namespace mo
