// The command line of `mo`, with the rules of Python's argparse: --name value, --name=value, -n value, unique prefixes
// of names.

#include <algorithm>
#include <span>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/pipeline/options.h"

namespace mo {
namespace {

/// Options of Model Optimizer that this build does not have, which are not misspelled ones.
constexpr std::string_view kOriginalOptions[] = {"mean_values",
                                                 "scale_values",
                                                 "scale",
                                                 "reverse_input_channels",
                                                 "source_layout",
                                                 "target_layout",
                                                 "layout",
                                                 "transform",
                                                 "share_weights",
                                                 "example_input",
                                                 "use_new_frontend",
                                                 "use_legacy_frontend",
                                                 "input_model_is_text",
                                                 "input_checkpoint",
                                                 "input_meta_graph",
                                                 "saved_model_dir",
                                                 "saved_model_tags",
                                                 "tensorflow_object_detection_api_pipeline_config",
                                                 "tensorboard_logdir",
                                                 "tensorflow_custom_layer_libraries",
                                                 "input_proto",
                                                 "caffe_parser_path",
                                                 "k",
                                                 "disable_omitting_optional",
                                                 "enable_flattening_nested_params",
                                                 "input_symbol",
                                                 "nd_prefix_name",
                                                 "pretrained_model_name",
                                                 "save_params_from_nd",
                                                 "legacy_mxnet_model",
                                                 "enable_ssd_gluoncv",
                                                 "counts",
                                                 "remove_output_softmax",
                                                 "remove_memory"};

constexpr std::string_view kFrameworks[] = {"tf", "caffe", "mxnet", "kaldi", "onnx", "paddle", "pytorch", "tflite"};
constexpr std::string_view kLevels[] = {"CRITICAL", "ERROR", "WARN", "WARNING", "INFO", "DEBUG", "NOTSET"};

struct Refusal {
  std::string text;
};

std::string usage(std::string_view program) { return cat("usage: ", program, " [options] MODEL"); }

std::string help(std::string_view program) {
  std::string out =
      cat(usage(program), "\n\nConverts a trained model to OpenVINO IR: <name>.xml and <name>.bin.\n\noptions:\n");
  const auto line = [&](std::string head, std::string_view text) {
    head = "  " + head;
    out += head + (head.size() < 24 ? std::string(24 - head.size(), ' ') : "\n" + std::string(24, ' '));
    size_t column = 24;
    for (const std::string& word : split(text, ' ')) {
      if (column + word.size() > 110) {
        out += "\n" + std::string(24, ' ');
        column = 24;
      }
      out += word + " ";
      column += word.size() + 1;
    }
    out.back() = '\n';
  };
  line("-h, --help", "Show this text.");
  line("--version", "Show the version.");
  for (const OptionRow& row : all_options()) {
    std::string head = cat("--", row.name);
    if (!row.short_name.empty()) head = cat("-", row.short_name, ", ", head);
    if (!row.value.empty()) head += cat(" ", row.value);
    const bool shown = !row.default_text.empty() && row.kind != OptionKind::Switch;
    line(head, shown ? cat(row.help, " (default: ", row.default_text, ")") : std::string(row.help));
  }
  return out;
}

/// The row for "--name", by its full name or a prefix that is unique among our options and Model Optimizer's.
const OptionRow& long_option(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  if (const OptionRow* row = find_option(name)) return *row;
  std::vector<std::string_view> found;
  const auto consider = [&](std::string_view other) {
    if (!name.empty() && other.substr(0, name.size()) == name) found.push_back(other);
  };
  for (const OptionRow& row : all_options()) consider(row.name);
  for (const std::string_view other : kOriginalOptions) {
    if (other == name) throw Error(Code::OptionNotInBuild, "--" + name);
    consider(other);
  }
  if (found.empty()) throw Refusal{"unrecognized arguments: --" + printable(name)};
  if (found.size() > 1)
    throw Refusal{cat("ambiguous option: --", printable(name), " could match ",
                      join(found, [](std::string_view other) { return cat("--", other); }))};
  if (const OptionRow* row = find_option(found[0])) return *row;
  throw Error(Code::OptionNotInBuild, cat("--", found[0]));
}

const OptionRow& short_option(char letter) {
  const std::string_view name(&letter, 1);
  for (const OptionRow& row : all_options())
    if (row.short_name == name || (letter == 'w' && row.name == "input_model")) return row;
  if (std::string_view("skM").find(letter) != std::string_view::npos)
    throw Error(Code::OptionNotInBuild, cat("-", letter));
  throw Refusal{cat("unrecognized arguments: -", letter)};
}

std::string shown(const OptionRow& row) {
  return row.short_name.empty() ? cat("--", row.name) : cat("--", row.name, "/-", row.short_name);
}

class Parser {
 public:
  Parser(std::string_view program, const std::vector<std::string>& arguments)
      : program_(program), arguments_(arguments) {}

