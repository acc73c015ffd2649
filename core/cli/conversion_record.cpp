#include "core/cli/conversion_record.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/cli/convert_model.h"
#include "core/cli/sha256.h"

namespace mo {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr uintmax_t kLargestRecord = 16 << 20;

/// As written into a record: no part is empty or ".".
std::string plain_name(const std::string& name) { return fs::path(name).lexically_normal().generic_string(); }

std::string text_of_record(const fs::path& path) {
  if (!fs::is_regular_file(path) || fs::file_size(path) > kLargestRecord) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

ConversionRecord::ConversionRecord(const CommandLine& line, const ModelArgument& model, const ModelSource& source,
                                   const std::vector<ExtensionFolder>& extensions)
    : line_(line), model_(model), source_(source), pair_(ir_pair(line.output_dir, model.name)) {
  path_ = fs::path(pair_.xml).replace_filename(model.name + ".mo.json");
  prefix_ = model.path.substr(0, model.path.find_last_of('/') + 1);
  if (!fs::is_directory(source.folder() / source.file())) inputs_.push_back(model.path);
  for (const OptionText& option : line.options)
    if (names_file(line, option)) inputs_.push_back(option.value);
  for (size_t i = 0; i < extensions.size(); ++i)
    for (const auto& [path, text] : extensions[i].files) inputs_.push_back(cat(line.extensions[i], "/", path));
}

bool ConversionRecord::holds() const {
  try {
    const std::string text = text_of_record(path_);
    if (text.empty()) return false;
    const Json record = Json::parse(text);
    // The record says which files beside the model's were read. It may say anything: each name has to be a plain one.
    const Json& inputs = record.at("inputs");
    std::vector<std::string> data_files, hashes;
    for (size_t i = 0; i < inputs.size(); ++i) {
      hashes.push_back(inputs.at(i).at("sha256").get<std::string>());
      const auto path = inputs.at(i).at("path").get<std::string>();
      if (i < inputs_.size()) continue;
      if (!path.starts_with(prefix_)) return false;
      const std::string name = path.substr(prefix_.size());
      if (name.starts_with('/') || name.starts_with("../") || plain_name(name) != name) return false;
      if (!data_files.empty() && name <= data_files.back()) return false;
      data_files.push_back(name);
    }
    for (const Json& output : record.at("outputs")) hashes.push_back(output.at("sha256").get<std::string>());
    // First what takes no time: version, options and sizes.
    size_t at = 0;
    const auto recorded = [&](const fs::path&) { return at < hashes.size() ? hashes[at++] : std::string(); };
    return describe(data_files, recorded) == text && describe(data_files, sha256_of_file) == text;
  } catch (const std::exception&) {
    return false;
  }
}

void ConversionRecord::write(const DiskFiles& files) const {
  std::vector<std::string> data_files;
  for (const std::string& name : files.names()) {
    if (fs::path(name).is_absolute() || name == source_.file()) continue;
    data_files.push_back(plain_name(name));
  }
  std::sort(data_files.begin(), data_files.end());
  data_files.erase(std::unique(data_files.begin(), data_files.end()), data_files.end());
  std::error_code ignored;
  for (const std::string& name : files.names())
    if (fs::equivalent(files.path(name), path_, ignored))
      throw Error(Code::HostWriteFailed, "it is a file of the model", {.file = path_.string()},
                  "choose another --model_name or --output_dir");
  const std::string text = describe(data_files, sha256_of_file);
  if (files.are_as_opened()) write_text_file(path_, text);
}

/// The text of the record. Throws what `hash` throws, and filesystem_error.
std::string ConversionRecord::describe(const std::vector<std::string>& data_files, const Hash& hash) const {
  std::map<std::string, std::string> options = {{"model_name", model_.name}};
  for (const OptionText& option : line_.options) options[option.name] = option.value;
  for (const char* variable : {"MO_ENABLED_TRANSFORMS", "MO_DISABLED_TRANSFORMS"})
    if (const char* names = std::getenv(variable)) options[variable] = names;
  const auto entry = [&](const std::string& shown, const fs::path& path) {
    Json out = {{"path", shown}, {"size", fs::file_size(path)}};
    out["sha256"] = hash(path);
    return out;
  };
  Json out = {{"version", version()}, {"options", options}, {"inputs", Json::array()}, {"outputs", Json::array()}};
  for (const std::string& input : inputs_)
    out["inputs"].push_back(entry(input, input == model_.path ? source_.folder() / source_.file() : fs::path(input)));
  for (const std::string& name : data_files) out["inputs"].push_back(entry(prefix_ + name, source_.folder() / name));
  const bool mapped = options.count("generate_mapping") && options["generate_mapping"] == "True";
  for (const char* ending : {".xml", ".bin", ".mapping"})
    if (std::string_view(ending) != ".mapping" || mapped)
      out["outputs"].push_back(entry(model_.name + ending, fs::path(path_).replace_filename(model_.name + ending)));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mo
