// What --input, --output, --freeze_placeholder_with_value and --batch make of a model.
#include "core/front/cut/cut.h"

#include <gtest/gtest.h>

#include "tests/core/support/converted.h"
#include "tests/core/support/test_graph.h"

namespace mo::test {
namespace {

using CutOptions = std::vector<OptionText>;

/// x -> first (Relu) -> a -> scope/second (Add, with y) -> b -> third (Sigmoid) -> c
OnnxGraph chain() {
  OnnxGraph model;
  model.input("x", "2,3").input("y", "2,3");
  model.node("Relu", {"x"}, {"a"}, {}, "first").node("Add", {"a", "y"}, {"b"}, {}, "scope/second");
  model.node("Sigmoid", {"b"}, {"c"}, {}, "third").output("c");
  return model;
}

/// "Type name [shape]" of the inputs and outputs, and the types of the other layers; or the message.
std::string summary(const Converted& converted) {
  if (!converted.ok()) return cat(converted.message().code, ": ", converted.message().text);
  std::string out;
  for (const pugi::xml_node layer : converted.layers()) {
    const std::string_view type = layer.attribute("type").value();
    if (type == "Const") continue;
    out += cat(out.empty() ? "" : ", ", type, " ", layer.attribute("name").value());
    if (type == "Parameter")
      out += cat("[", layer.child("data").attribute("shape").value(), "]{",
                 layer.child("data").attribute("element_type").value(), "}");
  }
  return out;
}
std::string cut(const OnnxGraph& model, CutOptions options) {
  return summary(convert_model(model, nullptr, std::move(options)));
}

TEST(Cut, AtATensorStartsTheModelThere) {
  EXPECT_EQ(cut(chain(), {{"input", "b"}}), "Parameter b[2,3]{f32}, Sigmoid third, Result c/sink_port_0");
}

TEST(Cut, NodesAndPortsNameTheSamePlaces) {
  for (const char* place : {"b", "scope/second:0", "0:third", "third"}) {
    const std::string name = place[0] == 'b' || place[0] == 's' ? "b" : "third/placeholder_port_0";
    EXPECT_EQ(cut(chain(), {{"input", place}}),
              cat("Parameter ", name, "[2,3]{f32}, Sigmoid third, Result c/sink_port_0"))
        << place;
  }
}

TEST(Cut, AnInputOfANodeIsCutAlone) {
  OnnxGraph model;
  model.input("x", "4").node("Relu", {"x"}, {"a"}, {}, "r").node("Add", {"a", "a"}, {"b"}, {}, "add").output("b");
  EXPECT_EQ(cut(model, {{"input", "1:add,x"}}),
            "Parameter x[4]{f32}, Parameter add/placeholder_port_1[4]{f32}, ReLU r, Add add, Result b/sink_port_0");
}

TEST(Cut, ShapeAndTypeOfANewInputCanBeGiven) {
  EXPECT_EQ(cut(chain(), {{"input", "b[1,?]{f16}"}}), "Parameter b[1,?]{f16}, Sigmoid third, Result c/sink_port_0");
}

TEST(Cut, WhatIsCutAwayNeedNotBeSupported) {
  OnnxGraph model;
  model.input("x", "2")
      .node("Foo", {"x"}, {"f"}, {}, "foo", "com.acme")
      .node("Relu", {"f"}, {"r"}, {}, "relu")
      .output("r");
  EXPECT_EQ(cut(model, {{"input", "f[5]"}}), "Parameter f[5]{f32}, ReLU relu, Result r/sink_port_0");
  EXPECT_EQ(cut(model, {{"input", "f"}}), "Parameter f[...]{f32}, ReLU relu, Result r/sink_port_0");
  EXPECT_EQ(convert_model(model).code(), "MO2001");
}

TEST(Cut, AnInputThatIsStillNeededStaysWithAWarning) {
  const char* layers =
      "Parameter y[2,3]{f32}, Parameter a[2,3]{f32}, Add scope/second, Sigmoid third, Result c/sink_port_0";
  const Converted converted = convert_model(chain(), nullptr, {{"input", "a"}});
  EXPECT_EQ(converted.code(), "MO6013");
  EXPECT_NE(converted.message().text.find("\"y\""), std::string::npos) << converted.message().text;
  EXPECT_EQ(cut(chain(), {{"input", "a"}}), layers);
  EXPECT_EQ(cut(chain(), {{"input", "y,a"}}), layers);
}

TEST(Cut, NamingSomeInputsKeepsTheOthers) {
  EXPECT_EQ(cut(chain(), {{"input", "y[1,3]"}}),
            "Parameter x[2,3]{f32}, Parameter y[1,3]{f32}, ReLU first, Add scope/second, Sigmoid third, Result "
            "c/sink_port_0");
}

TEST(Cut, OutputsComeInTheOrderGiven) {
  EXPECT_EQ(cut(chain(), {{"output", "a"}}), "Parameter x[2,3]{f32}, ReLU first, Result a/sink_port_0");
  const Converted two = convert_model(chain(), nullptr, {{"output", "third, scope/second:0,0:third"}});
  ASSERT_EQ(two.layers("Result").size(), 3u);
  EXPECT_EQ(two.layers("Result")[0].attribute("name").value(), std::string("c/sink_port_0"));
  EXPECT_EQ(two.layers("Result")[1].attribute("name").value(), std::string("b/sink_port_0"));
}

TEST(Cut, ANodeNamedAsOutputNamesItsTensor) {
  EXPECT_NE(convert_model(chain(), nullptr, {{"output", "third"}}).xml().find("names=\"c,third\""), std::string::npos);
}

TEST(Cut, AValueReplacesAnInput) {
  OnnxGraph model;
  model.input("x", "2").input("flag", "", OnnxGraph::kBool);
  OnnxGraph then_branch, else_branch;
  then_branch.node("Relu", {"x"}, {"t"}).output("t");
  else_branch.node("Abs", {"x"}, {"e"}).output("e");
  model.node("If", {"flag"}, {"y"},
             {onnx_graph_attribute("then_branch", then_branch), onnx_graph_attribute("else_branch", else_branch)});
  model.output("y");
  for (const char* option : {"input", "freeze_placeholder_with_value"}) {
    EXPECT_EQ(convert_model(model, nullptr, {{option, "flag->True"}}).layers("ReLU").size(), 1u);
    EXPECT_EQ(convert_model(model, nullptr, {{option, "flag->0"}}).layers("Abs").size(), 1u);
    EXPECT_EQ(convert_model(model, nullptr, {{option, "flag->0"}}).layers("Parameter").size(), 1u);
  }
}

TEST(Cut, AValueHasToFitTypeAndShape) {
  OnnxGraph model;
  model.input("x", "2,2").input("n", "2", OnnxGraph::kInt64).node("Cast", {"n"}, {"f"}, {onnx_attribute("to", 1)});
  model.node("Add", {"x", "f"}, {"y"}).output("y");
  EXPECT_EQ(cut(model, {{"input", "n->[1,2,3]"}}),
            "MO6014: an input cannot have this value: --input: \"n\"->[1,2,3]: the shape of the input is [2], the "
            "value has 3 elements");
  EXPECT_EQ(cut(model, {{"input", "n->[1,2.5]"}}),
            "MO6014: an input cannot have this value: --input: \"n\"->[1,2.5]: 2.5 is no i64");
  EXPECT_EQ(cut(model, {{"input", "n{u8}->[1,256]"}}),
            "MO6014: an input cannot have this value: --input: \"n\"->[1,256]: 256 is no u8");
  EXPECT_EQ(cut(model, {{"input", "n->[1,2]"}, {"freeze_placeholder_with_value", "n->[1,3]"}}),
            "MO6016: an input is given two values, shapes or types: --freeze_placeholder_with_value and --input: "
            "Overriding replacement value of the placeholder with name 'n': old value = [1,3], new value = [1,2]");
  EXPECT_EQ(cut(model, {{"input", "n->['1','2']"}}),
            "MO6014: an input cannot have this value: --input: \"n\"->['1','2']: '1' is no i64");
  EXPECT_EQ(cut(model, {{"input", "x->['1',2,3,4]"}}),
            "MO6014: an input cannot have this value: --input: \"x\"->['1',2,3,4]: '1' is no f32");
  EXPECT_TRUE(convert_model(model, nullptr, {{"input", "n->[1,2]"}}).ok());
}

TEST(Cut, AValueFillsTheFirstOpenDimensionAndOthersThatMayBeOne) {
  OnnxGraph model;
  model.input("x", "?,?,2").node("Relu", {"x"}, {"y"}).output("y");
  const auto freeze = [&](const char* shape) {
    return convert_model(model, nullptr,
                         {{"input", "x"}, {"input_shape", shape}, {"freeze_placeholder_with_value", "x->[1,2,3,4]"}});
  };
  EXPECT_TRUE(freeze("[?,?,2]").ok());
  EXPECT_TRUE(freeze("[?,1..4,2]").ok());
  const Converted refused = freeze("[?,2..4,2]");
  EXPECT_EQ(refused.code(), code_text(Code::BadFrozenValue)) << refused.message().text;
  EXPECT_NE(refused.message().text.find("the value has 4 elements"), std::string::npos) << refused.message().text;
}

TEST(Cut, WhatIsNotThereIsNamedWithTheNearest) {
  EXPECT_EQ(cut(chain(), {{"input", "scope/secnd"}}),
            "MO6010: no node and no tensor of the model has this name: --input: No node with name scope/secnd, perhaps "
            "scope/second");
  EXPECT_EQ(convert_model(chain(), nullptr, {{"output", "nothing like it"}}).code(), "MO6010");
  EXPECT_EQ(convert_model(chain(), nullptr, {{"input", "2:scope/second"}}).code(), "MO3006");
  EXPECT_EQ(convert_model(chain(), nullptr, {{"output", "first:1"}}).code(), "MO3006");
  EXPECT_EQ(convert_model(chain(), nullptr, {{"input", "scope/second"}}).code(), "MO6012");
}

TEST(Cut, ANameOfTwoPlacesIsRefused) {
  OnnxGraph model;
  model.input("x", "2").node("Relu", {"x"}, {"name"}, {}, "r").node("Abs", {"name"}, {"y"}, {}, "name").output("y");
  EXPECT_EQ(convert_model(model, nullptr, {{"input", "name"}}).code(), "MO6011");
  EXPECT_EQ(convert_model(model, nullptr, {{"output", "name"}}).code(), "MO6011");
  EXPECT_TRUE(convert_model(model, nullptr, {{"output", "name:0"}}).ok());
}

TEST(Cut, ShapesOfInputShapeBelongToTheNamedInputs) {
  EXPECT_EQ(cut(chain(), {{"input", "y,x"}, {"input_shape", "[1,3],[5,3]"}}),
            "Parameter x[5,3]{f32}, Parameter y[1,3]{f32}, ReLU first, Add scope/second, Sigmoid third, Result "
            "c/sink_port_0");
}

OnnxGraph picture() {
  OnnxGraph model;
  model.input("image", "N,3,H,W").weight(onnx_floats("w", {5, 3, 1, 1}, std::vector<float>(15, 1)));
  return model.node("Conv", {"image", "w"}, {"y"}, {}, "conv").output("y");
}

TEST(Cut, AShapeOfAnotherRankIsRefusedBeforeAnythingElse) {
  const auto refusal = [](const OnnxGraph& model, std::vector<OptionText> options) {
    const Converted converted = convert_model(model, nullptr, std::move(options));
    const Message& message = converted.message();
    EXPECT_EQ(converted.conversion->messages().size(), 1U);
    return cat(message.code, " ", message.node, " ", message.options.empty() ? "" : message.options[0], " ",
               message.text);
  };
  const std::string sentence = "an input has another number of dimensions in the model: ";
  EXPECT_EQ(refusal(picture(), {{"input_shape", "[1,3,224]"}}),
            cat("MO6088 image input_shape ", sentence,
                "--input_shape: [1,3,224] has 3 dimensions, and [?,3,?,?], which the model says, has 4"));
  EXPECT_EQ(refusal(picture(), {{"input", "image[1,3]"}}),
            cat("MO6088 image input ", sentence,
                "--input: [1,3] has 2 dimensions, and [?,3,?,?], which the model says, has 4"));
  EXPECT_EQ(refusal(chain(), {{"input", "y,x"}, {"input_shape", "[2,3],[1,2,3]"}}),
            cat("MO6088 x input_shape ", sentence,
                "--input_shape: [1,2,3] has 3 dimensions, and [2,3], which the model says, has 2"));
  EXPECT_EQ(refusal(picture(), {{"input_shape", "image[]"}}),
            cat("MO6088 image input_shape ", sentence,
                "--input_shape: [] has 0 dimensions, and [?,3,?,?], which the model says, has 4"));
  EXPECT_TRUE(convert_model(picture(), nullptr, {{"input_shape", "[...]"}}).code() != "MO6088");
}

TEST(Cut, WhatContradictsTheModelIsNamedWithTheErrorBehindIt) {
  const Converted channels = convert_model(picture(), nullptr, {{"input_shape", "[1,4,8,8]"}});
  EXPECT_EQ(channels.code(), "MO3002");
  EXPECT_NE(channels.message().text.find("; the model says [?,3,?,?] of \"image\", --input_shape says [1,4,8,8]"),
            std::string::npos);
  EXPECT_EQ(channels.message().options, (std::vector<std::string>{"input_shape"}));
  const Converted type = convert_model(picture(), nullptr, {{"input", "image{i32}"}});
  EXPECT_EQ(type.code(), "MO2005");
  EXPECT_NE(type.message().text.find("; the model says f32 of \"image\", --input says i32"), std::string::npos);
  EXPECT_EQ(type.message().options, (std::vector<std::string>{"input"}));
  EXPECT_NE(type.message().hint.find("; check --input"), std::string::npos);
  const Converted layout =
      convert_model(picture(), nullptr, {{"layout", "nhwc"}, {"mean_values", "(1,2)"}, {"input_shape", "[1,5,8,2]"}});
  EXPECT_NE(layout.message().text.find("--mean_values says 2 channels"), std::string::npos);
  // A shape within what the model says is no contradiction.
  OnnxGraph wide;
  wide.input("image", "N,3,H,W").weight(onnx_floats("w", {5, 3, 3, 3}, std::vector<float>(135, 1)));
  wide.node("Conv", {"image", "w"}, {"y"}, {}, "conv").output("y");
  EXPECT_EQ(convert_model(wide, nullptr, {{"input_shape", "[1,3,2,2]"}}).message().text.find("the model says"),
            std::string::npos);
}

TEST(Cut, ShapesMayNameTheirInputs) {
  const char* both =
      "Parameter x[7,3]{f32}, Parameter y[1,3]{f32}, ReLU first, Add scope/second, Sigmoid third, Result "
      "c/sink_port_0";
  EXPECT_EQ(cut(chain(), {{"input_shape", "y[1,3],x[7,3]"}}), both);
  EXPECT_EQ(cut(chain(), {{"input_shape", "y [1, 3]"}}).substr(0, 46),
            "Parameter x[2,3]{f32}, Parameter y[1,3]{f32}, ");
  // Values without names still belong to all inputs of the model.
  EXPECT_EQ(convert_model(chain(), nullptr, {{"input_shape", "y[1,3]"}, {"mean_values", "(1),(2)"}}).code(), "");
  EXPECT_EQ(cut(chain(), {{"input", "b"}, {"input_shape", "b[1,9]"}}).substr(0, 21), "Parameter b[1,9]{f32}");
  EXPECT_EQ(convert_model(chain(), nullptr, {{"input_shape", "b[1,9]"}}).code(), "MO6060");
  EXPECT_EQ(convert_model(chain(), nullptr, {{"input_shape", "none[1,9]"}}).code(), "MO6010");
  for (const char* text : {"x[1,3],[2]", "x[1,3],", "x[1,z]", "x[", "x]["})
    EXPECT_EQ(convert_model(chain(), nullptr, {{"input_shape", text}}).code(), "MO6003") << text;
  EXPECT_EQ(convert_model(chain(), nullptr, {{"input_shape", "x[1,3],x[2,3]"}}).code(), "MO6016");
  EXPECT_EQ(convert_model(chain(), nullptr, {{"input_shape", "x[1,3]"}, {"batch", "2"}}).code(), "MO6015");
  EXPECT_EQ(convert_model(chain(), nullptr, {{"input_shape", "x[1,3]"}, {"input", "y[1,3]"}}).code(), "MO6015");
}

TEST(Cut, AStateThatIsReadKeepsWhatItBecomes) {
  TestGraph t;
  const auto variable = [](Node& node, const char* id) { node.set("variable_id", std::string(id)); };
  const OutPort x = t.add("Parameter", "x").out(0);
  Node &read = t.add("ReadValue", "read"), &other = t.add("ReadValue", "other");
  Node& sum = t.add("Add", "sum", {x, read.out(0)});
  Node& assign = t.add("Assign", "assign", {t.add("Abs", "next", {sum.out(0)}).out(0)}, 0);
  Node& unread = t.add("Assign", "unread", {t.add("Add", "more", {sum.out(0), other.out(0)}).out(0)}, 0);
  for (Node* node : {&read, &assign}) variable(*node, "a");
  for (Node* node : {&other, &unread}) variable(*node, "b");
  t.add("Result", "r", {t.add("Exp", "end", {sum.out(0)}).out(0)}, 0);
  CutRequest request;
  request.outputs = {"sum"};
  mo::cut(t.graph, request, [](OutPort) { return nullptr; });
  std::string left;
  for (const Node* node : t.graph.nodes()) left += node->name() + " ";
  EXPECT_EQ(left, "x read sum next assign sum/sink_port_0 ");
}

TEST(Cut, BatchIsTheFirstDimensionOfEveryInput) {
  OnnxGraph model;
  model.input("x", "N,3").input("y", "1,3").node("Add", {"x", "y"}, {"z"}, {}, "add").output("z");
  EXPECT_EQ(cut(model, {{"batch", "4"}}),
            "Parameter x[4,3]{f32}, Parameter y[4,3]{f32}, Add add, Result z/sink_port_0");
  EXPECT_EQ(convert_model(chain(), nullptr, {{"batch", "4"}}).code(), "MO6017");
}

}  // namespace
}  // namespace mo::test
