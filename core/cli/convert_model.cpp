#include "core/cli/convert_model.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/cli/check_script.h"
#include "core/cli/conversion_record.h"
#include "core/cli/disk_files.h"
#include "core/cli/given_models.h"
#include "core/cli/inspect_model.h"
#include "core/cli/ir_pair_writer.h"
#include "core/cli/json_messages.h"
#include "core/cli/model_source.h"
#include "core/cli/scripts.h"
#include "core/cli/system/program.h"
#include "core/pipeline/option_table.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;

std::string value_of(const std::vector<OptionText>& options, std::string_view name) {
  for (const OptionText& option : options)
    if (option.name == name) return option.value;
  return {};
}

class Run {
 public:
  Run(const CommandLine& line, const ModelArgument& model, const std::vector<ExtensionFolder>& extensions,
      const Log& log)
      : line_(line), model_(model), extensions_(extensions), log_(log), fsync_(line.fsync ? Fsync::Yes : Fsync::No) {}

  int run() {
    int code = 1;
    try {
      code = convert();
    } catch (const Error& error) {
      return fail(error);
    } catch (const std::bad_alloc&) {
      return fail(Error(Code::OutOfMemory));
    } catch (const std::exception& error) {
      return fail(Error(Code::HostWriteFailed, msg(error.what())));
    }
    if (line_.json) print_json(code != 1);
    return code;
  }

  int fail(const Error& error) {
    pair_ = {};
    add(error.message());
    if (line_.json) print_json(false);
    return error.code() == Code::NoSuchModel ? 2 : 1;
  }

 private:
  void add(const Message& message) {
    log_.show(message);
    messages_.push_back(message);
  }

  int convert() {
    const auto begin = std::chrono::steady_clock::now();
    const ModelSource source(model_.path);
    if (!model_.is_named && !source.name_in_archive().empty()) model_.name = source.name_in_archive();
    // No runtime opens an archive: there the script needs a path of the model as argument.
    script_model_ = source.is_in_archive() ? "-" : model_.path;
    std::optional<ConversionRecord> record;
    if (line_.skip_unchanged) record.emplace(line_, model_, source, extensions_);
    if (record && record->holds()) return skip(*record);
    DiskFiles files = source.files();
    std::vector<OptionText> options = conversion_options(line_);
    options.push_back({"model_name", model_.name});
    Scripts scripts(extensions_, log_);
    for (const Message& message : scripts.warnings()) add(message);
    IrPairWriter pair(ir_folder(line_, model_), model_.name, fsync_);
    std::unique_ptr<Conversion> made;
    scripts.run([&] {
      made = mo::convert(files, source.file(), options, log_.progress(), scripts.extensions(),
                         [&](std::string_view piece) { pair.write_xml(piece); });
    });
    Conversion& conversion = *made;
    // The last one is not destroyed: the process ends right after, and freeing a large graph node by node takes a tenth
    // of the time. With extensions it has to be gone before their engine.
    static std::unique_ptr<Conversion>& last = *new std::unique_ptr<Conversion>;
    if (!scripts.extensions()) last = std::move(made);
    for (const Message& message : conversion.messages()) add(message);
    if (!conversion.ok()) return 1;
    log_.settle();
    if (!conversion.analysis().empty()) {
      files.refuse_changed();
      say(conversion.analysis() + "\n");
    } else if (!conversion.updated_config().empty()) {
      config_ = value_of(line_.options, "tensorflow_custom_operations_config_update");
      files.refuse_changed();
      files.close();
      write_text_file(config_, conversion.updated_config(), fsync_);
      success("The configuration has the model's inputs and outputs now: " + config_);
    } else {
      refuse_own_companions(conversion, files);
      pair_ = pair.finish(conversion, files);
      write_companions(conversion, files);
      if (record) record->write(files);
      if (line_.verbose) print_cost(begin);
      say_pair(options);
      report_ = conversion.report();
    }
    return 0;
  }

  int skip(const ConversionRecord& record) {
    pair_ = record.pair();
    skipped_ = true;
    success(cat(model_.name, " is unchanged: ", pair_.xml));
    return kUnchanged;
  }

  std::string beside_pair(const SideFile& file) const {
    return os::join(os::absolute(ir_folder(line_, model_)), file.name);
  }

  /// None of them may take the place of a file of the model.
  void refuse_own_companions(const Conversion& conversion, const DiskFiles& files) const {
    for (const SideFile& file : conversion.side_files())
      if (file.folder_option.empty()) files.refuse_own(beside_pair(file));
  }

