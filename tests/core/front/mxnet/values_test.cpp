// Attributes of MXNet are texts; their values are read in all ways in which programs have written them.

#include <gtest/gtest.h>

#include "core/front/mxnet/extract/extractor.h"
#include "core/graph/framework_node.h"
#include "tests/core/support/test_graph.h"

namespace mo::mxnet {
namespace {

/// A node with one attribute, "a".
struct Valued : test::TestGraph {
  explicit Valued(const std::string& text) : node(add("Operator", "n")) { node.set("a", text); }
  Node& node;
};

template <typename Read>
std::optional<Code> refused(const std::string& text, Read read) {
  Valued valued(text);
  try {
    read(valued.node);
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

TEST(MxnetValues, TuplesHaveManyForms) {
  for (const char* text : {"(3, 5)", "(3,5)", "(3,5,)", "(3L, 5L)", "[3,5]", " ( 3 , 5 ) ", "[3L,5]"})
    EXPECT_EQ(ints_of(Valued(text).node, "a"), (Ints{3, 5})) << text;
  for (const char* text : {"(3,)", "3", "(3)", "[3]", " 3 "})
    EXPECT_EQ(ints_of(Valued(text).node, "a"), Ints{3}) << text;
  EXPECT_EQ(ints_of(Valued("()").node, "a", {7}), Ints());
  for (const char* text : {"None", "", " None "}) EXPECT_EQ(ints_of(Valued(text).node, "a", {7}), Ints{7}) << text;
  EXPECT_EQ(ints_of(Valued("(-1, 0)").node, "a"), (Ints{-1, 0}));
  EXPECT_EQ(floats_of(Valued("(0.5, 1, 2e-05)").node, "a"), (Doubles{0.5, 1, 2e-05}));
  EXPECT_EQ(floats_of(Valued("0.1").node, "a"), Doubles{0.1});
  EXPECT_EQ(optional_ints_of(Valued("(None, 2, -1)").node, "a"),
            (std::vector<std::optional<int64_t>>{std::nullopt, 2, -1}));
}

TEST(MxnetValues, BooleansAndNumbersHaveSome) {
  for (const char* text : {"True", "true", "1", "TRUE", " True"}) EXPECT_TRUE(bool_of(Valued(text).node, "a")) << text;
  for (const char* text : {"False", "false", "0"}) EXPECT_FALSE(bool_of(Valued(text).node, "a", true)) << text;
  EXPECT_TRUE(bool_of(Valued("None").node, "a", true));
  EXPECT_EQ(int_of(Valued("64L").node, "a"), 64);
  EXPECT_EQ(int_of(Valued("None").node, "a", 5), 5);
  EXPECT_EQ(float_of(Valued("2e-05").node, "a"), 2e-05);
  EXPECT_EQ(float_of(Valued("1").node, "a"), 1.0);
  EXPECT_EQ(type_of(Valued("float16").node, "a"), ElementType::F16);
  EXPECT_EQ(type_of(Valued("6").node, "a"), ElementType::I64);
  EXPECT_EQ(type_of(Valued("None").node, "a", ElementType::I8), ElementType::I8);
  EXPECT_EQ(type_of_number(12), ElementType::BF16);
  EXPECT_EQ(type_of_number(13), ElementType::Unknown);
}

TEST(MxnetValues, OthersAreRefused) {
  EXPECT_EQ(refused("(3, x)", [](Node& node) { ints_of(node, "a"); }), Code::BadAttribute);
  EXPECT_EQ(refused("(3, 1.5)", [](Node& node) { ints_of(node, "a"); }), Code::BadAttribute);
  EXPECT_EQ(refused("(3, ?)", [](Node& node) { optional_ints_of(node, "a"); }), Code::BadAttribute);
  EXPECT_EQ(refused("yes", [](Node& node) { bool_of(node, "a"); }), Code::BadAttribute);
  EXPECT_EQ(refused("3.5", [](Node& node) { int_of(node, "a"); }), Code::BadAttribute);
  EXPECT_EQ(refused("99999999999999999999", [](Node& node) { int_of(node, "a"); }), Code::BadAttribute);
  EXPECT_EQ(refused("half", [](Node& node) { float_of(node, "a"); }), Code::BadAttribute);
  EXPECT_EQ(refused("half", [](Node& node) { choice_of(node, "a", "valid", {"valid", "full"}); }), Code::BadAttribute);
  EXPECT_EQ(refused("complex64", [](Node& node) { type_of(node, "a"); }), Code::UnsupportedType);
  EXPECT_EQ(refused("3", [](Node& node) { limited_int(node, "a", 0, 4); }), Code::BadAttribute);
  EXPECT_EQ(refused("None", [](Node& node) { required_int(node, "a"); }), Code::MissingAttribute);
}

TEST(MxnetValues, ARowMakesThemTyped) {
  Valued valued("text");
  valued.node.pb = std::make_shared<FrameworkNode>(FrameworkNode{.op = "hard_sigmoid"});
  valued.node.set("alpha", std::string("0.3"));
  valued.node.set("__lr_mult__", std::string("2"));
  read_attributes(valued.node);
  EXPECT_EQ(valued.node.get_float("alpha"), 0.3);
  EXPECT_FALSE(valued.node.has("a"));
  EXPECT_FALSE(valued.node.has("__lr_mult__"));
  EXPECT_FALSE(valued.node.has("beta"));
}

}  // namespace
}  // namespace mo::mxnet
