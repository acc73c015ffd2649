#include "core/base/layout_text.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {
namespace {

constexpr std::string_view kEllipsis = "...";

/// In upper case, and short if it has a short form; empty if it is no name.
std::string axis_name(std::string_view text) {
  if (text == "?" || text == kEllipsis) return std::string(text);
  std::string name;
  bool any = false;
  for (const char c : text) {
    const bool small = c >= 'a' && c <= 'z';
    any |= small || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!small && c != '_' && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9')) return {};
    name += static_cast<char>(small ? c - 'a' + 'A' : c);
  }
  if (!any) return {};
  if (name == "BATCH") return "N";
  for (const std::string_view word : {"CHANNELS", "CHANNEL", "DEPTH", "HEIGHT", "WIDTH"})
    if (name == word) return name.substr(0, 1);
  return name;
}

std::vector<std::string> items_of(std::string_view text) {
  if (text[0] == '[') return split(text.substr(1, text.size() - 2), ',');
  std::vector<std::string> items;
  for (size_t at = 0; at < text.size();) {
    const size_t length = text.substr(at, 3) == kEllipsis ? 3 : 1;
    items.emplace_back(text.substr(at, length));
    at += length;
  }
  return items;
}

}  // namespace

std::string layout_text(std::string_view text) {
  const auto refuse = [&](const Detail& what) { throw Error(Code::BadLayout, msg("Invalid layout parsed: ", what)); };
  if (text.empty()) refuse("\"\"");
  if ((text[0] == '[') != (text.back() == ']') || text.back() == '-')
    refuse(msg(printable(text), ", did you forget quotes?"));
  std::vector<std::string> names;
  for (const std::string& item : items_of(text)) {
    const std::string name = axis_name(item);
    if (name.empty()) refuse(printable(text));
    if (name != "?" && std::find(names.begin(), names.end(), name) != names.end())
      refuse(msg(printable(text), ": ", name, " is defined multiple times"));
    names.push_back(name);
  }
  return cat("[",
             join(
                 names, [](const std::string& name) { return name; }, ","),
             "]");
}

std::optional<std::vector<std::string>> axis_names(std::string_view layout, int rank) {
  std::vector<std::string> names = items_of(layout);
  const auto any = std::find(names.begin(), names.end(), kEllipsis);
  if (any != names.end()) {
    const int missing = rank - static_cast<int>(names.size()) + 1;
    if (missing < 0) return std::nullopt;
    names.insert(names.erase(any), static_cast<size_t>(missing), "?");
  } else if (rank >= 0 && static_cast<size_t>(rank) != names.size()) {
    return std::nullopt;
  }
  return names;
}

std::optional<size_t> axis_named(std::string_view layout, std::string_view name, int rank) {
  const auto names = axis_names(layout, rank);
  if (!names) return std::nullopt;
  const auto found = std::find(names->begin(), names->end(), name);
  return found == names->end() ? std::nullopt : std::optional<size_t>(found - names->begin());
}

std::optional<std::vector<int64_t>> order_between(std::string_view from, std::string_view to, int rank) {
  const auto names = axis_names(to, rank);
  if (!names || !axis_names(from, static_cast<int>(names->size()))) return std::nullopt;
  std::vector<int64_t> order;
  std::vector<char> taken(names->size(), 0);
  for (const std::string& name : *names) {
    const auto at = name == "?" ? std::nullopt : axis_named(from, name, static_cast<int>(names->size()));
    if (name != "?" && !at) return std::nullopt;
    order.push_back(at ? static_cast<int64_t>(*at) : -1);
    if (at) taken[*at] = 1;
  }
  size_t next = 0;
  for (int64_t& axis : order) {
    if (axis >= 0) continue;
    while (taken[next]) ++next;
    axis = static_cast<int64_t>(next++);
  }
  return order;
}

namespace {

std::optional<size_t> guessed_axis(const PartialShape& shape) {
  const size_t rank = shape.has_rank() ? shape.dimensions().size() : 0;
  std::optional<size_t> found;
  for (size_t i = 0; i < rank; ++i) {
    if (shape[i] != Dimension(3)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  if (rank < 3 || rank > 5 || !found || (*found != rank - 1 && *found != (rank == 3 ? 0 : 1))) return std::nullopt;
  return found;
}

bool can_be(const PartialShape& shape, Dimension wanted) {
  const auto fits = [&](const Dimension& dimension) { return intersect(dimension, wanted).has_value(); };
  return std::any_of(shape.dimensions().begin(), shape.dimensions().end(), fits);
}

}  // namespace

std::optional<size_t> channel_axis(const PartialShape& shape, std::string_view layout) {
  return layout.empty() ? guessed_axis(shape) : axis_named(layout, "C", shape.rank());
}

size_t axis_for_values(const PartialShape& shape, std::string_view layout, size_t count, const Place& place) {
  const auto wanted = static_cast<int64_t>(count);
  const Detail numbers = msg(count, " for the shape [", to_string(shape), "]");
  const auto axis = channel_axis(shape, layout);
  if (shape.has_rank() && (axis ? !intersect(shape[*axis], wanted) : !can_be(shape, wanted)))
    throw Error(Code::ChannelValuesUnfit, numbers, place);
  if (!axis || !shape.has_rank()) throw Error(Code::ChannelsUnknown, numbers, place);
  return *axis;
}

void require_values_type(ElementType type, const Place& place) {
  if (!is_float(type)) throw Error(Code::ChannelValuesType, std::string(ir_name(type)), place);
}

}  // namespace mo
