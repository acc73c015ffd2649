#include "core/front/cut/cut_request.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/front/cut/shapes.h"
#include "core/pipeline/options.h"

namespace mo {
namespace {

/// An item as "name <shape> {type} ->value"; parts that it lacks are left out.
std::string shown(const InputSpec& input) {
  std::string out = input.place;
  if (input.shape) out += cat(" <", to_string(*input.shape), ">");
  if (input.type) out += cat(" {", ir_name(*input.type), "}");
  if (!input.value) return out;
  const std::string elements = join(
      input.value->elements, [](const std::string& e) { return e; }, " ");
  return out + (input.value->is_list ? cat(" ->[", elements, "]") : cat(" ->", elements));
}

std::string inputs(std::string_view text) { return join(parse_inputs(text), shown, "; "); }

/// The code and the detail of the refusal.
std::string refusal(const std::vector<OptionText>& options) {
  try {
    parse_options(options);
  } catch (const Error& error) {
    return cat(info(error.code()).name, ": ", error.what());
  }
  return "accepted";
}

TEST(CutRequest, ReadsWhatTheOriginalReads) {
  EXPECT_EQ(inputs("a"), "a");
  EXPECT_EQ(inputs("a[]"), "a <>");
  EXPECT_EQ(inputs("a[ ]"), "a <>");
  EXPECT_EQ(inputs("a[...]"), "a <...>");
  EXPECT_EQ(inputs("a[1 3 4]"), "a <1,3,4>");
  EXPECT_EQ(inputs("a[1, 2]"), "a <1,2>");
  EXPECT_EQ(inputs("a(1,3)"), "a <1,3>");
  EXPECT_EQ(inputs("a[1,?,-1]"), "a <1,?,?>");
  EXPECT_EQ(inputs("a[1..10,..5,3..,..]"), "a <1..10,0..5,3..,?>");
  EXPECT_EQ(inputs("a{i32}[1,2]"), "a <1,2> {i32}");
  EXPECT_EQ(inputs("a[1,2]{i32}"), "a <1,2> {i32}");
  EXPECT_EQ(inputs("0:a[1]"), "0:a <1>");
  EXPECT_EQ(inputs("a:0[1]"), "a:0 <1>");
  EXPECT_EQ(inputs("a:b:1[2]"), "a:b:1 <2>");
  EXPECT_EQ(inputs("a->5"), "a ->5");
  EXPECT_EQ(inputs("a->True"), "a ->True");
  EXPECT_EQ(inputs("a->(1,2)"), "a ->[1 2]");
  EXPECT_EQ(inputs("a->[1 2 3]"), "a ->[1 2 3]");
  EXPECT_EQ(inputs("a->[1,2,3]"), "a ->[1 2 3]");
  EXPECT_EQ(inputs("a[2]{i32}->[20,15]"), "a <2> {i32} ->[20 15]");
  EXPECT_EQ(inputs("a[]->3"), "a <> ->3");
  EXPECT_EQ(inputs("a->[7]"), "a ->[7]");
  EXPECT_EQ(inputs("a->-1.5e-3"), "a ->-1.5e-3");
  EXPECT_EQ(inputs("a->'x'"), "a ->'x'");
  EXPECT_EQ(inputs("a->'x, y',b"), "a ->'x, y'; b");
  EXPECT_EQ(inputs(R"(a->["it's", 'b c'],d->["" "e"])"), R"(a ->["it's" 'b c']; d ->["" "e"])");
  EXPECT_EQ(inputs("o'brien, o'neil"), "o'brien; o'neil");
}

TEST(CutRequest, TakesShapesAsPeopleWriteThem) {
  const auto shapes = [](std::string_view text) {
    return join(
        parse_shapes(text), [](const PartialShape& shape) { return cat("<", to_string(shape), ">"); }, " ");
  };
  for (const char* same : {"[1,3,224,224]", "1,3,224,224", "1x3x224x224", "1 x 3 X 224 * 224",
                           "1\xC3\x97"
                           "3\xC3\x97"
                           "224\xC3\x97"
                           "224",
                           "1 3 224 224", "[1x3x224x224]", "(1, 3, 224, 224)"})
    EXPECT_EQ(shapes(same), "<1,3,224,224>") << same;
  EXPECT_EQ(inputs("a[1x3x224x224]{f16}, b(1 * ? * 8),c[1\xC3\x97"
                   "3]"),
            "a <1,3,224,224> {f16}; b <1,?,8>; c <1,3>");
  EXPECT_EQ(inputs("a[x1]/b[1x]/c[1x3]"), "a[x1]/b[1x]/c <1,3>");
  EXPECT_EQ(shapes("?x3x1..8"), "<?,3,1..8>");
  EXPECT_EQ(shapes("[1x2],[3]"), "<1,2> <3>");
  EXPECT_EQ(shapes("..."), "<...>");
  for (const char* wrong : {"1x", "x1", "1,,2", "1x2,[3]", "a", "1xa", "-2", "1;2"})
    EXPECT_EQ(refusal({{"input_shape", wrong}}),
              cat("BadInputShape: --input_shape: Input shape \"", wrong, "\" cannot be parsed"));
}

TEST(CutRequest, SplitsAtCommasOutsideBrackets) {
  EXPECT_EQ(inputs("a[1,2], b(3,4){f16} ,c->[5,6],d"), "a <1,2>; b <3,4> {f16}; c ->[5 6]; d");
  EXPECT_EQ(inputs(""), "");
}

TEST(CutRequest, TakesNamesWithAnyCharacters) {
  EXPECT_EQ(inputs("my node/conv 1:0"), "my node/conv 1:0");
  EXPECT_EQ(inputs("scope[x]/y[1,2]"), "scope[x]/y <1,2>");
}

TEST(CutRequest, RefusesWhatCannotBeRead) {
  EXPECT_EQ(refusal({{"input", "a,b,"}}), "BadInputSpec: --input: \"a,b,\": an item is empty");
  EXPECT_EQ(refusal({{"input", "[1,2]"}}), "BadInputSpec: --input: \"[1,2]\": it has no name");
  EXPECT_EQ(
      refusal({{"input", "a[1][2]"}}),
      "BadInputSpec: --input: \"a[1][2]\": Wrong syntax to specify shape. Use \"input\" \"node_name[shape]->value\"");
  EXPECT_EQ(refusal({{"input", "a->1->2"}}),
            "BadInputSpec: --input: \"a->1->2\": Wrong syntax to specify value. Use "
            "\"input\"=\"node_name[shape]->value\": \"->\" is there twice");
  EXPECT_EQ(refusal({{"input", "a->"}}),
            "BadInputSpec: --input: \"a->\": Wrong syntax to specify value. Use \"input\"=\"node_name[shape]->value\": "
            "nothing follows \"->\"");
  EXPECT_EQ(refusal({{"input", "a->[1"}}),
            "BadInputSpec: --input: \"a->[1\": Wrong syntax to specify value. Use "
            "\"input\"=\"node_name[shape]->value\": a bracket is not closed");
  EXPECT_EQ(refusal({{"input", "a->[[[[[[[[[1]]]]]]]]]"}}),
            "BadInputSpec: --input: \"a->[[[[[[[[[1]]]]]]]]]\": Wrong syntax to specify value. Use "
            "\"input\"=\"node_name[shape]->value\": more than eight lists in each other");
  EXPECT_EQ(refusal({{"input", "a->abc"}}),
            "BadInputSpec: --input: \"a->abc\": \"abc\" is neither a number nor True or False, nor a text in quotes");
  EXPECT_EQ(refusal({{"input", "a{f23}"}}),
            "BadInputSpec: --input: \"a{f23}\": Destination type \"f23\" is not supported, but f32, f16, i64, i32, u8, "
            "boolean…");
  EXPECT_EQ(refusal({{"input", "a[1"}}), "BadInputSpec: --input: \"a[1\": a bracket is not closed");
  EXPECT_EQ(refusal({{"input", "a{f32"}}), "BadInputSpec: --input: \"a{f32\": the brace of the type is not closed");
  EXPECT_EQ(refusal({{"input", "a[-2]"}}), "BadInputShape: --input: Input shape \"a[-2]\" cannot be parsed");
  EXPECT_EQ(refusal({{"freeze_placeholder_with_value", "a"}}),
            "BadInputSpec: --freeze_placeholder_with_value: \"a\": Wrong replacement syntax. Use "
            "\"freeze_placeholder_with_value\" \"node1_name->value1,node2_name->value2\"");
  EXPECT_EQ(refusal({{"output", "a,,b"}}), "BadOptionValue: --output is \"a,,b\": a name is missing");
  EXPECT_EQ(refusal({{"batch", "0"}}), "BadOptionValue: --batch is \"0\", want a positive integer value");
  EXPECT_EQ(refusal({{"batch", "two"}}), "BadOptionValue: --batch is \"two\", want a positive integer value");
  EXPECT_EQ(refusal({{"batch", "+-5"}}), "BadOptionValue: --batch is \"+-5\", want a positive integer value");
}

TEST(CutRequest, RefusesOptionsThatContradictEachOther) {
  EXPECT_EQ(refusal({{"input", "a[1]"}, {"input_shape", "[1]"}}),
            "ShapesTwice: Shapes are specified using both \"input\" and \"input_shape\" command-line parameters, but "
            "only one parameter is allowed");
  EXPECT_EQ(refusal({{"input", "a[1]"}, {"batch", "1"}}),
            "ShapesTwice: Shapes are specified using both \"input\" and \"batch\" command-line parameters, but only "
            "one parameter is allowed");
  EXPECT_EQ(refusal({{"input_shape", "[1]"}, {"batch", "1"}}),
            "ShapesTwice: Both \"input_shape\" and \"batch\" were provided. Please provide only one of them");
  EXPECT_EQ(refusal({{"input", "a,b"}, {"input_shape", "[1]"}}),
            "InputShapeCount: Please provide each input layers with an input layer shape. Items of --input_shape: 1, "
            "of --input: 2");
  EXPECT_EQ(refusal({{"input", "a[?,2]->[1,2]"}}),
            "BadFrozenValue: --input: \"a\"->[1,2]: Cannot freeze input with dynamic shape: [?,2]");
  EXPECT_EQ(refusal({{"input", "a[3]->[1,2]"}}),
            "BadFrozenValue: --input: The shape '[3]' of the input node 'a' does not correspond to the number of "
            "elements '2' in the value: [1,2]");
  EXPECT_EQ(refusal({{"input", "a,b"}, {"input_shape", "[1],[2]"}}), "accepted");
}

}  // namespace
}  // namespace mo
