#include "core/front/config/json_config.h"

#include <algorithm>

#include "core/base/json_text.h"

namespace mo {
namespace {

constexpr size_t kLargestText = 16 << 20, kMostKeys = 1000;
constexpr int kDeepest = 100;

/// Position of the last of the first `end` bytes: "line 3, column 7".
Detail position(std::string_view text, size_t end) {
  const std::string_view before = text.substr(0, end ? end - 1 : 0);
  const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return msg("line ", std::count(before.begin(), before.end(), '\n') + 1, ", column ", before.size() - line_start + 1);
}

/// Limits the size of a configuration: writing JSON recurses, and each key is compared with all previous ones.
class Bounds {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json&) {
    if (depth > kDeepest) throw Error(Code::ConfigNotJson, "it nests too deeply");
    keys_.resize(size_t{kDeepest} + 2);
    if (event == Json::parse_event_t::object_start) keys_[static_cast<size_t>(depth) + 1] = 0;
    if (event == Json::parse_event_t::key && ++keys_[static_cast<size_t>(depth)] > kMostKeys)
      throw Error(Code::ConfigNotJson, msg("an object has more than ", kMostKeys, " keys"));
    return true;
  }

 private:
  std::vector<size_t> keys_;  // number of keys in the open object at each depth
};

}  // namespace

Json parse_config_text(std::string_view text) {
  if (text.size() > kLargestText) throw Error(Code::ConfigNotJson, msg("it has ", text.size(), " bytes"));
  try {
    return Json::parse(text, Bounds());
  } catch (const Json::parse_error& error) {
    const size_t end = std::min(error.byte, text.size());
    const bool escaped_star = end >= 2 && text[end - 1] == '*' && text[end - 2] == '\\';
    const Detail where = position(text, error.byte);
    if (!escaped_star) throw Error(Code::ConfigNotJson, where);
    throw Error(Code::ConfigNotJson, msg(where, ": \\* is no escape"), {}, "write .* where a document shows .\\*");
  } catch (const Json::exception&) {
    throw Error(Code::ConfigNotJson, "a number is too large");
  }
}

bool is_int(const Json& value) {
  return value.is_number_integer() &&
         (!value.is_number_unsigned() || value.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
}

std::string config_with_ports(std::string_view json_text, const std::vector<std::optional<SubgraphPorts>>& ports) {
  const auto describe = [](const OutputPatterns& patterns) {
    Json list = Json::array();
    for (const PortPattern& pattern : patterns) list.push_back({{"node", pattern.node}, {"port", pattern.port}});
    return list;
  };
  Json list = parse_config_text(json_text);
  for (size_t i = 0; i < ports.size(); ++i) {
    if (!ports[i]) continue;
    Json inputs = Json::array();
    for (const std::vector<PortPattern>& tensor : ports[i]->inputs) inputs.push_back(describe(tensor));
    list[i]["inputs"] = std::move(inputs);
    list[i]["outputs"] = describe(ports[i]->outputs);
  }
  return json_of(list, 4) + "\n";
}

}  // namespace mo
