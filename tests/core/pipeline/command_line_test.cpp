#include <gtest/gtest.h>

#include <algorithm>

#include "core/mo.h"

namespace mo {
namespace {

using Action = CommandLine::Action;

CommandLine parse(const std::vector<std::string>& arguments) { return parse_command_line("mo", arguments); }

std::string option(const CommandLine& line, std::string_view name) {
  for (const OptionText& o : line.options)
    if (o.name == name) return o.value;
  return "(absent)";
}

TEST(CommandLine, ModelStandsAloneOrBehindItsOption) {
  EXPECT_EQ(parse({"a/b.onnx"}).model, "a/b.onnx");
  EXPECT_EQ(parse({"--input_model", "b.onnx"}).model, "b.onnx");
  EXPECT_EQ(parse({"--input-model=b.onnx"}).model, "b.onnx");
  EXPECT_EQ(parse({"-m", "b.onnx"}).model, "b.onnx");
  EXPECT_EQ(parse({"-wb.onnx"}).model, "b.onnx");
}

TEST(CommandLine, DefaultsAreTheOriginals) {
  const CommandLine line = parse({"dir/net.v2.onnx"});
  EXPECT_EQ(line.action, Action::Convert);
  EXPECT_EQ(line.output_dir, ".");
  EXPECT_EQ(line.log_level, "ERROR");
  EXPECT_FALSE(line.progress);
  EXPECT_EQ(option(line, "compress_to_fp16"), "True");
  EXPECT_EQ(option(line, "model_name"), "net.v2");
  EXPECT_EQ(option(line, "input_shape"), "(absent)");
}

TEST(CommandLine, FlagsTakeAnOptionalTruthValue) {
  EXPECT_EQ(option(parse({"m", "--compress_to_fp16=False"}), "compress_to_fp16"), "False");
  EXPECT_EQ(option(parse({"m", "--compress_to_fp16", "false"}), "compress_to_fp16"), "false");
  EXPECT_EQ(parse({"--compress_to_fp16", "m.onnx"}).model, "m.onnx");
  EXPECT_EQ(option(parse({"m", "--static_shape"}), "static_shape"), "True");
  EXPECT_TRUE(parse({"--progress", "m"}).progress);
}

TEST(CommandLine, UniquePrefixesOfNamesWork) {
  EXPECT_EQ(parse({"m", "--output_d", "x"}).output_dir, "x");
  EXPECT_EQ(parse({"m", "--input_", "x"}).action, Action::Refused);  // ambiguous: input_model, input_shape…
  EXPECT_EQ(option(parse({"m", "--output", "x"}), "output"), "x");  // a name, though also the beginning of another
}

TEST(CommandLine, RefusesWhatArgparseRefuses) {
  const char* const unknown = "usage: mo [options] MODEL\nmo: error: unrecognized arguments: --frobnicate\n";
  EXPECT_EQ(parse({"m", "--frobnicate"}).text, unknown);
  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{{"m", "--frobnicate"},
                                                                                   {"m", "--output_dir"},
                                                                                   {"m", "--compress_to_fp16=maybe"},
                                                                                   {"m", "--progress=2"},
                                                                                   {"m", "--log_level", "LOUD"},
                                                                                   {"m", "-q"},
                                                                                   {"m", "--static_shape=True"},
                                                                                   {"m", "n"}})
    EXPECT_EQ(parse(bad).action, Action::Refused) << bad.back();
}

TEST(CommandLine, OptionsOfTheOriginalThatAreNotHereFailWithTheirName) {
  const CommandLine line = parse({"m", "--mean_values", "[1,2,3]"});
  EXPECT_EQ(line.action, Action::Failed);
  EXPECT_EQ(line.text.find("[ ERROR ]  MO6006 the option is not in this build: --mean_values"), 0u) << line.text;
}

TEST(CommandLine, WithoutAModelSaysSo) {
  const CommandLine line = parse({});
  EXPECT_EQ(line.action, Action::Failed);
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
    EXPECT_EQ(line.options.size(), parse({"m"}).options.size()) << more.back();
  }
  EXPECT_EQ(parse({"m", "--framework", "cntk"}).action, Action::Refused);
}

TEST(CommandLine, SilentMeansErrorsOnly) {
  EXPECT_EQ(parse({"m", "--silent", "--log_level", "WARNING"}).log_level, "ERROR");
  EXPECT_EQ(parse({"m", "--silent", "False", "--log_level", "WARNING"}).log_level, "WARNING");
  EXPECT_EQ(parse({"m", "--log_level", "WARNING"}).log_level, "WARNING");
}

TEST(CommandLine, DataTypeIsTheFormerNameOfCompression) {
  for (const char* type : {"FP16", "half"})
    EXPECT_EQ(option(parse({"m", "--data_type", type}), "compress_to_fp16"), "True") << type;
  for (const char* type : {"FP32", "float"})
    EXPECT_EQ(option(parse({"m", "--data_type", type}), "compress_to_fp16"), "False") << type;
  EXPECT_EQ(option(parse({"m", "--data_type", "FP16"}), "data_type"), "(absent)");
  EXPECT_EQ(parse({"m", "--data_type", "INT8"}).action, Action::Refused);
}

TEST(CommandLine, ProgressMayStream) {
  EXPECT_FALSE(parse({"m", "--progress"}).stream_output);
  EXPECT_TRUE(parse({"m", "--progress", "--stream_output"}).stream_output);
}

TEST(CommandLine, HelpShowsDefaultsAsTheyAre) {
  const std::string help = parse({"--help"}).text;
  EXPECT_EQ(help.find(".."), help.find("..8")) << "the two dots of the range 1..8 only";
  EXPECT_NE(help.find("(default: .)"), std::string::npos);
  EXPECT_NE(help.find("(default: True)"), std::string::npos);
}

TEST(CommandLine, HelpNamesEveryOption) {
  const CommandLine line = parse({"--help"});
  EXPECT_EQ(line.action, Action::Help);
  for (const char* name : {"--input_model", "--output_dir", "--model_name", "--input_shape", "--compress_to_fp16",
                           "--static_shape", "--log_level", "--progress", "--version", "--help"})
    EXPECT_NE(line.text.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace mo
