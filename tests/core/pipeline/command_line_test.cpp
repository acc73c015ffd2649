#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/mo.h"

namespace mo {
namespace {

using Action = CommandLine::Action;

CommandLine parse(const std::vector<std::string>& arguments) { return parse_command_line("mo", arguments); }

/// "path=name", for each model.
std::string models(const CommandLine& line) {
  return join(line.models, [](const ModelArgument& model) { return model.path + "=" + model.name; });
}

std::string option(const CommandLine& line, std::string_view name) {
  for (const OptionText& o : line.options)
    if (o.name == name) return o.value;
  return "(absent)";
}

TEST(CommandLine, ModelStandsAloneOrBehindItsOption) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"a/b.onnx"},
                                                                                         {"--input_model", "a/b.onnx"},
                                                                                         {"--input-model=a/b.onnx"},
                                                                                         {"-m", "a/b.onnx"},
                                                                                         {"-m=a/b.onnx"},
                                                                                         {"-wa/b.onnx"},
                                                                                         {"-m", "c", "-m", "a/b.onnx"},
                                                                                         {"--", "a/b.onnx"}})
    EXPECT_EQ(models(parse(arguments)), "a/b.onnx=b") << arguments[0];
}

TEST(CommandLine, DefaultsAreTheOriginalsButForTheLogLevel) {
  const CommandLine line = parse({"dir/net.v2.onnx"});
  EXPECT_EQ(line.action, Action::Convert);
  EXPECT_EQ(line.output_dir, ".");
  EXPECT_EQ(line.log_level, "WARNING");  // that of the original is ERROR
  EXPECT_FALSE(line.progress);
  EXPECT_EQ(option(line, "compress_to_fp16"), "True");
  EXPECT_EQ(models(line), "dir/net.v2.onnx=net.v2");
  EXPECT_EQ(option(line, "input_shape"), "(absent)");
}

TEST(CommandLine, FlagsTakeAnOptionalTruthValue) {
  EXPECT_EQ(option(parse({"m", "--compress_to_fp16=False"}), "compress_to_fp16"), "False");
  EXPECT_EQ(option(parse({"m", "--compress_to_fp16", "false"}), "compress_to_fp16"), "false");
  EXPECT_EQ(models(parse({"--compress_to_fp16", "m.onnx"})), "m.onnx=m");
  EXPECT_EQ(option(parse({"m", "--static_shape"}), "static_shape"), "True");
  EXPECT_TRUE(parse({"--progress", "m"}).progress);
}

TEST(CommandLine, LineEndsOfWindowsAreToldAndNotTakenForNames) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"m.onnx\r"}, {"m.onnx", "\r"}, {"m.onnx", "-o", "ir\r"}, {"m.onnx", "--data_type=FP16\r"}, {"--", "m\r"}}) {
    const CommandLine line = parse(arguments);
    EXPECT_EQ(line.action, Action::Refused);
    EXPECT_NE(line.text.find("a carriage return follows"), std::string::npos) << line.text;
  }
}

TEST(CommandLine, ADashOfADocumentIsNoModel) {
  for (const char* word : {"\u2013scale", "\u2014scale", "\u2013-scale", "\u2010-scale"}) {
    const CommandLine line = parse({"m.onnx", word, "2"});
    EXPECT_EQ(line.action, Action::Refused);
    EXPECT_NE(line.text.find("options begin with two hyphens"), std::string::npos) << line.text;
  }
  EXPECT_EQ(models(parse({"\u4e2d.onnx"})), "\u4e2d.onnx=\u4e2d");
}

