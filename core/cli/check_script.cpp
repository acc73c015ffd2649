#include "core/cli/check_script.h"

#include <nlohmann/json.hpp>

namespace mo {
namespace {

constexpr std::string_view kScript =
#include "check_script.inc"
    ;

/// Puts `text` where `word` is.
void fill(std::string& script, std::string_view word, std::string_view text) {
  script.replace(script.find(word), word.size(), text);
}

/// JSON of ASCII without apostrophes.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace))
    if (c == '\'')
      out += "\\u0027";
    else
      out += c;
  return out;
}

}  // namespace

std::string check_script(std::string_view facts, const std::string& model) {
  std::string script(kScript);
  fill(script, "MODEL_JSON", quoted(model == "-" ? "" : model));
  fill(script, "FACTS_JSON", facts);
  return script;
}

}  // namespace mo