  CommandLine parse() {
    while (at_ < arguments_.size()) {
      const std::string& argument = arguments_[at_++];
      if (argument == "-h" || argument == "--help")
        return {.action = CommandLine::Action::Help, .text = help(program_)};
      if (argument == "--version")
        return {.action = CommandLine::Action::Version,
                .text = cat("Version of Model Optimizer is: ", version(), "\n")};
      if (argument.size() > 2 && argument.compare(0, 2, "--") == 0) {
        const size_t equals = argument.find('=');
        const OptionRow& row = long_option(argument.substr(2, equals == std::string::npos ? equals : equals - 2));
        take(row, equals == std::string::npos ? std::nullopt : std::optional(argument.substr(equals + 1)));
      } else if (argument.size() > 1 && argument[0] == '-') {
        const OptionRow& row = short_option(argument[1]);
        std::optional<std::string> attached;
        if (argument.size() > 2) attached = argument.substr(argument[2] == '=' ? 3 : 2);
        take(row, std::move(attached));
      } else if (line_.model.empty()) {
        line_.model = argument;
      } else {
        throw Refusal{"unrecognized arguments: " + printable(argument)};
      }
    }
    finish();
    return std::move(line_);
  }

 private:
  bool value_follows() const {
    return at_ < arguments_.size() &&
           (arguments_[at_].empty() || arguments_[at_][0] != '-' || arguments_[at_].size() == 1);
  }

  void take(const OptionRow& row, std::optional<std::string> value) {
    if (row.kind == OptionKind::Switch) {
      if (value) throw Refusal{cat("argument ", shown(row), ": ignored explicit argument '", printable(*value), "'")};
      value = "True";
    } else if (row.kind == OptionKind::Flag) {
      // A flag needs no value; the next word is its value only if it can be one.
      if (!value && at_ < arguments_.size() && parse_flag(arguments_[at_])) value = arguments_[at_++];
      if (!value && value_follows() && !line_.model.empty()) value = arguments_[at_++];
      if (!value) value = "True";
      if (!parse_flag(*value)) throw Refusal{cat("argument ", shown(row), ": expected a True/False value")};
    } else if (!value) {
      if (!value_follows()) throw Refusal{cat("argument ", shown(row), ": expected one argument")};
      value = arguments_[at_++];
    }
    if (row.kind == OptionKind::Level) require_one_of(kLevels, row, *value);
    store(row, std::move(*value));
  }

  static void require_one_of(std::span<const std::string_view> choices, const OptionRow& row, std::string_view value) {
    if (std::find(choices.begin(), choices.end(), value) == choices.end())
      throw Refusal{cat("argument ", shown(row), ": invalid choice: '", printable(value), "' (choose from ",
                        join(choices, [](std::string_view v) { return cat("'", v, "'"); }), ")")};
  }

  void store(const OptionRow& row, std::string value) {
    if (row.name == "input_model") {
      line_.model = std::move(value);
    } else if (row.name == "output_dir") {
      line_.output_dir = std::move(value);
    } else if (row.name == "log_level") {
      line_.log_level = std::move(value);
    } else if (row.name == "progress") {
      line_.progress = *parse_flag(value);
    } else if (row.name == "stream_output") {
      line_.stream_output = *parse_flag(value);
    } else if (row.name == "silent") {
      silent_ = *parse_flag(value);
    } else if (row.name == "framework") {
      require_one_of(kFrameworks, row, value);
    } else if (row.name == "data_type") {
      constexpr std::string_view kTypes[] = {"FP16", "half", "FP32", "float"};
      require_one_of(kTypes, row, value);
      set_option("compress_to_fp16", value == "FP16" || value == "half" ? "True" : "False");
    } else if (row.name == "list_transforms") {
      line_.action = CommandLine::Action::ListTransforms;
    } else if (row.name == "extensions") {
      for (const std::string& folder : split(value, ','))
        if (!trim(folder).empty()) line_.extensions.emplace_back(trim(folder));
    } else {
      set_option(row.name, std::move(value));
    }
  }

  void set_option(std::string_view name, std::string value) {
    for (OptionText& option : line_.options)
      if (option.name == name) return void(option.value = std::move(value));
    line_.options.push_back({std::string(name), std::move(value)});
  }

  void finish() {
    if (line_.model.empty() && line_.action == CommandLine::Action::Convert) throw Error(Code::NoModel);
    if (line_.output_dir.empty()) line_.output_dir = ".";
    if (line_.log_level.empty() || silent_) line_.log_level = "ERROR";
    for (const OptionRow& row : all_options()) {
      const bool there = std::any_of(line_.options.begin(), line_.options.end(),
                                     [&](const OptionText& o) { return o.name == row.name; });
      if (there && row.kind == OptionKind::Path) line_.paths.emplace_back(row.name);
      if (row.scope != OptionScope::Host && !there && (!row.default_text.empty() || row.name == "model_name"))
        line_.options.push_back({std::string(row.name), std::string(row.default_text)});
    }
    for (OptionText& option : line_.options)
      if (option.name == "model_name" && option.value.empty()) option.value = stem(line_.model);
  }

  static std::string stem(const std::string& path) {
    const std::string file = path.substr(path.find_last_of("/\\") + 1);
    const size_t dot = file.rfind('.');
    return dot == std::string::npos || dot == 0 ? file : file.substr(0, dot);
  }

  std::string_view program_;
  const std::vector<std::string>& arguments_;
  size_t at_ = 0;
  CommandLine line_;
  bool silent_ = false;  ///< asked for: without --silent the level holds
};

}  // namespace

CommandLine parse_command_line(std::string_view program, const std::vector<std::string>& arguments) {
  try {
    return Parser(program, arguments).parse();
  } catch (const Refusal& refusal) {
    return {.action = CommandLine::Action::Refused,
            .text = cat(usage(program), "\n", program, ": error: ", refusal.text, "\n")};
  } catch (const Error& error) {
    return {.action = CommandLine::Action::Failed, .text = format(error.message()) + "\n"};
  }
}

}  // namespace mo
