// Which transformations run, how often, and what happens after them.

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

using Runs = std::vector<std::string>;

/// Records the names of the transformations that ran.
struct Recorder {
  ScriptedTransform& add(const std::string& name, Phase phase = Phase::Front) {
    return add_transform(extensions, name, phase, [this, name](Graph&) { runs.push_back(name); });
  }
  Runs convert(const std::vector<OptionText>& options = {}) {
    runs.clear();
    converted = convert_model(chain({"Relu"}), &extensions, options);
    return runs;
  }
  Extensions extensions;
  Runs runs;
  Converted converted;
};

TEST(Spec, T_01_AllPhasesHaveTheSameSwitches) {
  for (const Phase phase : {Phase::Front, Phase::Middle, Phase::Back}) {
    Recorder r;
    r.add("Off", phase).on = false;
    r.add("Refused", phase).condition = [](Graph&) { return false; };
    r.add("ById", phase).own_id = "id";
    r.add("Runs", phase).cleans_up = true;
    EXPECT_EQ(r.convert({{"disabled_transforms", "id"}}), Runs{"Runs"});
  }
}

TEST(Spec, T_02_ItRunsUnlessItIsDisabled) {
  Recorder r;
  r.add("A");
  r.add("B").on = false;
  EXPECT_EQ(r.convert(), Runs{"A"});
}

TEST(Spec, T_03_EnabledMayChangeUntilItsTurn) {
  Recorder r;
  ScriptedTransform& b = r.add("B");
  add_transform(r.extensions, "A", Phase::Front, [&](Graph&) { b.on = false; }).before = {"B"};
  EXPECT_EQ(r.convert(), Runs());
  EXPECT_TRUE(r.converted.ok());
  b.on = true;
  r.extensions.transforms.pop_back();
  EXPECT_EQ(r.convert(), Runs{"B"});
}

TEST(Spec, T_04_IdsAndNamesAreUnique) {
  Recorder r;
  r.add("A").own_id = "same";
  ScriptedTransform& b = r.add("B");
  r.add("C");
  EXPECT_EQ(r.convert().size(), 3u);  // B and C may both lack an id
  b.own_id = "same";
  r.convert();
  EXPECT_EQ(r.converted.code(), code_text(Code::DuplicateTransform));
  EXPECT_NE(r.converted.message().text.find("same"), std::string::npos);
  Recorder twice;
  twice.add("A");
  twice.add("A");
  twice.convert();
  EXPECT_EQ(twice.converted.code(), code_text(Code::DuplicateTransform));
}

TEST(Spec, T_05_TransformationsAreEnabledById) {
  Recorder r;
  ScriptedTransform& a = r.add("A");
  a.on = false, a.own_id = "a";
  ScriptedTransform& b = r.add("B");
  b.own_id = "b", b.after = {"A"};
  EXPECT_EQ(r.convert({{"enabled_transforms", "a, b"}}), (Runs{"A", "B"}));
  EXPECT_EQ(r.convert(), Runs{"B"});
}

TEST(Spec, T_06_TransformationsAreDisabledById) {
  Recorder r;
  r.add("A").own_id = "a";
  r.add("B");
  EXPECT_EQ(r.convert({{"disabled_transforms", "a"}}), Runs{"B"});
}

TEST(Spec, T_07_SwitchesWinOverEnabledAlsoAtRunTime) {
  Recorder r;
  ScriptedTransform &on = r.add("On"), &off = r.add("Off");
  off.on = false;
  add_transform(r.extensions, "First", Phase::Front, [&](Graph&) { on.on = true, off.on = false; }).before = {"On",
                                                                                                              "Off"};
  EXPECT_EQ(r.convert({{"enabled_transforms", "Off"}, {"disabled_transforms", "On"}}), Runs{"Off"});
  EXPECT_EQ(r.convert({{"enabled_transforms", "Off"}, {"disabled_transforms", "Off"}}), Runs{"On"});
}

TEST(Spec, T_08_FullNamesMeanPhaseAndClass) {
  Recorder r;
  r.add("Mine");
  for (const char* name : {"my_ext.front.Mine.Mine", "front.Mine", "Mine"})
    EXPECT_EQ(r.convert({{"disabled_transforms", name}}), Runs()) << name;
  r.convert({{"disabled_transforms", "my_ext.back.Mine.Mine"}});
  EXPECT_EQ(r.converted.code(), code_text(Code::UnknownTransform));
  // An unregistered name of Model Optimizer is not an error.
  EXPECT_EQ(r.convert({{"disabled_transforms", "extensions.back.NonmalizeToNormalizeL2.NormalizeToNormalizeL2"}}),
            Runs{"Mine"});
}

TEST(Spec, T_08_BuiltInOnesAreSwitchedByFullName) {
  OnnxGraph model;
  model.input("x", "4").weight(onnx_floats("w", {4}, {1, 2, 3, 4})).node("Pow", {"x", "w"}, {"y"}).output("y");
  const auto size = [&](std::vector<OptionText> options) {
    options.push_back({"compress_to_fp16", "True"});
    return convert_model(model, nullptr, options).bin().size();
  };
  EXPECT_EQ(size({}), 8u);
  EXPECT_EQ(size({{"disabled_transforms", "openvino.tools.mo.back.CompressFloatConstants.CompressFloatConstants"}}),
            16u);
}

