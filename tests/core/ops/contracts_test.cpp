// Every internal operation has a contract, and extracted nodes are checked against it.

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "core/front/onnx/load/schema.h"
#include "core/ops/contract.h"
#include "core/ops/former_names.h"
#include "core/ops/op_def.h"
#include "core/pipeline/transforms.h"
#include "tests/core/support/converted.h"
#include "tests/core/support/test_graph.h"

namespace mo::test {
namespace {

struct ContractText {
  std::string ops, inputs, attributes, meaning;
};
const ContractText kTexts[] = {
#define MO_CONTRACT(ops, inputs, attributes, meaning) {ops, inputs, attributes, meaning},
#include "core/ops/contracts.def"
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(Contracts, EveryRowIsWellFormed) {
  const std::regex input(R"([A-Za-z]\w*[?*]?)"),
      attribute(
          R"(\w+:((tensor|graph|shape|strings|floats|type|string|ints|int|float|bool|padding)\??|bool=(true|false)|)"
          R"(int=-?\d+|float=-?[\d.e-]+|string=[\w.]+|type=[a-z]+\d+|ints=\d+(,\d+)*))");
  std::set<std::string> seen;
  for (const ContractText& row : kTexts) {
    for (const std::string& op : words_of(row.ops)) EXPECT_TRUE(seen.insert(op).second) << op << " has two rows";
    for (const std::string& name : words_of(row.inputs)) EXPECT_TRUE(std::regex_match(name, input)) << name;
    for (const std::string& rule : words_of(row.attributes)) EXPECT_TRUE(std::regex_match(rule, attribute)) << rule;
    EXPECT_EQ(row.meaning.back(), '.') << row.ops;
  }
  EXPECT_EQ(all_contracts().size(), std::size(kTexts));
}

TEST(Contracts, EveryDefinitionAndDecompositionHasOne) {
  for (const OpDef* definition : all_ops()) EXPECT_NE(find_contract(definition->op), nullptr) << definition->op;
  const auto functions = onnx::function_ops();
  for (const TransformRow& row : all_transforms()) {
    if (row.phase != Phase::Infer) continue;
    const std::unique_ptr<Transform> made = row.make();
    for (const std::string_view op : static_cast<Decomposition&>(*made).ops())
      EXPECT_TRUE(find_contract(op) || std::find(functions.begin(), functions.end(), op) != functions.end()) << op;
  }
}

TEST(Contracts, EveryOneIsOfSomethingThatBecomesIr) {
  std::set<std::string_view> known;
  for (const OpDef* definition : all_ops()) known.insert(definition->op);
  for (const TransformRow& row : all_transforms()) {
    const std::unique_ptr<Transform> made = row.make();
    const bool decomposes = row.phase == Phase::Infer;
    for (const std::string_view op : decomposes ? static_cast<Decomposition&>(*made).ops() : made->replaced_ops())
      known.insert(op);
  }
  for (const ContractText& row : kTexts)
    for (const std::string& op : words_of(row.ops)) EXPECT_TRUE(known.count(op)) << op;
}

using Extract = std::function<void(Node&)>;

/// y = Relu(x), where nodes "a" and "b" have an operation that `extract` reads.
Converted extracted_by(const Extract& extract, const Texts& attributes = {}, Extensions extensions = {}) {
  extensions.extractors.push_back({"Foo",
                                   "onnx",
                                   {},
                                   [&](Node& node) {
                                     extract(node);
                                     return true;
                                   },
                                   {}});
  OnnxGraph model;
  model.input("x", "2,3").node("Foo", {"x"}, {"s"}, attributes, "a", "com.acme");
  model.node("Foo", {"s"}, {"t"}, attributes, "b", "com.acme").node("Relu", {"t"}, {"y"}).output("y");
  return convert_model(model, &extensions);
}

void expect_failure(const Converted& converted, Code code, const std::string& detail, const std::string& hint) {
  ASSERT_FALSE(converted.ok());
  const auto& messages = converted.conversion->messages();
  ASSERT_EQ(messages.size(), 2U);  // both nodes are reported
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(messages[i].code, code_text(code)) << messages[i].text;
    EXPECT_EQ(messages[i].node, i == 0 ? "a" : "b");
    EXPECT_EQ(messages[i].op, "Foo");
    EXPECT_NE(messages[i].text.find(detail), std::string::npos) << messages[i].text;
    EXPECT_NE(messages[i].hint.find(hint), std::string::npos) << messages[i].hint;
  }
}

TEST(Contracts, AnUnknownAttributeIsToldWithThoseThatAreKnown) {
  const Converted converted = extracted_by([](Node& node) {
    node.set_op("AttributedHardSigmoid");
    node.set("alpha", 0.5);
    node.set("beta", 0.5);
    node.set("bias", 1.0);
  });
  expect_failure(converted, Code::UnknownAttribute, "bias of AttributedHardSigmoid", "has alpha, beta");
}

TEST(Contracts, AMissingAttributeIsTold) {
  expect_failure(extracted_by([](Node& node) { node.set_op("LeakyReLU"); }), Code::MissingAttribute, "alpha",
                 "LeakyReLU has alpha");
}

TEST(Contracts, AnAttributeOfAnotherTypeIsTold) {
  const Converted converted = extracted_by([](Node& node) {
    node.set_op("LeakyReLU");
    node.set("alpha", std::string("much"));
  });
  expect_failure(converted, Code::AttributeType, "alpha of LeakyReLU is no float", "has alpha");
}

TEST(Contracts, AMissingInputIsTold) {
  const Converted converted = extracted_by([](Node& node) { node.set_op("PReLU"); });
  expect_failure(converted, Code::MissingInput, "input 1", "");
}

TEST(Contracts, APaddingHasOneSpelling) {
  TestGraph t;
  for (const char* op :
       {"Conv", "Pooling", "LpPool", "NhwcConv", "QLinearConv", "ExtractImagePatches", "Convolution"}) {
    Node& node = t.add(op, op, {}, 1);
    for (const char* key : {"pool_method", "kernel_shape", "sizes", "strides", "dilations"}) node.set(key, Ints{1, 1});
    node.set("pool_method", std::string("max"));
    const auto settled = [&](const char* text) {
      node.set("auto_pad", std::string(text));
      complete_by_contract(node);
      return node.get_string("auto_pad");
    };
    EXPECT_EQ(settled("SAME_UPPER"), "same_upper") << op;
    EXPECT_EQ(settled("same_lower"), "same_lower") << op;
    EXPECT_EQ(settled("NOTSET"), "explicit") << op;
    EXPECT_EQ(settled("SAME"), "SAME") << op;  // for the reader to refuse
  }
}

TEST(Contracts, WholeNumbersStandForOthersAndNamesForTypes) {
  const Converted elu = extracted_by([](Node& node) {
    node.set_op("Elu");
    node.set("alpha", int64_t{2});
  });
  ASSERT_TRUE(elu.ok()) << elu.message().text;
  EXPECT_EQ(text_of(elu.layer("a").child("data"), "alpha"), "2");
  const Converted cast = extracted_by([](Node& node) {
    node.set_op("CastONNX");
    node.set("dst_type", std::string("i32"));
    node.set("saturate", int64_t{0});
  });
  ASSERT_TRUE(cast.ok()) << cast.message().text;
  EXPECT_EQ(precision(cast.layer("a")), "I32");
}

TEST(Contracts, WhatTheFrameworkLeftBehindIsDropped) {
  Strings left;
  Extensions extensions;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    for (const Node* node : graph.nodes("Elu")) left = attribute_names(*node);
  });
  const Converted converted = extracted_by(
      [](Node& node) {
        node.set_op("Elu");
        node.set("alpha", node.get_int("slope"));
      },
      {onnx_attribute("slope", 1), onnx_attribute("consumed_inputs", Ints{0})}, std::move(extensions));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(left, Strings{"alpha"});
}

