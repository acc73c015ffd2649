#include <set>

#include "core/base/name_pattern.h"
#include "core/front/config/json_config.h"

namespace mo {
namespace {

class EntryReader {
 public:
  EntryReader(const Json& entry, size_t index) : entry_(entry), who_(msg("entry ", index + 1)) {}

  ReplacementDescription read() {
    if (!entry_.is_object()) refuse(Code::BadConfigEntry, "is not an object");
    const Json* id = find("id");
    if (!id) refuse(Code::ConfigWithoutId, "has no id");
    if (!id->is_string() || id->get_ref<const std::string&>().empty())
      refuse(Code::BadConfigEntry, "has an id that is not a text");
    out_.id = id->get<std::string>();
    who_ = msg(who_, " (id '", out_.id, "')");
    read_kind();
    if (out_.kind == MatchKind::Scope) read_scopes();
    if (out_.kind == MatchKind::Points) read_points();
    read_ports();
    if (const Json* op = find("op")) {
      if (!op->is_string()) refuse(Code::BadConfigEntry, "has an op that is not a text");
      out_.op = op->get<std::string>();
    }
    if (const Json* attributes = find("custom_attributes")) {
      if (!attributes->is_object()) refuse(Code::BadConfigEntry, "has custom_attributes that are not an object");
      out_.custom_attributes = read_custom_attributes(*attributes);
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(Code code, const Detail& what) const { throw Error(code, msg(who_, " ", what)); }

  const Json* find(const char* key) const {
    const auto found = entry_.find(key);
    return found == entry_.end() ? nullptr : &*found;
  }

  void read_kind() {
    const Json* kind = find("match_kind");
    if (!kind) refuse(Code::ConfigWithoutMatchKind, "has no match_kind");
    if (!kind->is_string()) refuse(Code::UnknownMatchKind, "has a match_kind that is not a text");
    const std::string& name = kind->get_ref<const std::string&>();
    for (const MatchKind known : {MatchKind::Scope, MatchKind::Points, MatchKind::General}) {
      out_.kind = known;
      if (name == name_of(known)) return;
    }
    refuse(Code::UnknownMatchKind, msg("has match_kind '", name, "'"));
  }

  void check_pattern(const std::string& pattern) const {
    try {
      NamePattern::from_user(pattern);
    } catch (const Error& error) {
      refuse(error.code(), msg("has the pattern ", error.detail()));
    }
  }

  void read_scopes() {
    const Json* instances = find("instances");
    if (!instances) refuse(Code::ScopeWithoutInstances, "has no instances");
    if (!instances->is_array()) refuse(Code::ScopeWithoutInstances, "has instances that are not a list");
    if (instances->empty()) refuse(Code::ScopeWithoutInstances, "has an empty list of instances");
    for (const Json& instance : *instances) {
      if (!instance.is_string()) refuse(Code::BadConfigEntry, "has an instance that is not a text");
      out_.scopes.push_back(instance.get<std::string>());
      check_pattern(out_.scopes.back());
    }
  }

  void read_points() {
    const Json* instances = find("instances");
    if (!instances) refuse(Code::PointsWithoutInstances, "has no instances");
    if (!instances->is_object()) refuse(Code::PointsNotAnObject, "has instances that are not an object");
    out_.start_points = read_point_list(*instances, "start_points");
    out_.end_points = read_point_list(*instances, "end_points");
    out_.include_inputs = read_flag("include_inputs_to_sub_graph");
    out_.include_outputs = read_flag("include_outputs_to_sub_graph");
  }

  Strings read_point_list(const Json& instances, const char* key) const {
    const auto list = instances.find(key);
    if (list == instances.end()) refuse(Code::BadConfigEntry, msg("has no ", key, " in instances"));
    if (!list->is_array() || list->empty())
      refuse(Code::BadConfigEntry, msg("has ", key, " that are not a list of names"));
    Strings names;
    std::set<std::string> seen;
    for (const Json& name : *list) {
      if (!name.is_string()) refuse(Code::BadConfigEntry, msg("has ", key, " that are not a list of names"));
      if (seen.insert(name.get<std::string>()).second) names.push_back(name.get<std::string>());
    }
    return names;
  }

  bool read_flag(const char* key) const {
    const Json* flag = find(key);
    if (flag && !flag->is_boolean()) refuse(Code::BadConfigEntry, msg("has ", key, " that is neither true nor false"));
    return !flag || flag->get<bool>();
  }

  void read_ports() {
    if (const Json* inputs = find("inputs")) {
      if (!inputs->is_array()) refuse(Code::BadConfigEntry, "has inputs that are not a list");
      out_.inputs.emplace();
      for (const Json& tensor : *inputs) {
        if (!tensor.is_array()) refuse(Code::BadConfigEntry, "has inputs that are not a list of lists");
        out_.inputs->emplace_back();
        for (const Json& port : tensor) out_.inputs->back().push_back(read_port(port, "inputs"));
      }
    }
    if (const Json* outputs = find("outputs")) {
      if (!outputs->is_array()) refuse(Code::BadConfigEntry, "has outputs that are not a list");
      out_.outputs.emplace();
      for (const Json& port : *outputs) out_.outputs->push_back(read_port(port, "outputs"));
    }
  }

  PortPattern read_port(const Json& port, std::string_view key) const {
    if (!port.is_object()) refuse(Code::BadConfigEntry, msg("has in ", key, " something else than {node, port}"));
    const auto node = port.find("node"), index = port.find("port");
    if (node == port.end() || !node->is_string())
      refuse(Code::BadConfigEntry, msg("has in ", key, " a node that is not a text"));
    if (index == port.end() || !is_int(*index) || index->get<int64_t>() < 0 || index->get<int64_t>() > INT32_MAX)
      refuse(Code::BadConfigEntry, msg("has in ", key, " a port that is not a number from 0 on"));
    check_pattern(node->get<std::string>());
    return {node->get<std::string>(), index->get<int>()};
  }

  const Json& entry_;
  Detail who_;
  ReplacementDescription out_;
};

}  // namespace

std::vector<ReplacementDescription> parse_transformations_config(std::string_view json_text) {
  const Json list = parse_config_text(json_text);
  if (!list.is_array()) throw Error(Code::ConfigNotAList, msg("it is of type ", list.type_name()));
  std::vector<ReplacementDescription> out;
  std::set<std::string> ids;
  for (size_t i = 0; i < list.size(); ++i) {
    out.push_back(EntryReader(list[i], i).read());
    if (!ids.insert(out.back().id).second)
      throw Error(Code::ConfigDuplicateId, msg("entry ", i + 1, " (id '", out.back().id, "')"));
  }
  return out;
}

}  // namespace mo
