#include "core/cli/inspect_model.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/cli/card.h"
#include "core/cli/convert_model.h"
#include "core/cli/json_messages.h"
#include "core/cli/model_source.h"
#include "core/cli/scripts.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;

struct Found {
  Json facts = Json::object();  ///< empty if the model cannot be loaded
  std::vector<Message> messages;
  int code = 1;

  void fail(const Error& error) {
    facts.clear();
    messages.push_back(error.message());
    if (error.code() == Code::NoSuchModel) code = 2;
  }
};

void look(const CommandLine& line, const ModelArgument& model, const std::vector<ExtensionFolder>& extensions,
          const Log& log, Found& found) {
  const ModelSource source(model.path);
  DiskFiles files = source.files();
  std::vector<OptionText> options = conversion_options(line);
  const bool is_found = !model.is_named && !source.name_in_archive().empty();
  options.push_back({"model_name", is_found ? source.name_in_archive() : model.name});
  Scripts scripts(extensions, log);
  Inspection inspection;
  scripts.run([&] { inspection = inspect(files, source.file(), options, log.progress(), scripts.extensions()); });
  found.messages = scripts.warnings();
  found.messages.insert(found.messages.end(), inspection.messages.begin(), inspection.messages.end());
  found.facts = Json::parse(inspection.facts);
  if (!found.facts.empty()) found.code = 0;
}

Found look(const CommandLine& line, const ModelArgument& model, const std::vector<ExtensionFolder>& extensions,
           const Log& log) {
  Found found;
  try {
    look(line, model, extensions, log, found);
  } catch (const Error& error) {
    found.fail(error);
  } catch (const std::bad_alloc&) {
    found.fail(Error(Code::OutOfMemory));
  } catch (const std::exception& error) {
    found.fail(Error(Code::Unexpected, msg(error.what())));
  }
  return found;
}

}  // namespace

int inspect_model(const CommandLine& line, const ModelArgument& model, const std::vector<ExtensionFolder>& extensions,
                  const Log& log) {
  const Found found = look(line, model, extensions, log);
  const bool is_loaded = found.code == 0, is_one = log.is_about_one_model();
  if (line.json) {
    Json out = {{"model", model.path}, {"ok", is_loaded}};
    out.update(found.facts);
    out["messages"] = json_list(found.messages);
    say(json_of(out) + "\n");
  } else if (!is_one) {
    say(card_line(model.path, found.facts, found.messages));
  } else if (is_loaded) {
    const auto fp16 = [](const OptionText& o) { return o.name == "compress_to_fp16" && o.value == "True"; };
    say(card(model.path, found.facts, found.messages, std::any_of(line.options.begin(), line.options.end(), fp16)));
  }
  if (is_one)
    for (const Message& message : found.messages)
      if (line.json || !is_loaded || !is_in_card(message)) log.show(message);
  log.settle();
  return found.code;
}

}  // namespace mo