TEST(Contracts, ABuiltInExtractorKeepsWhatTheContractKnows) {
  OnnxGraph model;
  model.input("x", "2,3").opset(1).output("y");
  model.node("LeakyRelu", {"x"}, {"y"}, {onnx_attribute("consumed_inputs", Ints{0})}, "n");
  Strings left;
  Extensions extensions;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    for (const Node* node : graph.nodes("LeakyReLU")) left = attribute_names(*node);
  });
  const Converted converted = convert_model(model, &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(left, Strings{"alpha"});
}

TEST(Contracts, AnAttributeOfAModelThatHasAnotherTypeIsTold) {
  OnnxGraph model;
  model.input("x", "2,3").node("Elu", {"x"}, {"y"}, {onnx_text_attribute("alpha", "1")}, "n").output("y");
  const Converted converted = convert_model(model);
  EXPECT_EQ(converted.code(), code_text(Code::AttributeType));
  EXPECT_EQ(converted.message().node, "n");
}

TEST(Contracts, WhatATransformationMakesGetsItsValuesAndLacksNone) {
  const auto with_leaky_relu = [](NewAttributes attributes) {
    const Attributes given(attributes);
    Extensions extensions;
    add_transform(extensions, "Replace", Phase::Front, [&](Graph& graph) {
      for (Node* node : graph.nodes("ReLU")) {
        node->set_op("LeakyReLU");
        node->attributes.update(given);
      }
    });
    OnnxGraph model;
    model.input("x", "2,3").node("Relu", {"x"}, {"y"}, {}, "n").output("y");
    return convert_model(model, &extensions);
  };
  EXPECT_TRUE(with_leaky_relu({{"alpha", 1}, {"mark_of_its_own", true}}).ok());
  const Converted without = with_leaky_relu({});
  EXPECT_EQ(without.code(), code_text(Code::MissingAttribute));
  EXPECT_EQ(without.message().node, "n");
}

