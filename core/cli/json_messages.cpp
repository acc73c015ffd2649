#include "core/cli/json_messages.h"

#include "core/base/json_text.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;

Json arguments_of(const Detail& detail);

Json to_json(const Detail& detail) {
  return {{"template", detail.template_text()}, {"arguments", arguments_of(detail)}};
}

Json arguments_of(const Detail& detail) {
  Json out = Json::array();
  for (const Detail::Argument& argument : detail.arguments())
    out.push_back(argument.detail ? to_json(*argument.detail) : Json(argument.text));
  return out;
}

Json to_json(const Message& m) {
  return {{"severity", m.severity == Message::Severity::Error ? "error" : "warning"},
          {"code", m.code},
          {"text", m.text},
          {"hint", m.hint},
          {"node", m.node},
          {"op", m.op},
          {"tensor", m.tensor},
          {"file", m.file},
          {"offset", m.offset},
          {"line", m.line},
          {"column", m.column},
          {"template", m.detail.template_text()},
          {"arguments", arguments_of(m.detail)},
          {"advice", to_json(m.advice)},
          {"option", m.options.empty() ? "" : m.options[0]},
          {"options", m.options}};
}

}  // namespace

Json json_list(const std::vector<Message>& messages) {
  Json out = Json::array();
  for (const Message& message : messages) out.push_back(to_json(message));
  return out;
}

std::string json_of_refusal(const std::vector<Message>& messages) {
  return json_of(Json{{"ok", false}, {"messages", json_list(messages)}}) + "\n";
}

}  // namespace mo
