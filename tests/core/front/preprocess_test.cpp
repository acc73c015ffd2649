// What --mean_values, --scale_values, --scale, --reverse_input_channels, --batch and the layouts make of a model.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

/// x, z -> Add "sum" -> y
OnnxGraph two_inputs(std::string_view shape = "1,3,4,5", int type = OnnxGraph::kFloat) {
  OnnxGraph model;
  model.input("x", shape, type).input("z", shape, type).node("Add", {"x", "z"}, {"y"}, {}, "sum").output("y");
  return model;
}
OnnxGraph one_input(std::string_view shape, int type = OnnxGraph::kFloat) {
  OnnxGraph model;
  model.input("x", shape, type).node("Abs", {"x"}, {"y"}, {}, "abs").output("y");
  return model;
}

/// Layers without Const, Parameter and Result: "Type name", after the shapes of Parameters; or the message.
std::string preprocess_outcome(const Converted& converted) {
  if (!converted.ok()) return cat(converted.message().code, " ", converted.message().text);
  std::string out;
  for (const pugi::xml_node layer : converted.layers()) {
    const std::string type = text_of(layer, "type");
    if (type == "Parameter") out += cat("[", dims(layer), "] ");
    if (type != "Const" && type != "Parameter" && type != "Result") out += cat(type, " ", text_of(layer, "name"), " ");
  }
  return out.substr(0, out.size() - 1);
}
std::string preprocessed_model(const OnnxGraph& model, std::vector<OptionText> options) {
  return preprocess_outcome(convert_model(model, nullptr, std::move(options)));
}
/// The layout that a port of the layer has.
std::string layout_at_port(const Converted& converted, std::string_view layer) {
  return converted.layer(layer)
      .child("output")
      .child("port")
      .child("rt_info")
      .child("attribute")
      .attribute("layout")
      .value();
}

TEST(Preprocess, ValuesGoToTheInputsByNameOrByOrder) {
  const std::string both = "[1,3,4,5] [1,3,4,5] Add x/Add Add z/Add Add sum";
  EXPECT_EQ(preprocessed_model(two_inputs(), {{"mean_values", "(1,2,3),(4)"}}), both);
  EXPECT_EQ(preprocessed_model(two_inputs(), {{"mean_values", "z(1,2,3)"}}), "[1,3,4,5] [1,3,4,5] Add z/Add Add sum");
  EXPECT_EQ(preprocessed_model(two_inputs(), {{"input", "z"}, {"mean_values", "(1,2,3)"}}),
            "[1,3,4,5] [1,3,4,5] Add z/Add Add sum");
  EXPECT_EQ(preprocessed_model(two_inputs(), {{"scale", "2"}}),
            "[1,3,4,5] [1,3,4,5] Multiply x/Mul Multiply z/Mul Add sum");
  const Converted swapped = convert_model(two_inputs(), nullptr, {{"input", "z,x"}, {"mean_values", "(7),(8)"}});
  const std::vector<std::byte> bin = swapped.bin();
  const auto first = [&](const char* layer) {
    float number = 0;
    std::memcpy(&number,
                bin.data() + swapped.source(swapped.layer(layer), 1).child("data").attribute("offset").as_int(), 4);
    return number;
  };
  EXPECT_EQ(first("x/Add"), -8);
  EXPECT_EQ(first("z/Add"), -7);
}

TEST(Preprocess, ACutInputIsMeantByItsPlace) {
  OnnxGraph model;
  model.input("x", "2,3").node("Relu", {"x"}, {"a"}, {}, "first").node("Abs", {"a"}, {"y"}, {}, "abs").output("y");
  for (const char* place : {"first:0", "0:abs", "abs"}) {
    EXPECT_EQ(
        convert_model(model, nullptr, {{"input", place}, {"mean_values", cat(place, "(1)")}}).layers("Add").size(), 1u)
        << place;
    EXPECT_EQ(convert_model(model, nullptr, {{"input", place}, {"mean_values", "(1)"}}).layers("Add").size(), 1u);
  }
}

TEST(Preprocess, WhatIsNotThereIsRefused) {
  EXPECT_EQ(preprocessed_model(two_inputs(), {{"mean_values", "q(1)"}}),
            "MO6060 no input or output was found: --mean_values: with name \"q\"");
  EXPECT_EQ(preprocessed_model(two_inputs(), {{"mean_values", "y(1)"}}),
            "MO6060 no input or output was found: --mean_values: with name \"y\"");
  EXPECT_EQ(preprocessed_model(two_inputs(), {{"layout", "q(nchw)"}}),
            "MO6060 no input or output was found: --layout: with name \"q\"");
  EXPECT_EQ(preprocessed_model(two_inputs(), {{"mean_values", "(1)"}}),
            "MO6056 numbers of inputs and mean values do not match: 1 items of --mean_values for 2 inputs");
  EXPECT_EQ(preprocessed_model(two_inputs(), {{"scale_values", "(1),(2),(3)"}}),
            "MO6057 numbers of inputs and scale values do not match: 3 items of --scale_values for 2 inputs");
  EXPECT_EQ(preprocessed_model(two_inputs(), {{"layout", "nchw"}}),
            "MO6071 numbers of inputs and layouts do not match: --layout: 1 for the inputs \"x\", \"z\"");
  EXPECT_EQ(preprocessed_model(one_input("4"), {{"layout", "y(n),abs(n)"}}),
            "MO6061 two names point to the same input or output: --layout: \"y\" and \"abs\"");
}