TEST(CommandLine, JobsAreBetween1And256) {
  EXPECT_EQ(parse({"m"}).jobs, 1);
  EXPECT_EQ(parse({"m", "--jobs", "256"}).jobs, 256);
  EXPECT_EQ(parse({"m", "-j", "4"}).jobs, 4);
  EXPECT_EQ(parse({"m", "-j4"}).jobs, 4);
  for (const char* count : {"0", "257", "-1", "2.5", "", "99999999999999999999", "all"})
    EXPECT_EQ(parse({"m", std::string("--jobs=") + count}).action, Action::Refused) << count;
  EXPECT_FALSE(parse({"m"}).skip_unchanged);
  EXPECT_TRUE(parse({"m", "--skip_unchanged"}).skip_unchanged);
}

TEST(CommandLine, UniquePrefixesOfNamesWork) {
  EXPECT_EQ(parse({"m", "--output_d", "x"}).output_dir, "x");
  EXPECT_EQ(parse({"m", "--input_", "x"}).action, Action::Refused);  // ambiguous: input_model, input_shape…
  EXPECT_EQ(parse({"--list"}).action, Action::Refused);              // list_configurations, list_transforms
  EXPECT_EQ(option(parse({"m", "--output", "x"}), "output"), "x");   // a name, though also the beginning of another
}

TEST(CommandLine, RefusesWhatArgparseRefuses) {
  const char* const unknown =
      "usage: mo [options] MODEL [MODEL ...]\nmo: error: unrecognized arguments: --frobnicate\n";
  EXPECT_EQ(parse({"m", "--frobnicate"}).text, unknown);
  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{{"m", "--frobnicate"},
                                                                                   {"m", "--output_dir"},
                                                                                   {"m", "--compress_to_fp16=maybe"},
                                                                                   {"m", "--progress=2"},
                                                                                   {"m", "--log_level", "LOUD"},
                                                                                   {"m", "-q"},
                                                                                   {"m", "--static_shape=True"},
                                                                                   {"m", "-n", ""},
                                                                                   {"m", "--batch", "-3"}})
    EXPECT_EQ(parse(bad).action, Action::Refused) << bad.back();
}

TEST(CommandLine, OptionsOfTheOriginalThatAreNotHereFailWithTheirName) {
  const CommandLine line = parse({"m", "--tensorflow_custom_layer_libraries", "x"});
  EXPECT_EQ(line.action, Action::Refused);
  const char* const text = "[ ERROR ]  MO6006 the option is not in this build: --tensorflow_custom_layer_libraries";
  EXPECT_EQ(line.text.find(text), 0u) << line.text;
}

TEST(CommandLine, WithoutAModelSaysSo) {
  const CommandLine line = parse({});
  EXPECT_EQ(line.action, Action::Refused);
  EXPECT_NE(line.text.find("MO6005"), std::string::npos);
}

TEST(CommandLine, TellsWhichOptionsNameFiles) {
  EXPECT_TRUE(parse({"m", "-n", "config.json"}).paths.empty());
  const CommandLine line = parse({"m", "--transformations_config", "config.json"});
  EXPECT_EQ(line.paths, std::vector<std::string>{"transformations_config"});
  const auto named = [](const OptionText& o) { return o.name == "transformations_config" && o.value == "config.json"; };
  EXPECT_TRUE(std::any_of(line.options.begin(), line.options.end(), named));
}

TEST(CommandLine, OptionsThatChangeNothingHereStopNoConversion) {
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--framework", "onnx"}, {"--framework=tf"}, {"--silent"}, {"--silent=False"}}) {
    std::vector<std::string> arguments = {"m"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandLine line = parse(arguments);
    EXPECT_EQ(line.action, Action::Convert) << line.text;
  }
  EXPECT_EQ(parse({"m", "--framework", "cntk"}).action, Action::Refused);
}

TEST(CommandLine, SilenceAndTheLevelAreAsGiven) {
  EXPECT_TRUE(parse({"m", "--silent", "--log_level", "WARNING"}).silent);
  EXPECT_FALSE(parse({"m", "--silent", "--log_level", "WARNING"}).verbose);
  EXPECT_TRUE(parse({"m", "--silent", "False"}).verbose);
  EXPECT_EQ(parse({"m", "--silent", "False", "--log_level", "INFO"}).log_level, "INFO");
  EXPECT_EQ(parse({"m", "--silent"}).log_level, "WARNING");
  EXPECT_FALSE(parse({"m", "--log_level", "CRITICAL"}).silent);
}

