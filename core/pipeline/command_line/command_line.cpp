// The command line of `mo`, with the rules of Python's argparse: --name value, --name=value, -n value, -nvalue, unique
// prefixes of names; negative numbers and words with blanks are values; all words after "--" are models.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/config/built_in.h"
#include "core/pipeline/command_line/options_in_force.h"
#include "core/pipeline/command_line/program.h"
#include "core/pipeline/options.h"

namespace mo {
namespace {

/// A mistake that argparse itself finds: its detail is printed below the usage line.
struct Refusal {
  Error error;
};

bool has_short_name(const OptionRow& row, std::string_view name) {
  const std::vector<std::string> names = split(row.short_names, ' ');
  return !name.empty() && std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether the option is not one of Model Optimizer 2023.3.
bool is_extra(const OptionRow& row) { return row.group == OptionGroup::Own || row.group == OptionGroup::Former; }

/// "--name/-n".
std::string shown(const OptionRow& row) {
  std::string out = cat("--", row.name);
  for (const std::string& name : split(row.short_names, ' '))
    if (!name.empty()) out += cat("/-", name);
  return out;
}

bool is_negative_number(std::string_view word) {
  const std::string_view digits = word.substr(1);
  return parse_double(digits) && digits.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// What does here what an option of ovc does, whose name is near to no such option; without the first hyphens. Empty
/// for other names.
std::string_view in_place_of_ovc(std::string_view name) {
  if (name == "output_model" || name == "output-model") return "output_dir and --model_name";
  return name == "verbose" ? "silent False" : "";
}

/// An option that a word names, and the value in the same word.
struct Named {
  const OptionRow* row = nullptr;
  std::optional<std::string> value;
};

class Parser {
 public:
  Parser(const Program& program, const std::vector<std::string>& arguments, const Environment& environment)
      : program_(program), arguments_(arguments), environment_(environment) {}

  CommandLine parse() {
    refuse_line_ends();
    bool only_models = false;
    while (at_ < arguments_.size()) {
      const std::string& argument = arguments_[at_++];
      if (only_models || !is_option(argument)) {
        add_model(argument);
        by_file_ = true;
      } else if (argument == "--") {
        only_models = true;
      } else if (argument == "-h" || begins("--help", argument)) {
        return ends(CommandLine::Action::Help, program_.name());
      } else if (argument == "-V" || begins("--version", argument)) {
        return ends(CommandLine::Action::Version, cat("mo ", version(), "\n"));
      } else {
        take(named(argument));
      }
      if (line_.action == CommandLine::Action::Completion || line_.action == CommandLine::Action::ListConfigurations)
        return std::move(line_);
    }
    finish();
    return std::move(line_);
  }

 private:
  /// Whether the word is the option or its beginning. No option of Model Optimizer begins like one of these two.
  static bool begins(std::string_view option, std::string_view word) {
    return word.size() > 2 && option.starts_with(word);
  }

  static CommandLine ends(CommandLine::Action action, std::string text) {
    return {.action = action, .text = std::move(text)};
  }

  /// In a script with the line ends of Windows, the last word of a line ends in a carriage return. Users cannot see it
  /// in a message that only shows the word.
  void refuse_line_ends() const {
    for (const std::string& word : arguments_) {
      if (!word.ends_with('\r')) continue;
      const std::string seen = word.substr(0, word.find_last_not_of('\r') + 1);
      throw Refusal{Error(Code::BadArgument,
                          msg("a carriage return follows \"", printable(seen),
                              "\": the script has the line ends of Windows; sed -i 's/\\r$//' SCRIPT changes them"))};
    }
  }

  void add_model(const std::string& path) {
    if (path.empty()) throw Refusal{Error(Code::BadArgument, "the name of a model is empty")};
    // U+2010 to U+2015, which documents make of hyphens: "–-scale", "—scale".
    if (path.starts_with("\xE2\x80") && path.size() > 2 && path[2] >= '\x90' && path[2] <= '\x95')
      throw Refusal{Error(Code::BadArgument,
                          msg("\"", printable(path), "\" begins with a dash: options begin with two hyphens, --"))};
    line_.models.push_back({path, {}});
  }

  const OptionRow* exact(std::string_view word) const {
    const OptionRow* found = nullptr;
    if (word.size() > 2 && word.starts_with("--"))
      found = find_option(word.substr(2));
    else if (word.starts_with("-"))
      for (const OptionRow& row : all_options())
        if (has_short_name(row, word.substr(1))) found = &row;
    return found && program_.has(*found) ? found : nullptr;
  }

  /// Whether argparse takes the word for an option.
  bool is_option(const std::string& word) const {
    if (word.size() < 2 || word[0] != '-') return false;
    if (exact(word) || exact(word.substr(0, word.find('=')))) return true;
    if (is_negative_number(word)) return false;
    return word.find(' ') == std::string::npos || !prefixed(word.substr(0, word.find('='))).empty();
  }

  /// The options that "--name" is the beginning of. Options that Model Optimizer does not have count only if none of
  /// its own does.
  std::vector<const OptionRow*> prefixed(std::string_view word) const {
    std::vector<const OptionRow*> found;
    if (word.size() < 3 || !word.starts_with("--")) return found;
    std::string name(word.substr(2));
    std::replace(name.begin(), name.end(), '-', '_');
    for (const bool extra : {false, true})
      if (found.empty())
        for (const OptionRow& row : all_options())
          if (program_.has(row) && row.name.starts_with(name) && is_extra(row) == extra) found.push_back(&row);
    return found;
  }

  Named named(const std::string& word) const {
    if (const OptionRow* row = exact(word)) return {row, std::nullopt};
    const size_t equals = word.find('=');
    const std::string head = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    if (const OptionRow* row = exact(head)) return {row, std::move(value)};
    const std::vector<const OptionRow*> found = prefixed(head);
    if (found.size() > 1)
      throw Refusal{
          Error(Code::AmbiguousOption, msg("ambiguous option: ", printable(head), " could match ",
                                           join(found, [](const OptionRow* row) { return cat("--", row->name); })))};
    if (found.size() == 1) return {found[0], std::move(value)};
    // "-nvalue".
    if (word[1] != '-')
      if (const OptionRow* row = exact(word.substr(0, 2))) return {row, word.substr(2)};
    const bool is_long = head.starts_with("--");
    const bool is_known = is_long && find_option(head.substr(2));
    Detail unknown = msg("unrecognized arguments: ", printable(head));
    if (is_known)
      unknown = msg(unknown, ", which mo has and ", program_.name(), " has not");
    else if (const std::string_view here = is_long ? in_place_of_ovc(head.substr(2)) : ""; !here.empty())
      unknown = unknown.with(did_you_mean(here));
    else if (is_long)
      unknown = unknown.with(nearest_option(head.substr(2)));
    throw Refusal{Error(Code::UnknownOption, unknown)};
  }

  [[noreturn]] static void refuse(const OptionRow& row, Code code, const Detail& detail) {
    throw Refusal{Error(code, detail).about(row.name)};
  }

  bool value_follows() const { return at_ < arguments_.size() && !is_option(arguments_[at_]); }

  void take(Named option) {
    const OptionRow& row = *option.row;
    std::optional<std::string>& value = option.value;
    if (row.scope == OptionScope::Waiting) throw waiting_option(row);
    if (row.kind == OptionKind::Switch) {
      if (value)
        refuse(row, Code::BadOptionValue,
               msg("argument ", shown(row), ": ignored explicit argument '", printable(*value), "'"));
      value = "True";
    } else if (row.kind == OptionKind::Flag) {
      // A flag needs no value; the next word is its value if it can be one, or if the model has been named.
      if (!value && value_follows() && (parse_flag(arguments_[at_]) || !line_.models.empty()))
        value = arguments_[at_++];
      if (!value) value = "True";
      if (!parse_flag(*value))
        refuse(row, Code::BadOptionValue, msg("argument ", shown(row), ": expected a True/False value"));
    } else if (!value) {
      if (!value_follows())
        refuse(row, Code::OptionWithoutValue, msg("argument ", shown(row), ": expected one argument"));
      value = arguments_[at_++];
    }
    const std::vector<std::string_view> allowed = choices(row);
    if (row.kind != OptionKind::Flag && !allowed.empty() &&
        std::find(allowed.begin(), allowed.end(), *value) == allowed.end())
      refuse(row, Code::BadOptionValue,
             msg("argument ", shown(row), ": invalid choice: '", printable(*value), "' (choose from ",
                 join(allowed, [](std::string_view v) { return cat("'", v, "'"); }), ")"));
    store(row, std::move(*value));
  }

  void store(const OptionRow& row, std::string value) {
    refuse_unsafe(row, value);
    if (row.name == "input_model" || row.name == "saved_model_dir" || row.name == "input_meta_graph" ||
        row.name == "pretrained_model_name") {
      (row.name == "saved_model_dir" ? by_folder_ : by_file_) = true;
      if (named_model_) line_.models.erase(line_.models.begin() + static_cast<ptrdiff_t>(*named_model_));
      named_model_ = line_.models.size();
      add_model(value);
    } else if (row.name == "model_name") {
      if (value.empty() || value.find('/') != std::string::npos)
        throw Error(Code::BadOptionValue, msg("--model_name is \"", printable(value), "\", want a name of a file"))
            .about("model_name");
      model_name_ = std::move(value);
    } else if (row.name == "output_dir") {
      line_.output_dir = value.empty() ? "." : std::move(value);
    } else if (row.name == "log_level") {
      line_.log_level = std::move(value);
    } else if (row.name == "progress") {
      line_.progress = *parse_flag(value);
    } else if (row.name == "stream_output") {
      line_.stream_output = *parse_flag(value);
    } else if (row.name == "silent") {
      line_.silent = *parse_flag(value);
      line_.verbose = !line_.silent;
    } else if (row.name == "json") {
      line_.json = true;
    } else if (row.name == "info") {
      line_.info = true;
    } else if (row.name == "verify") {
      line_.verify = true;
    } else if (row.name == "compare") {
      line_.compare = true;
    } else if (row.name == "hash") {
      line_.hash = true;
    } else if (row.name == "jobs") {
      line_.jobs = jobs(value);
    } else if (row.name == "report") {
      line_.report = report(value);
    } else if (row.name == "skip_unchanged") {
      line_.skip_unchanged = true;
    } else if (row.name == "fsync") {
      line_.fsync = true;
    } else if (row.name == "list_transforms") {
      line_.action = CommandLine::Action::ListTransforms;
    } else if (row.name == "list_configurations") {
      line_ = ends(CommandLine::Action::ListConfigurations, list_configurations());
    } else if (row.name == "completion") {
      line_ = ends(CommandLine::Action::Completion, std::move(value));
    } else if (row.name == "extensions") {
      line_.extensions.clear();
      for (const std::string& folder : split(value, ','))
        if (!trim(folder).empty()) line_.extensions.emplace_back(trim(folder));
    } else {
      set_option(row.name, std::move(value));
    }
  }

  static std::string report(std::string& value) {
    if (!value.ends_with(".html") && !value.ends_with(".json"))
      throw Error(Code::BadOptionValue, msg("--report is \"", printable(value), "\", want FILE.html or FILE.json"))
          .about("report");
    return std::move(value);
  }

  static int jobs(const std::string& value) {
    const std::optional<int64_t> count = parse_int(value);
    if (!count || *count < 1 || *count > 256)
      throw Error(Code::BadOptionValue, msg("--jobs is \"", printable(value), "\", want a number from 1 to 256"))
          .about("jobs");
    return static_cast<int>(*count);
  }

  void set_option(std::string_view name, std::string value) {
    for (OptionText& option : line_.options)
      if (option.name == name) return void(option.value = std::move(value));
    line_.options.push_back({std::string(name), std::move(value)});
  }

  void finish() {
    if (line_.models.empty() && line_.action == CommandLine::Action::Convert) throw Error(Code::NoModel);
    if (by_folder_ && by_file_)
      throw Error(Code::OptionsExclude,
                  "Both --input_model and --saved_model_dir are defined. Specify either input model or saved model "
                  "directory")
          .about("saved_model_dir")
          .about("input_model");
    check_comparison();
    check_sizes();
    for (const OptionRow& row : all_options()) {
      const bool there = std::any_of(line_.options.begin(), line_.options.end(),
                                     [&](const OptionText& o) { return o.name == row.name; });
      if (there && is_path(row.kind)) line_.paths.emplace_back(row.name);
      if (there && row.facts.configuration) line_.configurations.emplace_back(row.name);
      if (row.scope == OptionScope::Convert && !there && !row.default_text.empty())
        line_.options.push_back({std::string(row.name), std::string(row.default_text)});
    }
    parse_options(line_.options);
    take_switches("enabled_transforms", "MO_ENABLED_TRANSFORMS");
    take_switches("disabled_transforms", "MO_DISABLED_TRANSFORMS");
    for (ModelArgument& model : line_.models)
      if (!model_name_.empty()) model.name = model_name_, model.is_named = true;
    if (!line_.verify && !line_.compare) name_models(line_);
    if (line_.verbose && line_.action == CommandLine::Action::Convert) line_.text = options_in_force(line_);
  }

  void check_comparison() const {
    if (line_.compare && line_.verify)
      throw Error(Code::OptionsExclude, "--verify and --compare are given: choose one")
          .about("compare")
          .about("verify");
    if (line_.hash && !line_.compare)
      throw Error(Code::BadOptionValue, "--hash is given without --compare").about("hash");
    if (line_.compare && line_.models.size() != 2)
      throw Error(Code::BadOptionValue, msg("--compare is given with ", line_.models.size(), " IRs, want two"))
          .about("compare");
  }

  void check_sizes() const {
    const auto is_given = [](const OptionText& option) { return option.name == "weight_sizes"; };
    if (!line_.info && std::any_of(line_.options.begin(), line_.options.end(), is_given))
      throw Error(Code::BadOptionValue, "--weight_sizes is given without --info").about("weight_sizes");
  }

  /// What the variable lists is added to what the option lists.
  void take_switches(const char* option, const char* variable) {
    const auto given = std::find_if(line_.options.begin(), line_.options.end(),
                                    [&](const OptionText& other) { return other.name == option; });
    if (given != line_.options.end()) check_switches({*given}, {});
    const auto more = environment_ ? environment_(variable) : std::nullopt;
    if (!more || trim(*more).empty()) return;
    check_switches({{option, *more}}, msg("the name is in ", variable, "; see --list_transforms"));
    if (given == line_.options.end())
      line_.options.push_back({option, *more});
    else
      given->value = cat(*more, ", ", given->value);
  }

  /// Extensions add transformations: where there are some, names are checked when they are loaded.
  void check_switches(const std::vector<OptionText>& options, const Detail& hint) const {
    if (!line_.extensions.empty()) return;
    try {
      schedule_transforms({}, nullptr, parse_options(options).switches);
    } catch (const Error& error) {
      throw Error(error.code(), error.detail(), error.place(), hint).about(options[0].name);
    }
  }

  const Program& program_;
  const std::vector<std::string>& arguments_;
  const Environment& environment_;
  size_t at_ = 0;
  CommandLine line_;
  std::string model_name_;
  std::optional<size_t> named_model_;         ///< the model of --input_model: the last one counts
  bool by_folder_ = false, by_file_ = false;  ///< --saved_model_dir has named a model; anything else has
};

/// Whether the result is wanted as JSON, though the line cannot be read to its end.
bool asks_for_json(const std::vector<std::string>& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  return std::find(arguments.begin(), end, "--json") != end;
}

CommandLine refused(std::string text, const Error& error, const std::vector<std::string>& arguments) {
  return {.action = CommandLine::Action::Refused,
          .text = std::move(text),
          .json = asks_for_json(arguments),
          .messages = {error.message()}};
}

}  // namespace

CommandLine parse_command_line(std::string_view program_name, const std::vector<std::string>& arguments,
                               const Environment& environment) {
  const Program program(program_name);
  try {
    return Parser(program, arguments, environment).parse();
  } catch (const Refusal& refusal) {
    const std::string text =
        cat(program.usage(), "\n", program.name(), ": error: ", printable(refusal.error.what()), "\n");
    return refused(printable_lines(text), refusal.error, arguments);
  } catch (const Error& error) {
    return refused(format(error.message()) + "\n", error, arguments);
  }
}

}  // namespace mo