/// An If with an Abs in each of its two bodies, after a Relu.
OnnxGraph branches() {
  const auto body = [](const char* name) {
    OnnxGraph out;
    out.node("Abs", {"r"}, {name}, {}, name).output(name);
    return onnx_graph_attribute(std::string(name) + "_branch", out);
  };
  OnnxGraph model;
  model.input("x", "2,3").input("c", "", OnnxGraph::kBool).node("Relu", {"x"}, {"r"}, {}, "relu");
  return model.node("If", {"c"}, {"y"}, {body("then"), body("else")}, "if").output("y");
}

TEST(Spec, T_09_ItRunsInBodiesUnlessToldOtherwise) {
  Recorder r;
  std::vector<std::string> seen;
  ScriptedTransform& look = add_transform(r.extensions, "Look", Phase::Front, [&](Graph& graph) {
    for (const Node* node : graph.nodes("Abs")) seen.push_back(node->name());
    for (const Node* node : graph.nodes("ReLU")) seen.push_back(node->name());
  });
  EXPECT_FALSE(look.run_not_recursively());
  convert_model(branches(), &r.extensions);
  EXPECT_EQ(seen, (Runs{"relu", "then", "else"}));
  seen.clear();
  look.only_model = true;
  convert_model(branches(), &r.extensions);
  EXPECT_EQ(seen, Runs{"relu"});
}

TEST(Spec, T_10_CleanUpFollowsWhereItIsAskedFor) {
  for (const bool cleans_up : {false, true}) {
    Recorder r;
    size_t dangling = 9, constants = 0;
    ScriptedTransform& leave = add_transform(r.extensions, "Leave", Phase::Front, [](Graph& graph) {
      Builder(graph, "left").node("Abs", {*graph.find("Op1")});
    });
    leave.before = {"Look"};
    leave.cleans_up = cleans_up;
    add_transform(r.extensions, "Look", Phase::Front, [&](Graph& graph) {
      dangling = graph.find("left/Abs") ? 1 : 0;
      constants = graph.nodes("Const").size();
    });
    ASSERT_TRUE(convert_model(five_operations(), &r.extensions).ok());
    EXPECT_EQ(dangling, cleans_up ? 0u : 1u);
    EXPECT_EQ(constants, 1u);  // needed nodes stay
  }
}

TEST(Spec, T_11_ShapesAreInferredAgainWhereItIsAskedFor) {
  for (const bool infers : {false, true}) {
    Recorder r;
    int calls = 0, seen = -1;
    r.extensions.ops.push_back(same_shape_op("Foo", "Foo"));
    r.extensions.ops[0].infer = [&](Node& node) {
      ++calls;
      node.out().tensor().shape = Shape{2, 3};
    };
    ScriptedTransform& mark = add_transform(r.extensions, "Mark", Phase::Front, [](Graph& graph) {
      graph.find("Relu")->set_op("Foo");
      graph.find("Relu")->require_shape_inference();
    });
    mark.before = {"Look"};
    mark.infers = infers;
    add_transform(r.extensions, "Look", Phase::Front, [&](Graph&) { seen = calls; });
    r.convert();
    EXPECT_EQ(seen, infers ? 1 : 0);
    EXPECT_EQ(calls, infers ? 2 : 1);
  }
}

TEST(Spec, T_12_ChangedInputsMarkTheirNode) {
  for (const Stage stage : kStages) {
    FourOperations s(stage);
    for (Node* node : s.graph.nodes()) node->shape_inference_done();
    s.op4->in(1).connect(s.op3->out());
    s.op2->in(0).disconnect();
    const bool tracked = stage != Stage::Front;
    EXPECT_EQ(s.op4->needs_shape_inference(), tracked);
    EXPECT_EQ(s.op2->needs_shape_inference(), tracked);
    EXPECT_FALSE(s.op3->needs_shape_inference());
    s.op3->require_shape_inference();
    EXPECT_TRUE(s.op3->needs_shape_inference());
  }
}

TEST(Spec, T_13_AConditionOnTheGraphDecides) {
  Recorder r;
  std::vector<std::string> asked;
  r.add("Yes").condition = [&](Graph& graph) {
    asked.push_back(graph.model().framework);
    return true;
  };
  r.add("No").condition = [](Graph&) { return false; };
  EXPECT_EQ(r.convert(), Runs{"Yes"});
  EXPECT_EQ(asked, Runs{"onnx"});
}

TEST(Spec, T_36_AGenericTransformationIsCalledOncePerGraph) {
  Recorder r;
  r.add("A");
  EXPECT_EQ(r.convert(), Runs{"A"});
  r.runs.clear();
  convert_model(branches(), &r.extensions);
  EXPECT_EQ(r.runs, (Runs{"A", "A", "A"}));
}

TEST(Spec, T_43_WhatIsRegisteredTakesPartInTheOrder) {
  Recorder r;
  r.add("Mine", Phase::Middle);
  const std::string table = list_transforms(std::vector<OptionText>{}, &r.extensions);
  EXPECT_NE(table.find(cat("middle  -", std::string(35, ' '), "Mine ")), std::string::npos) << table;
  EXPECT_EQ(list_transforms(std::vector<OptionText>{}).find("Mine"), std::string::npos);
  EXPECT_EQ(r.convert(), Runs{"Mine"});
}

}  // namespace
}  // namespace mo::test