  /// Writes the files beside the pair that options ask for.
  void write_companions(Conversion& conversion, DiskFiles& files) {
    for (const SideFile& file : conversion.side_files()) {
      if (!file.folder_option.empty()) {
        events_ = write_side_file(conversion, file, files, value_of(line_.options, file.folder_option), fsync_);
        continue;
      }
      const std::string path = beside_pair(file);
      if (!file.segments.empty())
        write_side_file(conversion, file, files, os::folder_of(path), fsync_);
      else if (file.kind == SideFile::Kind::Check)
        write_text_file(path, check_script(file.text, script_model_), fsync_);
      else
        write_text_file(path, file.text, fsync_);
    }
  }

  void say_pair(const std::vector<OptionText>& options) const {
    if (line_.json || is_silent(line_)) return;
    const std::string format = value_of(options, "weight_format");
    if (format == "fp16" || (format.empty() && value_of(options, "compress_to_fp16") == "True"))
      log_.say_once(
          "[ INFO ] Generated IR will be compressed to FP16. If you get lower accuracy, please consider disabling "
          "compression explicitly by adding argument --compress_to_fp16=False.\n");
    success("Generated IR version 11 model.");
    success("XML file: " + pair_.xml);
    success("BIN file: " + pair_.bin);
    if (!events_.empty()) success("TensorBoard file: " + events_);
  }

  void print_cost(std::chrono::steady_clock::time_point begin) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    char text[80];
    std::snprintf(text, sizeof text, "Total execution time: %.2f seconds. ", seconds.count());
    success(text);
    success(cat("Memory consumed: ", os::peak_memory(), " MB. "));
  }

  void success(std::string_view text) const {
    if (!line_.json && !is_silent(line_)) say(cat("[ SUCCESS ] ", printable(text), "\n"));
  }

  void print_json(bool ok) const {
    Json out = {{"model", model_.path}, {"ok", ok}};
    if (skipped_) out["skipped"] = true;
    if (!pair_.xml.empty()) out.update({{"xml", pair_.xml}, {"bin", pair_.bin}});
    if (!config_.empty()) out["config"] = config_;
    if (!report_.empty()) out["report"] = Json::parse(report_);
    out["messages"] = json_list(messages_);
    say(json_of(out) + "\n");
  }

  const CommandLine& line_;
  ModelArgument model_;
  const std::vector<ExtensionFolder>& extensions_;
  const Log& log_;
  const Fsync fsync_;
  std::vector<Message> messages_;
  IrPair pair_;
  std::string config_, report_, events_, script_model_;
  bool skipped_ = false;
};

}  // namespace

bool takes_configuration(const OptionText& option) {
  const OptionRow* row = find_option(option.name);
  return row && row->facts.configuration && row->scope != OptionScope::Host;
}

bool names_file(const CommandLine& line, const OptionText& option) {
  if (option.value.empty() || std::find(line.paths.begin(), line.paths.end(), option.name) == line.paths.end())
    return false;
  return !takes_configuration(option) || os::exists(option.value) || !is_built_in_config(option.value);
}

std::string absolute_value(const OptionText& option) {
  return join(
      option_paths(option.name, option.value), [](const std::string& path) { return os::absolute(path); }, ",");
}

std::vector<std::string> files_of(const OptionText& option) {
  DiskFiles files("");
  const std::string value = absolute_value(option);
  std::vector<std::string> found = option_files(files, option.name, value);
  if (found == std::vector{value}) found = {option.value};  // as the user gave it
  for (std::string& file : found)
    if (std::string on_disk = file_on_disk(file); !on_disk.empty()) file = std::move(on_disk);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<OptionText> conversion_options(const CommandLine& line) {
  std::vector<OptionText> options = line.options;
  for (OptionText& option : options)
    if (names_file(line, option)) option.value = absolute_value(option);
  return options;
}

void check_output_dir(const std::string& folder) {
  std::string there = os::absolute(folder);
  while (!os::exists(there) && os::folder_of(there) != there) there = os::folder_of(there);
  if (!os::is_folder(there)) throw Error(Code::OutputDirRefused, msg("The \"", there, "\" is not a directory"));
  if (!os::can_write_into(there))
    throw Error(Code::OutputDirRefused, msg("The directory \"", there, "\" is not writable"));
}

int fail_model(const CommandLine& line, const ModelArgument& model, const Log& log, const Error& error) {
  return Run(line, model, {}, log).fail(error);
}

int convert_model(const CommandLine& line, const ModelArgument& model, const std::vector<ExtensionFolder>& extensions,
                  const Log& log) {
  if (line.info) return inspect_model(line, model, extensions, log);
  return Run(line, model, extensions, log).run();
}

}  // namespace mo
