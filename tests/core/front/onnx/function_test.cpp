// Invalid functions in a model.

#include "core/base/error.h"
#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

constexpr std::string_view kAcme = "com.acme";

OnnxGraph nodes() { return {}; }
OnnxGraph abs() { return nodes().node("Abs", {"a"}, {"b"}, {}, "inner"); }
/// A model with one call, named "c".
OnnxGraph calling(std::string_view name, const Texts& inputs = {"x"}, const Texts& outputs = {"y"}) {
  OnnxGraph model;
  model.input("x", "2,3").node(name, inputs, outputs, {}, "c", kAcme).output("y");
  return model;
}

TEST(OnnxFunction, CannotCallItself) {
  OnnxGraph model = calling("F");
  model.function("F", {"a"}, {"b"}, nodes().node("G", {"a"}, {"b"}, {}, "g", kAcme));
  model.function("G", {"a"}, {"b"}, nodes().node("F", {"a"}, {"b"}, {}, "f", kAcme));
  const Converted out = convert_model(model);
  EXPECT_EQ(out.code(), code_text(Code::RecursiveFunction));
  EXPECT_EQ(out.message().text, "a function of the model calls itself: com.acme.F");
  EXPECT_EQ(out.message().node, "c/g/f");
}

TEST(OnnxFunction, CannotCallItselfInABody) {
  OnnxGraph branch, model = calling("F", {"x", "k"});
  branch.node("F", {"a", "k"}, {"o"}, {}, "again", kAcme).output("o");
  const Texts bodies = {onnx_graph_attribute("then_branch", branch), onnx_graph_attribute("else_branch", branch)};
  model.input("k", "", OnnxGraph::kBool);
  model.function("F", {"a", "k"}, {"b"}, nodes().node("If", {"k"}, {"b"}, bodies));
  EXPECT_EQ(convert_model(model).code(), code_text(Code::RecursiveFunction));
}

TEST(OnnxFunction, CannotMultiplyWithoutEnd) {
  OnnxGraph model = calling("F"), calls_g, calls_h;
  for (int i = 0; i < 600; ++i) {
    calls_g.node("G", {"a"}, {cat("b", i)}, {}, {}, kAcme);
    calls_h.node("H", {"a"}, {cat("b", i)}, {}, {}, kAcme);
  }
  model.function("F", {"a"}, {"b0"}, calls_g).function("G", {"a"}, {"b0"}, calls_h).function("H", {"a"}, {"b"}, abs());
  const Converted out = convert_model(model);
  EXPECT_EQ(out.code(), code_text(Code::TooDeep));
  EXPECT_EQ(out.message().text, "the model nests too deeply: functions and bodies expand to more than 262144 nodes");
}

TEST(OnnxFunction, CannotBeThereTwice) {
  const Converted out =
      convert_model(calling("F").function("F", {"a"}, {"b"}, abs()).function("F", {"a"}, {"b"}, abs()));
  EXPECT_EQ(out.code(), code_text(Code::DuplicateFunction));
  EXPECT_EQ(out.message().op, "com.acme.F");
}

TEST(OnnxFunction, TakesNoMoreThanItHas) {
  Converted out = convert_model(calling("F", {"x", "x"}).function("F", {"a"}, {"b"}, abs()));
  EXPECT_EQ(out.code(), code_text(Code::ExtraPort));
  EXPECT_EQ(out.message().text, "a node has more inputs or outputs than its operation: 2 inputs, at most 1");
  EXPECT_EQ(out.message().node, "c");
  out = convert_model(calling("F", {"x"}, {"y", "z"}).function("F", {"a"}, {"b"}, abs()));
  EXPECT_EQ(out.code(), code_text(Code::ExtraPort));
  EXPECT_TRUE(convert_model(calling("F", {"x", ""}, {"y", ""}).function("F", {"a"}, {"b"}, abs())).ok());
}

TEST(OnnxFunction, MakesItsOutputs) {
  const Converted out = convert_model(calling("F").function("F", {"a"}, {"lost"}, abs()));
  EXPECT_EQ(out.code(), code_text(Code::UnknownTensor));
  EXPECT_EQ(out.message().node, "c");
  EXPECT_EQ(out.message().tensor, "lost");
}

TEST(OnnxFunction, ReadsNothingFromOutside) {
  const Converted out = convert_model(calling("F").function("F", {"a"}, {"b"}, nodes().node("Abs", {"x"}, {"b"})));
  EXPECT_EQ(out.code(), code_text(Code::UnknownTensor));
  EXPECT_EQ(out.message().node, "c/b");
  EXPECT_EQ(out.message().tensor, "x");
}

TEST(OnnxFunction, MissesAnInputThatTheCallLeavesOut) {
  const Converted out = convert_model(calling("F", {}).function("F", {"a"}, {"b"}, abs()));
  EXPECT_EQ(out.code(), code_text(Code::MissingInput));
  EXPECT_EQ(out.message().node, "c/inner");
}

TEST(OnnxFunction, ErrorsInItNameTheCallAndTheNode) {
  const Converted out =
      convert_model(calling("F").function("F", {"a"}, {"b"}, nodes().node("Foo", {"a"}, {"b"}, {}, "inner")));
  EXPECT_EQ(out.code(), code_text(Code::UnsupportedOp));
  EXPECT_EQ(out.message().node, "c/inner");
}

}  // namespace
}  // namespace mo::test
