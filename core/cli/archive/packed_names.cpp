#include "core/cli/archive/packed_names.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo {
namespace {

/// Its characters from 128 on.
constexpr char16_t kCp437[] =
    u"\u00c7\u00fc\u00e9\u00e2\u00e4\u00e0\u00e5\u00e7\u00ea\u00eb\u00e8\u00ef\u00ee\u00ec\u00c4\u00c5"
    u"\u00c9\u00e6\u00c6\u00f4\u00f6\u00f2\u00fb\u00f9\u00ff\u00d6\u00dc\u00a2\u00a3\u00a5\u20a7\u0192"
    u"\u00e1\u00ed\u00f3\u00fa\u00f1\u00d1\u00aa\u00ba\u00bf\u2310\u00ac\u00bd\u00bc\u00a1\u00ab\u00bb"
    u"\u2591\u2592\u2593\u2502\u2524\u2561\u2562\u2556\u2555\u2563\u2551\u2557\u255d\u255c\u255b\u2510"
    u"\u2514\u2534\u252c\u251c\u2500\u253c\u255e\u255f\u255a\u2554\u2569\u2566\u2560\u2550\u256c\u2567"
    u"\u2568\u2564\u2565\u2559\u2558\u2552\u2553\u256b\u256a\u2518\u250c\u2588\u2584\u258c\u2590\u2580"
    u"\u03b1\u00df\u0393\u03c0\u03a3\u03c3\u00b5\u03c4\u03a6\u0398\u03a9\u03b4\u221e\u03c6\u03b5\u2229"
    u"\u2261\u00b1\u2265\u2264\u2320\u2321\u00f7\u2248\u00b0\u2219\u00b7\u221a\u207f\u00b2\u25a0\u00a0";

/// Whether a path begins at a root, as "/a", "\a" and "C:a" do.
bool has_root(std::string_view path) {
  const bool has_drive =
      path.size() > 1 && path[1] == ':' && lower(path.substr(0, 1)) >= "a" && lower(path.substr(0, 1)) <= "z";
  return path.starts_with('/') || path.starts_with('\\') || has_drive;
}

/// The parts of a path behind those of `base`; nullopt if it leads out.
std::optional<std::string> resolved(std::string path, std::vector<std::string> base, bool may_go_up) {
  if (has_root(path) || path.find('\0') != std::string::npos) return std::nullopt;
  std::replace(path.begin(), path.end(), '\\', '/');
  for (std::string& part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      base.push_back(std::move(part));
    } else {
      if (!may_go_up || base.empty()) return std::nullopt;
      base.pop_back();
    }
  }
  if (base.empty()) return std::nullopt;
  return join(
      base, [](const std::string& part) { return part; }, "/");
}

}  // namespace

bool is_litter(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return path.starts_with("__MACOSX/") || name.starts_with("._") || name == ".DS_Store";
}

std::optional<std::string> inside_path(std::string_view path) { return resolved(std::string(path), {}, false); }

std::optional<std::string> linked_path(std::string_view path, std::string_view target) {
  std::vector<std::string> base = split(path, '/');
  base.pop_back();
  return resolved(std::string(target), std::move(base), true);
}

std::string from_cp437(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
      continue;
    }
    const char16_t point = kCp437[byte - 0x80];
    if (point >= 0x800)
      out += {static_cast<char>(0xe0 | point >> 12), static_cast<char>(0x80 | (point >> 6 & 0x3f))};
    else
      out += static_cast<char>(0xc0 | point >> 6);
    out += static_cast<char>(0x80 | (point & 0x3f));
  }
  return out;
}

}  // namespace mo
