#include "core/front/cut/shapes.h"
#include "core/pipeline/options.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

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

TEST(Options, ReadsTheShapesTheOriginalReads) {
  EXPECT_EQ(shapes("[1,2]"), "<1,2>");
  EXPECT_EQ(shapes("(1,2), [3,4]"), "<1,2><3,4>");
  EXPECT_EQ(shapes("[?,-1]"), "<?,?>");
  EXPECT_EQ(shapes("[1..10,..5,3..,..]"), "<1..10,0..5,3..,?>");
  EXPECT_EQ(shapes("[1 2]"), "<1,2>");
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
  for (const char* bad : {"[1,2],", "[-2,1]", "1,2", "[1,2", "[1,2][3]", "[a]", "[5..2]", "[1,,2]"})
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

}  // namespace
}  // namespace mo