TEST(Preprocess, ChannelsAreGuessedWhereImagesHaveThem) {
  for (const char* shape : {"3,4,5", "4,5,3", "N,3,H,W", "1,4,5,3", "1,3,4,5,6", "1,4,5,6,3"})
    EXPECT_TRUE(
        convert_model(one_input(shape), nullptr, {{"mean_values", "(1,2,3)"}, {"reverse_input_channels", "True"}}).ok())
        << shape;
  for (const char* shape : {"4,3,5", "1,4,3,5", "3,4,5,6", "1,3,4,3", "1,4,3,5,6", "4,3", "N,C,H,W"}) {
    EXPECT_EQ(convert_model(one_input(shape), nullptr, {{"mean_values", "(1,2,3)"}}).code(), "MO6063") << shape;
    EXPECT_EQ(convert_model(one_input(shape), nullptr, {{"reverse_input_channels", "True"}}).code(), "MO6067") << shape;
  }
  EXPECT_EQ(convert_model(one_input("1,6,4,5"), nullptr, {{"reverse_input_channels", "True"}}).code(), "MO6067");
  EXPECT_EQ(preprocessed_model(one_input("1,6,4,5"), {{"mean_values", "(1,2,3,4,5,6)"}}),
            "MO6063 can't determine the channels dimension: --mean_values: 6 for the shape [1,6,4,5]");
  EXPECT_TRUE(
      convert_model(one_input("1,6,4,5"), nullptr, {{"mean_values", "(1,2,3,4,5,6)"}, {"layout", "nchw"}}).ok());
  EXPECT_EQ(preprocessed_model(one_input("1,6,4,5"), {{"mean_values", "(1,2,3)"}, {"layout", "nchw"}}),
            "MO6064 an input does not have as many channels as there are mean or scale values: --mean_values: 3 for "
            "the shape [1,6,4,5]");
  EXPECT_EQ(convert_model(one_input("1,3,4,5"), nullptr, {{"mean_values", "(1,2,3)"}, {"layout", "nhwd"}}).code(),
            "MO6063");
}

TEST(Preprocess, AnotherNumberOfValuesThanChannelsIsToldBeforeAnythingElse) {
  const std::string unfit = "MO6064 an input does not have as many channels as there are mean or scale values: ";
  EXPECT_EQ(preprocessed_model(one_input("N,3,H,W"), {{"mean_values", "(1,2)"}}),
            cat(unfit, "--mean_values: 2 for the shape [?,3,?,?]"));
  EXPECT_EQ(preprocessed_model(one_input("1,28,28,1"), {{"scale_values", "(1,2,3)"}}),
            cat(unfit, "--scale_values: 3 for the shape [1,28,28,1]"));
  OnnxGraph unknown;
  unknown.input("x", "1,3,4,4").node("Unheard", {"x"}, {"y"}, {}, "other").output("y");
  const Converted converted = convert_model(unknown, nullptr, {{"mean_values", "(1,2)"}});
  EXPECT_EQ(converted.code(), "MO6064");
  EXPECT_EQ(converted.conversion->messages().size(), 1U);
  EXPECT_EQ(converted.message().options, (std::vector<std::string>{"mean_values"}));
}

TEST(Preprocess, IntegersHaveNoMeanAndNoScale) {
  EXPECT_EQ(preprocessed_model(one_input("1,3,4,5", OnnxGraph::kInt64), {{"mean_values", "(1,2,3)"}}),
            "MO6065 mean and scale values are for inputs of floating-point type only: --mean_values: i64");
  EXPECT_EQ(convert_model(one_input("2", OnnxGraph::kInt64), nullptr, {{"scale", "2"}}).code(), "MO6065");
  EXPECT_TRUE(convert_model(one_input("2", OnnxGraph::kInt64), nullptr, {{"scale", "2"}, {"input", "x{f32}"}}).ok());
}

TEST(Preprocess, AnInputThatCannotBeReversedIsAWarningBesideOneThatCan) {
  OnnxGraph model;
  model.input("x", "1,3,4,5").input("z", "5").node("Add", {"x", "z"}, {"y"}, {}, "sum").output("y");
  const Converted converted = convert_model(model, nullptr, {{"reverse_input_channels", "True"}});
  EXPECT_TRUE(converted.ok());
  EXPECT_EQ(converted.message().text,
            "inputs are not suitable for input channels reversing: --reverse_input_channels: network has 2 inputs "
            "overall, but only 1 of them are suitable: x [1,3,4,5], z [5]");
  EXPECT_EQ(converted.layers("Gather").size(), 1u);
  EXPECT_EQ(preprocessed_model(one_input("5"), {{"reverse_input_channels", "True"}}),
            "MO6067 inputs are not suitable for input channels reversing: --reverse_input_channels: network has 1 "
            "inputs overall, but none of them are suitable: x [5]");
}

