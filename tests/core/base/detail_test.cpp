// Messages as data: templates, arguments and the options that they are about.
#include <gtest/gtest.h>

#include "core/base/error.h"

namespace mo {
namespace {

TEST(Detail, LiteralsAreItsTemplateAndEverythingElseArguments) {
  const std::string name = "a b";
  const char* word = "word";
  const Detail detail = msg("input ", 1, " of \"", name, "\" is ", word, ", ", 0.5, 'c');
  EXPECT_EQ(detail.template_text(), "input {} of \"{}\" is {}, {}{}");
  EXPECT_EQ(detail.text(), "input 1 of \"a b\" is word, 0.5c");
  ASSERT_EQ(detail.arguments().size(), 5u);
  EXPECT_EQ(detail.arguments()[1].text, "a b");
  EXPECT_FALSE(detail.arguments()[1].detail);
}

TEST(Detail, IsAnArgumentOfAnother) {
  const Detail inner = msg("axis ", 2), outer = msg("it has ", inner, " twice");
  EXPECT_EQ(outer.template_text(), "it has {} twice");
  ASSERT_TRUE(outer.arguments()[0].detail);
  EXPECT_EQ(*outer.arguments()[0].detail, inner);
  EXPECT_EQ(outer.text(), "it has axis 2 twice");
  EXPECT_EQ(inner.with(msg(", in ", "x")).template_text(), "{}, in x");
}

TEST(Detail, TakesAnyBytesAsArguments) {
  const std::string hostile(
      "\x01"
      "9:{}\x02"
      "1:\0",
      9);
  const Detail detail = msg("<", hostile, ">");
  EXPECT_EQ(detail.text(), "<" + hostile + ">");
  EXPECT_EQ(detail.template_text(), "<{}>");
  EXPECT_EQ(Detail(hostile).arguments()[0].text, hostile);
}

TEST(Detail, OfATextHasNoWords) {
  EXPECT_EQ(Detail(std::string("name")).template_text(), "{}");
  EXPECT_EQ(Detail("a sentence").template_text(), "a sentence");
  EXPECT_TRUE(Detail(std::string()).empty());
}

TEST(Detail, IsMadeOfItsTemplateAndArguments) {
  const auto again = [](const Detail& detail) { return Detail::of(detail.template_text(), detail.arguments()); };
  const Detail inner = msg("axis ", 3, " of ", std::string("{}"));
  for (const Detail& detail : {inner, msg(inner, ": ", 7, "."), Detail("words"), Detail(), Detail(std::string("name"))})
    EXPECT_EQ(again(detail), detail) << detail.text();
  EXPECT_EQ(Detail::of("{} and {}", {{.text = "one"}}).text(), "one and {}");
  EXPECT_EQ(Detail::of("no place", {{.text = "one"}}).text(), "no place");
  EXPECT_EQ(Detail::of("\x01", {}).text(), "\x01");
}

TEST(Message, HasItsSentenceAndDetailAsTemplates) {
  const Message message = Error(Code::BadValue, msg("axis ", 3)).message();
  EXPECT_EQ(message.text, "a value is outside the allowed range: axis 3");
  EXPECT_EQ(message.detail.template_text(), "{}: {}");
  EXPECT_EQ(message.detail.arguments()[1].detail->template_text(), "axis {}");
  EXPECT_EQ(Error(Code::BadValue).message().detail.template_text(), "a value is outside the allowed range");
  EXPECT_EQ(message.advice.text(), message.hint);
}

TEST(Message, NamesItsOptions) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(Error(Code::RankMismatch).message().options, Names{"input_shape"});
  EXPECT_EQ(Error(Code::BadOptionValue).about("scale").message().options, Names{"scale"});
  EXPECT_EQ(Error(Code::BadInputShape).about("input").message().options, Names{"input"});
  Error error(Code::ChannelsUnknown, "x");
  error.name_option("--scale or --scale_values");
  EXPECT_EQ(error.message().options, (Names{"scale", "scale_values", "layout"}));
  EXPECT_EQ(error.message().text, cat(info(Code::ChannelsUnknown).text, ": --scale or --scale_values: x"));
}

TEST(Message, AmendedKeepsItsTemplates) {
  Diagnostics diagnostics;
  diagnostics.add(Error(Code::BadValue, msg("axis ", 3)));
  diagnostics.amend_errors(0, msg(", in the body of ", 7), "; or so");
  const Message& message = diagnostics.messages()[0];
  EXPECT_EQ(message.text, "a value is outside the allowed range: axis 3, in the body of 7");
  EXPECT_EQ(message.detail.template_text(), "{}, in the body of {}");
  EXPECT_EQ(message.hint, "check the model; or so");
}

}  // namespace
}  // namespace mo
