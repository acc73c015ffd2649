#include "core/front/tf/load/functions.h"

namespace mo::tf {
namespace {

std::vector<std::string> names_of(const proto::Message& signature, const char* arguments) {
  std::vector<std::string> out;
  for (const proto::Message& argument : signature.messages(arguments)) out.push_back(argument.get_string("name"));
  return out;
}

}  // namespace

FunctionLibrary::FunctionLibrary(const proto::Message& graph_def) {
  if (!graph_def.has("library")) return;
  library_ = graph_def.get_message("library");
  for (const proto::Entry& entry : library_->occurrences("function"))
    places_[library_->message(entry).get_message("signature").get_string("name")] = entry;
}

const Function* FunctionLibrary::find(std::string_view name) {
  if (const auto found = read_.find(name); found != read_.end()) return &found->second;
  const auto place = places_.find(name);
  if (place == places_.end()) return nullptr;
  proto::Message body = library_->message(place->second);
  const proto::Message signature = body.get_message("signature");
  Function function{place->first, names_of(signature, "input_arg"), names_of(signature, "output_arg"), {}, body};
  for (const proto::Message& entry : body.messages("ret"))
    function.ret[entry.get_string("key")] = entry.get_string("value");
  return &read_.emplace(function.name, std::move(function)).first->second;
}

}  // namespace mo::tf