TEST(Contracts, AnOperationOfTheUsersIsNotLookedAt) {
  Extensions extensions;
  extensions.ops.push_back(same_shape_op("Elu", "MyElu"));
  const Converted converted = extracted_by(
      [](Node& node) {
        node.set_op("Elu");
        node.set("anything", Strings{"goes"});
      },
      {}, std::move(extensions));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(text_of(converted.layer("a"), "type"), "MyElu");
}

TEST(FormerNames, ExtractorsMayUseThem) {
  const Converted clamp = extracted_by([](Node& node) {
    node.set_op("Clamp");
    node.set("min", 0.0);
    node.set("max", 6.0);
  });
  ASSERT_TRUE(clamp.ok()) << clamp.message().text;
  EXPECT_EQ(text_of(clamp.layer("a").child("data"), "max"), "6");
  const Converted blocks = extracted_by([](Node& node) {
    node.set_op("DepthToSpace");
    node.set("blocksize", int64_t{0});
  });
  EXPECT_NE(blocks.code(), code_text(Code::UnknownAttribute)) << blocks.message().text;
}

TEST(FormerNames, EveryOneStandsForSomethingThatIsThere) {
#define MO_FORMER_OP(op, former)               \
  EXPECT_NE(find_contract(op), nullptr) << op; \
  EXPECT_EQ(ops_called_before(former).size(), 1U) << former;
#define MO_FORMER_ATTRIBUTE(ops, attribute, former)                    \
  for (const std::string& op : words_of(ops)) {                        \
    ASSERT_NE(find_contract(op), nullptr) << op;                       \
    EXPECT_TRUE(has_attribute(*find_contract(op), attribute)) << op;   \
    EXPECT_FALSE(has_attribute(*find_contract(op), former)) << former; \
  }
#include "core/ops/former_names.def"
}

}  // namespace
}  // namespace mo::test