TEST(Preprocess, ASmallScaleIsAWarning) {
  const Converted converted = convert_model(one_input("5"), nullptr, {{"scale", "0.5"}});
  EXPECT_TRUE(converted.ok());
  EXPECT_EQ(cat(converted.code(), " ", converted.message().text), "MO6066 the scale value is less than 1.0: 0.5");
  EXPECT_EQ(convert_model(one_input("5"), nullptr, {{"scale", "1"}}).code(), "");
}

TEST(Preprocess, LayoutsAreInTheIrIfTheyWereGiven) {
  const Converted given = convert_model(two_inputs(), nullptr, {{"layout", "x(nchw->nhwc),y(nc...)"}});
  EXPECT_EQ(layout_at_port(given, "x"), "[N,H,W,C]");
  EXPECT_EQ(layout_at_port(given, "z"), "");
  EXPECT_EQ(layout_at_port(given, "sum"), "[N,C,...]");
  EXPECT_EQ(layout_at_port(convert_model(two_inputs(), nullptr, {{"reverse_input_channels", "True"}}), "x"), "");
  EXPECT_EQ(layout_at_port(convert_model(two_inputs(), nullptr, {{"target_layout", "x(nhwc)"}}), "x"), "[N,H,W,C]");
}

TEST(Preprocess, ALayoutHasTheRankOfItsTensor) {
  EXPECT_EQ(preprocessed_model(one_input("1,3,4,5"), {{"layout", "nch"}}),
            "MO6072 a layout does not fit: --layout: [N,C,H] for the shape [1,3,4,5]");
  EXPECT_EQ(preprocessed_model(one_input("1,3"), {{"layout", "nc...->nchw"}}),
            "MO6072 a layout does not fit: --layout: [N,C,H,W] for the shape [1,3]");
  EXPECT_EQ(preprocessed_model(one_input("1,3,4,5"), {{"layout", "y(nch)"}}),
            "MO6072 a layout does not fit: [N,C,H] for the shape [1,3,4,5]");
}

TEST(Preprocess, TheBatchIsWhereTheLayoutHasIt) {
  EXPECT_EQ(preprocessed_model(one_input("3,H,W,N"), {{"layout", "chwn"}, {"batch", "2"}}), "[3,-1,-1,2] Abs abs");
  EXPECT_EQ(preprocessed_model(one_input("3,4,5,6"), {{"layout", "chwn"}, {"batch", "2"}}), "[3,4,5,2] Abs abs");
  EXPECT_EQ(preprocessed_model(one_input("3,4,5,6"), {{"layout", "chwn->nchw"}, {"batch", "2"}}),
            "[2,3,4,5] Transpose x/Transpose Abs abs");
  const Converted skipped = convert_model(one_input("3,4"), nullptr, {{"layout", "c?"}, {"batch", "2"}});
  EXPECT_TRUE(skipped.ok());
  EXPECT_EQ(cat(skipped.code(), " ", skipped.message().text),
            "MO6073 an input has no batch in its layout: --batch does not change it: [C,?]");
  EXPECT_EQ(preprocessed_model(two_inputs("N,3"), {{"layout", "x(nc),z(cn)"}, {"batch", "3"}}), "[3,3] [-1,3] Add sum");
}

TEST(Preprocess, NamesStayWithTheInputAndMoveToTheOutput) {
  const Converted converted = convert_model(one_input("1,3,4,5"), nullptr, {{"layout", "y(nchw->nhwc)"}});
  const auto names = [&](const char* layer) {
    return std::string(converted.layer(layer).child("output").child("port").attribute("names").value());
  };
  EXPECT_EQ(names("x"), "x");
  EXPECT_EQ(text_of(converted.layer("abs"), "type"), "Transpose");
  EXPECT_EQ(names("abs"), "y");
  EXPECT_EQ(names("abs/prev"), "");
}

TEST(Preprocess, AModelThatDoesNothingElseIsPreprocessed) {
  OnnxGraph model;
  model.input("x", "1,3").node("Identity", {"x"}, {"y"}, {}, "same").output("y");
  const Converted converted = convert_model(model, nullptr, {{"mean_values", "(1)"}});
  const pugi::xml_node sum = converted.layer("x/Add");
  EXPECT_EQ(std::string(sum.child("output").child("port").attribute("names").value()), "y");
  EXPECT_EQ(std::string(converted.layer("x").child("output").child("port").attribute("names").value()), "x");
}

}  // namespace
}  // namespace mo::test