TEST(CommandLine, ValuesAreCheckedBeforeAModelIsOpened) {
  for (const auto& [name, value, code] : {std::tuple("input_shape", "[1,2", "MO6003"),
                                          {"input", "a->", "MO6009"},
                                          {"batch", "x", "MO6002"},
                                          {"data_type", "INT8", "MO6002"},
                                          {"freeze_placeholder_with_value", "a", "MO6009"}}) {
    const CommandLine line = parse({"m", cat("--", name), value});
    EXPECT_EQ(line.action, Action::Refused) << name;
    EXPECT_NE(line.text.find(code), std::string::npos) << line.text;
  }
}

TEST(CommandLine, ValuesMayLookLikeNumbersOrHaveBlanks) {
  EXPECT_EQ(option(parse({"m", "--input", "-1"}), "input"), "-1");
  EXPECT_EQ(option(parse({"m", "--output", "-a b"}), "output"), "-a b");
  EXPECT_EQ(parse({"m", "--output", "-ab"}).action, Action::Refused);
}

TEST(CommandLine, ProgramsForAFrameworkKnowOnlyItsOptions) {
  EXPECT_NE(parse_command_line("/usr/bin/mo_onnx.py", {"m", "--input_proto", "x"}).text.find("unrecognized"),
            std::string::npos);
  EXPECT_NE(parse_command_line("mo_mxnet", {"m", "--input_proto", "x"}).text.find("unrecognized"), std::string::npos);
  EXPECT_EQ(option(parse_command_line("mo_mxnet", {"m", "--input_symbol", "x"}), "input_symbol"), "x");
  EXPECT_EQ(parse_command_line("mo_tf", {"--nope"}).text.find("usage: mo_tf [options]"), 0u);
  EXPECT_NE(parse_command_line("mo_tf", {"m", "--counts", "x"}).text.find("--counts, which mo has and mo_tf has not"),
            std::string::npos);
  EXPECT_EQ(option(parse_command_line("mo_paddle", {"m", "--nd_prefix_name", "x"}), "nd_prefix_name"), "x");
}

TEST(CommandLine, VariablesOfTheEnvironmentAreAddedToTheOptions) {
  const auto parsed = [](const char* disabled, std::vector<std::string> arguments) {
    return parse_command_line("mo", arguments, [&](std::string_view name) {
      return name == "MO_DISABLED_TRANSFORMS" ? std::optional<std::string>(disabled) : std::nullopt;
    });
  };
  EXPECT_EQ(option(parsed("SwishFusion", {"m"}), "disabled_transforms"), "SwishFusion");
  EXPECT_EQ(option(parsed("SwishFusion", {"m"}), "enabled_transforms"), "(absent)");
  EXPECT_EQ(option(parsed("SwishFusion", {"m", "--disabled_transforms", "Fusing"}), "disabled_transforms"),
            "SwishFusion, Fusing");
  EXPECT_EQ(option(parsed(" ", {"m", "--disabled_transforms", "Fusing"}), "disabled_transforms"), "Fusing");
  EXPECT_EQ(parsed("Fusing,Nope", {"m"}).text,
            "[ ERROR ]  MO4003 no transformation has this name: Nope (--disabled_transforms). the name is in "
            "MO_DISABLED_TRANSFORMS; see --list_transforms\n");
  EXPECT_EQ(parsed("Fusing", {"m", "--disabled_transforms", "Nope"}).text,
            "[ ERROR ]  MO4003 no transformation has this name: Nope (--disabled_transforms). see "
            "--list_transforms\n");
  // An extension may have the name.
  EXPECT_EQ(parsed("Nope", {"m", "--extensions", "e"}).action, Action::Convert);
}

