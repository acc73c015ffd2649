#include "core/cli/conversion_record.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/cli/convert_model.h"
#include "core/cli/given_models.h"
#include "core/cli/sha256.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;
constexpr uint64_t kLargestRecord = 16 << 20;

/// As written into a record: no part is empty or ".".
std::string plain_name(const std::string& name) {
  std::vector<std::string> parts;
  for (const std::string& part : split(name, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..")
      parts.pop_back();
    else
      parts.push_back(part);
  }
  return join(
      parts, [](const std::string& part) { return part; }, "/");
}

/// Throws HostReadFailed.
uint64_t size_of(const std::string& path) {
  const std::optional<os::FileState> state = os::state_of(path);
  if (!state) throw Error(Code::HostReadFailed, msg(std::strerror(errno)), {.file = path});
  return state->size;
}

}  // namespace

ConversionRecord::ConversionRecord(const CommandLine& line, const ModelArgument& model, const ModelSource& source,
                                   const std::vector<ExtensionFolder>& extensions)
    : line_(line), model_(model), source_(source), pair_(ir_pair(ir_folder(line, model), model.name)) {
  path_ = beside_ir(model_.name + ".mo.json");
  prefix_ = model.path.substr(0, model.path.size() - os::name_of(model.path).size());
  if (!os::is_folder(model_file())) inputs_.push_back(model.path);
  for (const OptionText& option : line.options)
    if (names_file(line, option))
      for (std::string& file : files_of(option)) inputs_.push_back(std::move(file));
  for (size_t i = 0; i < extensions.size(); ++i)
    for (const auto& [path, text] : extensions[i].files) inputs_.push_back(cat(line.extensions[i], "/", path));
}

std::string ConversionRecord::beside_ir(const std::string& name) const {
  return os::join(os::folder_of(pair_.xml), name);
}

std::string ConversionRecord::model_file() const { return source_.path(); }

bool ConversionRecord::holds() const {
  try {
    const std::optional<std::string> text = text_of_file(path_, kLargestRecord);
    if (!text) return false;
    const Json record = Json::parse(*text);
    // The record says which files beside the model's were read. It may say anything: each name has to be a plain one.
    const Json& inputs = record.at("inputs");
    std::vector<std::string> data_files, hashes;
    for (size_t i = 0; i < inputs.size(); ++i) {
      hashes.push_back(inputs.at(i).at("sha256").get<std::string>());
      const auto path = inputs.at(i).at("path").get<std::string>();
      if (i < inputs_.size()) continue;
      if (!path.starts_with(prefix_)) return false;
      const std::string name = path.substr(prefix_.size());
      if (name.starts_with("../") || name.find('\\') != std::string::npos || plain_name(name) != name) return false;
      if (!data_files.empty() && name <= data_files.back()) return false;
      data_files.push_back(name);
    }
    for (const Json& output : record.at("outputs")) hashes.push_back(output.at("sha256").get<std::string>());
    // First what takes no time: version, options and sizes.
    size_t at = 0;
    const auto recorded = [&](const std::string&) { return at < hashes.size() ? hashes[at++] : std::string(); };
    return describe(data_files, recorded) == *text && describe(data_files, sha256_of_file) == *text;
  } catch (const std::exception&) {
    return false;
  }
}

void ConversionRecord::write(const DiskFiles& files) const {
  std::vector<std::string> data_files;
  for (const std::string& name : files.names()) {
    if (os::is_absolute(name) || name == source_.file()) continue;
    data_files.push_back(plain_name(name));
  }
  std::sort(data_files.begin(), data_files.end());
  data_files.erase(std::unique(data_files.begin(), data_files.end()), data_files.end());
  files.refuse_own(path_);
  const std::string text = describe(data_files, sha256_of_file);
  if (files.are_as_opened()) write_text_file(path_, text, line_.fsync ? Fsync::Yes : Fsync::No);
}

/// The text of the record. Throws what `hash` throws, and HostReadFailed.
std::string ConversionRecord::describe(const std::vector<std::string>& data_files, const Hash& hash) const {
  std::map<std::string, std::string> options = {{"model_name", model_.name}};
  for (const OptionText& option : line_.options) options[option.name] = option.value;
  const auto entry = [&](const std::string& shown, const std::string& path) {
    Json out = {{"path", shown}, {"size", size_of(path)}};
    out["sha256"] = hash(path);
    return out;
  };
  Json out = {{"version", version()}, {"options", options}, {"inputs", Json::array()}, {"outputs", Json::array()}};
  for (const std::string& input : inputs_)
    out["inputs"].push_back(entry(input, input == model_.path ? model_file() : input));
  for (const std::string& name : data_files)
    out["inputs"].push_back(entry(prefix_ + name, os::join(source_.folder(), name)));
  std::vector<std::string> names = {model_.name + ".xml", model_.name + ".bin"};
  for (SideFile& file : side_files_of(line_.options, model_.name))
    if (file.folder_option.empty()) names.push_back(std::move(file.name));
  // A format may not have what an option asks for.
  for (const std::string& name : names)
    if (os::exists(beside_ir(name))) out["outputs"].push_back(entry(name, beside_ir(name)));
  return json_of(out, 2) + "\n";
}

}  // namespace mo
