#include "core/pipeline/options.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/front/cut/shapes.h"

namespace mo {
namespace {

std::string shapes(std::string_view text) {
  std::string out;
  for (const PartialShape& shape : parse_shapes(text)) out += "<" + to_string(shape) + ">";
  return out;
}

Code code_of(const std::vector<OptionText>& options) {
  try {
    parse_options(options);
  } catch (const Error& error) {
    return error.code();
  }
  return Code::Unexpected;
}

TEST(OptionTable, AnEarlierNameSetsAnOptionOfToday) {
  std::string aliases;
  for (const OptionRow& row : all_options()) {
    const std::string_view alias_of = row.facts.alias_of;
    if (alias_of.empty()) continue;
    const OptionRow* today = find_option(alias_of);
    ASSERT_TRUE(today) << row.name;
    EXPECT_TRUE(today->facts.alias_of.empty()) << row.name;
    EXPECT_EQ(today->facts.configuration, row.facts.configuration) << row.name;
    aliases += cat(row.name, " ");
  }
  EXPECT_EQ(aliases, "data_type disable_weights_compression tensorflow_use_custom_operations_config ");
}

TEST(Options, ValuesAreNoLongerThanTheLimit) {
  const auto message = [](std::string_view name, size_t size) -> std::string {
    try {
      parse_options({{std::string(name), std::string(size, 'a')}});
    } catch (const Error& error) {
      return error.code() == Code::BadOptionValue ? error.what() : "another code";
    }
    return "";
  };
  EXPECT_EQ(message("model_name", kLongestValue), "");
  EXPECT_EQ(message("model_name", kLongestValue + 1), "--model_name has 1048577 bytes, at most 1048576");
  EXPECT_EQ(message("input", 10 << 20), "--input has 10485760 bytes, at most 1048576");
}

TEST(OptionTable, RowsSayWhatTheIrHas) {
  const auto given = [](const std::vector<OptionText>& options) {
    std::string out;
    for (const OptionText& option : parse_options(options).given) out += cat(option.name, "=", option.value, " ");
    return out;
  };
  EXPECT_EQ(given({{"model_name", "m"}, {"generate_mapping", "True"}, {"emit_check", "True"}, {"trace", "True"}}), "");
  EXPECT_EQ(given({{"static_shape", "True"}, {"input", "x"}, {"verify_checksums", "True"}}),
            "input=x static_shape=True verify_checksums=True ");
  EXPECT_EQ(given({{"data_type", "FP16"}}), "compress_to_fp16=True ");
  EXPECT_EQ(given({{"compress_to_fp16", "True"}, {"disable_weights_compression", "True"}}), "");
  EXPECT_EQ(given({{"tensorflow_use_custom_operations_config", "/a/b.json"}}), "");
  EXPECT_EQ(given({{"transformations_config", "/a/b.json"}}), "transformations_config=DIR/b.json ");
  EXPECT_EQ(given({{"tensorboard_logdir", "log"}}), "");
  EXPECT_EQ(given({{"save_params_from_nd", "True"}}), "");
  EXPECT_EQ(code_of({{"output_dir", "out"}}), Code::UnknownOption) << "only the command has it";
}

TEST(OptionTable, FactsFitTheRow) {
  for (const OptionRow& row : all_options()) {
    EXPECT_TRUE(!row.facts.configuration || row.kind == OptionKind::Path) << row.name;
    EXPECT_TRUE(!row.facts.to_core || row.scope == OptionScope::Host) << row.name;
  }
}

TEST(Options, ReadsTheShapesTheOriginalReads) {
  EXPECT_EQ(shapes("[1,2]"), "<1,2>");
  EXPECT_EQ(shapes("(1,2), [3,4]"), "<1,2><3,4>");
  EXPECT_EQ(shapes("[?,-1]"), "<?,?>");
  EXPECT_EQ(shapes("[1..10,..5,3..,..]"), "<1..10,0..5,3..,?>");
  EXPECT_EQ(shapes("[1 2]"), "<1,2>");
  EXPECT_EQ(shapes("1,2"), "<1,2>");  // the original: FAQ 57
  EXPECT_EQ(shapes("[0,1]"), "<0,1>");
  EXPECT_EQ(shapes(""), "");
}

TEST(Options, EmptyBracketsAreAScalar) {
  EXPECT_EQ(shapes("[1,576],[2,1,128],[]"), "<1,576><2,1,128><>");
  EXPECT_EQ(shapes("[ ],()"), "<><>");
  const PartialShape scalar = parse_shapes("[]").at(0);
  EXPECT_EQ(scalar.rank(), 0);
}

TEST(Options, RefusesTheShapesTheOriginalRefuses) {
  for (const char* bad : {"[1,2],", "[-2,1]", "[1,2", "[1,2][3]", "[a]", "[5..2]", "[1,,2]"})
    EXPECT_EQ(code_of({{"input_shape", bad}}), Code::BadInputShape) << bad;
}

TEST(Options, RefusesUnknownNamesAndWrongValues) {
  EXPECT_EQ(code_of({{"frobnicate", "1"}}), Code::UnknownOption);
  EXPECT_EQ(code_of({{"compress_to_fp16", "maybe"}}), Code::BadOptionValue);
}

TEST(Options, RememberWhatDiffersFromTheLibrarysDefaults) {
  const Options options =
      parse_options({{"static-shape", "True"}, {"input_shape", "[1]"}, {"compress_to_fp16", "False"}});
  ASSERT_EQ(options.given.size(), 2u);
  EXPECT_EQ(options.given[0].name, "input_shape");  // in the table's order
  EXPECT_EQ(options.given[1].name, "static_shape");
  EXPECT_TRUE(options.static_shape);
  EXPECT_FALSE(options.compress_to_fp16);
}

TEST(Options, FormerOptionsOfCompressionKeepTheirMeaning) {
  for (const auto& [type, compresses] : {std::pair("FP16", true), {"half", true}, {"FP32", false}, {"float", false}})
    EXPECT_EQ(parse_options({{"compress_to_fp16", "True"}, {"data_type", type}}).compress_to_fp16, compresses) << type;
  EXPECT_FALSE(parse_options({{"compress_to_fp16", "True"}, {"disable_weights_compression", "True"}}).compress_to_fp16);
}

TEST(Options, FormerOptionsThatChangeNothingWarn) {
  const Options options = parse_options({{"disable_fusing", "True"}, {"finegrain_fusing", "a.*"}});
  ASSERT_EQ(options.warnings.size(), 2u);
  EXPECT_EQ(options.warnings[1].message().text,
            "the option is no longer there, and changes nothing: --finegrain_fusing");
  EXPECT_TRUE(options.given.empty());
}

std::string refusal_of(const char* name) {
  try {
    parse_options({{name, "[1]"}});
  } catch (const Error& error) {
    return error.message().text;
  }
  return "";
}

TEST(Options, AMisspelledNameGetsTheNearest) {
  EXPECT_EQ(refusal_of("input_shap"), "there is no such option: \"input_shap\" (did you mean --input_shape?)");
  EXPECT_EQ(refusal_of("x"), "there is no such option: \"x\"");
}

TEST(Options, OneOfTheCommandIsNoneOfTheLibrary) {
  EXPECT_EQ(refusal_of("output_dir"), "there is no such option: \"output_dir\", which only the command has");
}

}  // namespace
}  // namespace mo