TEST(CommandLine, SeveralModelsHaveNamesOfTheirOwn) {
  EXPECT_EQ(models(parse({"a/x.onnx", "-b", "1", "b/y.v2.onnx", "-"})), "a/x.onnx=x, b/y.v2.onnx=y.v2, -=model");
  EXPECT_NE(parse({"a/x.onnx", "a/./x.onnx"}).text.find("MO6020"), std::string::npos);
  EXPECT_NE(parse({"a.onnx", "b.onnx", "-n", "c"}).text.find("MO6020"), std::string::npos);
}

TEST(CommandLine, ModelsOfOneNameKeepTheirFolders) {
  const auto irs = [](std::vector<std::string> paths) {
    return join(parse(paths).models,
                [](const ModelArgument& m) { return m.folder.empty() ? m.name : m.folder + "/" + m.name; });
  };
  EXPECT_EQ(irs({"a/x.onnx", "b/x.onnx"}), "a/x, b/x");
  EXPECT_EQ(irs({"x.onnx", "b/x.onnx", "c/y.onnx"}), "x, b/x, c/y");
  EXPECT_EQ(irs({"/m/a/x.onnx", "/m/b/c/x.onnx", "/m/b/y.onnx"}), "a/x, b/c/x, b/y");
  EXPECT_EQ(irs({"C:\\m\\a\\x.onnx", "C:\\m\\b\\x.onnx"}), "a/x, b/x");
  EXPECT_EQ(irs({"a/x.onnx", "a/b/x.onnx", "a/c/../x.pb"}), "x.onnx, b/x, x.pb");
  EXPECT_EQ(irs({"../a/x.onnx", "../../x.onnx"}), "a/x, x");
  EXPECT_EQ(irs({"a/X.onnx", "b/x.onnx"}), "a/X, b/x") << "they are one file on some systems";
  EXPECT_EQ(irs({"a/X.onnx", "b/y.onnx"}), "X, y");
  EXPECT_EQ(irs({"a/x.onnx", "b/x.onnx", "-n", "z"}), "a/z, b/z");
  EXPECT_EQ(irs({"a\x1b[2J/x.onnx", "b/x.onnx"}), "a_[2J/x, b/x");
  EXPECT_EQ(irs({"a/saved/", "b/saved/", "-"}), "a/saved, b/saved, model");
  EXPECT_EQ(parse({"a/x.onnx", "b/y.onnx", "--report", "r.html"}).action, Action::Refused);
}

TEST(CommandLine, OptionsOfOvcAreAnswered) {
  EXPECT_NE(parse({"m", "--output_model", "x.xml"}).text.find("(did you mean --output_dir and --model_name?)"),
            std::string::npos);
  EXPECT_NE(parse({"m", "--verbose"}).text.find("(did you mean --silent False?)"), std::string::npos);
}

TEST(CommandLine, ProgressMayStream) {
  EXPECT_FALSE(parse({"m", "--progress"}).stream_output);
  EXPECT_TRUE(parse({"m", "--progress", "--stream_output"}).stream_output);
}

TEST(CommandLine, TextsAreAskedForByNameOnly) {
  for (const char* word : {"-h", "--help"}) {
    const CommandLine line = parse_command_line("C:\\bin\\mo_tf.exe", {"m", word, "--no_option"});
    EXPECT_EQ(line.action, Action::Help);
    EXPECT_EQ(line.text, "mo_tf");
  }
  const CommandLine line = parse({"--completion", "zsh"});
  EXPECT_EQ(line.action, Action::Completion);
  EXPECT_EQ(line.text, "zsh");
  EXPECT_EQ(parse({"--completion", "csh"}).action, Action::Refused);
  for (const char* word : {"--version", "-V", "--vers"}) {
    EXPECT_EQ(parse({"m", word}).action, Action::Version);
    EXPECT_EQ(parse({word}).text, std::string("mo ").append(version()) + "\n");
  }
}

}  // namespace
}  // namespace mo
