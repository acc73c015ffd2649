#include "tests/core/front/config_graphs.h"

namespace mo {
namespace {

using test::expect_error;

ReplacementDescription one(std::string_view json) { return parse_transformations_config(json).at(0); }
void refused(Code code, const std::string& part, std::string_view json) {
  expect_error(code, part, [&] { parse_transformations_config(json); });
}

TEST(Spec, J_03_TheThreeKindsAreToldApart) {
  EXPECT_EQ(one(R"([{"id": "a", "match_kind": "scope", "instances": ["x"]}])").kind, MatchKind::Scope);
  EXPECT_EQ(
      one(R"([{"id": "a", "match_kind": "points", "instances": {"start_points": ["x"], "end_points": ["y"]}}])").kind,
      MatchKind::Points);
  EXPECT_EQ(one(R"([{"id": "a", "match_kind": "general"}])").kind, MatchKind::General);
  refused(Code::UnknownMatchKind, "entry 1 (id 'a') has match_kind 'scopes'",
          R"([{"id": "a", "match_kind": "scopes"}])");
  refused(Code::UnknownMatchKind, "not a text", R"([{"id": "a", "match_kind": 1}])");
  EXPECT_EQ(info(Code::UnknownMatchKind).faq, 65);
}

TEST(Spec, J_04_TheFileIsAList) {
  EXPECT_EQ(
      parse_transformations_config(R"([{"id": "a", "match_kind": "general"}, {"id": "b", "match_kind": "general"}])")
          .size(),
      2u);
  EXPECT_EQ(parse_transformations_config("[]").size(), 0u);
  refused(Code::ConfigNotAList, "of type object", R"({"id": "a", "match_kind": "general"})");
  refused(Code::BadConfigEntry, "entry 2 is not an object", R"([{"id": "a", "match_kind": "general"}, 7])");
}

TEST(Spec, J_05_AnIdIsMandatoryAndUnique) {
  refused(Code::ConfigWithoutId, "entry 1 has no id", R"([{"match_kind": "general"}])");
  refused(Code::BadConfigEntry, "entry 1 has an id that is not a text", R"([{"id": "", "match_kind": "general"}])");
  refused(Code::BadConfigEntry, "entry 1 has an id that is not a text", R"([{"id": 5, "match_kind": "general"}])");
  refused(Code::ConfigDuplicateId, "entry 2 (id 'a')",
          R"([{"id": "a", "match_kind": "general"}, {"id": "a", "match_kind": "general"}])");
}

TEST(Spec, J_06_AMatchKindIsMandatory) {
  refused(Code::ConfigWithoutMatchKind, "entry 1 (id 'a') has no match_kind", R"([{"id": "a"}])");
  EXPECT_EQ(info(Code::ConfigWithoutMatchKind).faq, 71);
}

TEST(Spec, J_07_ScopeNeedsInstances) {
  EXPECT_EQ(one(R"([{"id": "a", "match_kind": "scope", "instances": ["x", ".*y"]}])").scopes, (Strings{"x", ".*y"}));
  refused(Code::ScopeWithoutInstances, "has no instances", R"([{"id": "a", "match_kind": "scope"}])");
  refused(Code::ScopeWithoutInstances, "has an empty list", R"([{"id": "a", "match_kind": "scope", "instances": []}])");
  refused(Code::ScopeWithoutInstances, "not a list", R"([{"id": "a", "match_kind": "scope", "instances": {}}])");
  refused(Code::BadConfigEntry, "an instance that is not", R"([{"id": "a", "match_kind": "scope", "instances": [1]}])");
  refused(Code::BadNamePattern, "(id 'a') has the pattern \"x(\"",
          R"([{"id": "a", "match_kind": "scope", "instances": ["x("]}])");
  EXPECT_EQ(info(Code::ScopeWithoutInstances).faq, 68);
}

TEST(Spec, J_08_CustomAttributesKeepTheirValuesAndTypes) {
  const CustomAttributes attributes = one(R"([{"id": "a", "match_kind": "general", "custom_attributes": {"z": "text",
    "count": 123456, "flag": false, "ratio": 1.0, "most": 9223372036854775807,
    "large": 18446744073709551615, "ints": [1, -2], "floats": [1, 0.5],
    "texts": ["b", "a"], "none": null, "object": {"y": 1, "x": [true]}, "mixed": [1, "a"]}}])")
                                          .custom_attributes;
  EXPECT_EQ(*attributes.values.get_if<std::string>("z"), "text");
  EXPECT_EQ(*attributes.values.get_if<int64_t>("count"), 123456);
  EXPECT_EQ(*attributes.values.get_if<bool>("flag"), false);
  EXPECT_EQ(*attributes.values.get_if<double>("ratio"), 1.0);
  EXPECT_EQ(*attributes.values.get_if<int64_t>("most"), INT64_MAX);
  EXPECT_EQ(*attributes.values.get_if<double>("large"), 18446744073709551615.0);
  EXPECT_EQ(*attributes.values.get_if<Ints>("ints"), (Ints{1, -2}));
  EXPECT_EQ(*attributes.values.get_if<Doubles>("floats"), (Doubles{1, 0.5}));
  EXPECT_EQ(*attributes.values.get_if<Strings>("texts"), (Strings{"b", "a"}));
  EXPECT_EQ(attributes.nested, (Strings{"none", "object", "mixed"}));
  EXPECT_EQ(
      attributes.json,
      R"({"z":"text","count":123456,"flag":false,"ratio":1.0,"most":9223372036854775807,)"
      R"("large":18446744073709551615,"ints":[1,-2],"floats":[1,0.5],"texts":["b","a"],"none":null,"object":{"y":1,"x":[true]},"mixed":[1,"a"]})");
  EXPECT_EQ(one(R"([{"id": "a", "match_kind": "general"}])").custom_attributes.json, "{}");
  refused(Code::BadConfigEntry, "custom_attributes that are not an object",
          R"([{"id": "a", "match_kind": "general", "custom_attributes": []}])");
}

TEST(Spec, J_12_InputsAndOutputsHaveTheirForm) {
  const std::string start = R"([{"id": "a", "match_kind": "scope", "instances": ["x"], )";
  const ReplacementDescription description = one(
      start +
      R"("inputs": [[{"node": "b$", "port": 1}, {"node": "c$", "port": 0}], []], "outputs": [{"node": "d$", "port": 2}]}])");
  EXPECT_EQ(*description.inputs, (InputPatterns{{{"b$", 1}, {"c$", 0}}, {}}));
  EXPECT_EQ(*description.outputs, (OutputPatterns{{"d$", 2}}));
  refused(Code::BadConfigEntry, "inputs that are not a list", start + R"("inputs": 1}])");
  refused(Code::BadConfigEntry, "inputs that are not a list of lists",
          start + R"("inputs": [{"node": "b", "port": 0}]}])");
  refused(Code::BadConfigEntry, "something else than {node, port}", start + R"("inputs": [[1]]}])");
  refused(Code::BadConfigEntry, "a node that is not a text", start + R"("inputs": [[{"port": 0}]]}])");
  refused(Code::BadConfigEntry, "a port that is not a number", start + R"("inputs": [[{"node": "b"}]]}])");
  refused(Code::BadConfigEntry, "a port that is not a number", start + R"("inputs": [[{"node": "b", "port": -1}]]}])");
  refused(Code::BadConfigEntry, "a port that is not a number", start + R"("outputs": [{"node": "b", "port": 0.5}]}])");
  refused(Code::BadConfigEntry, "a port that is not a number",
          start + R"("outputs": [{"node": "b", "port": 4294967296}]}])");
  refused(Code::BadConfigEntry, "outputs that are not a list", start + R"("outputs": {}}])");
  refused(Code::BadNamePattern, "has the pattern \"[\"", start + R"("outputs": [{"node": "[", "port": 0}]}])");
}

TEST(Spec, J_19_PointsNeedTwoListsOfNames) {
  const ReplacementDescription description = one(
      R"([{"id": "a", "match_kind": "points", "instances": {"start_points": ["s", "t", "s"], "end_points": ["e"]}}])");
  EXPECT_EQ(description.start_points, (Strings{"s", "t"}));
  EXPECT_EQ(description.end_points, Strings{"e"});
  const std::string start = R"([{"id": "a", "match_kind": "points")";
  refused(Code::PointsWithoutInstances, "has no instances", start + "}]");
  refused(Code::PointsNotAnObject, "not an object", start + R"(, "instances": ["s"]}])");
  refused(Code::BadConfigEntry, "has no end_points", start + R"(, "instances": {"start_points": ["s"]}}])");
  refused(Code::BadConfigEntry, "start_points that are not a list of names",
          start + R"(, "instances": {"start_points": "s", "end_points": ["e"]}}])");
  refused(Code::BadConfigEntry, "end_points that are not a list of names",
          start + R"(, "instances": {"start_points": ["s"], "end_points": [1]}}])");
  refused(Code::BadConfigEntry, "neither true nor false",
          start + R"(, "instances": {"start_points": ["s"], "end_points": ["e"]}, "include_inputs_to_sub_graph": 1}])");
  EXPECT_EQ(info(Code::PointsWithoutInstances).faq, 66);
  EXPECT_EQ(info(Code::PointsNotAnObject).faq, 67);
}

TEST(Spec, J_28_AGeneralEntryNeedsNoInstances) {
  const ReplacementDescription description = one(R"([
  {
    "id": "TFYOLO",
    "match_kind": "general",
    "custom_attributes": {
      "classes": 20,
      "coords": 4,
      "num": 2,
      "do_softmax": 0
    }
  }
])");
  EXPECT_EQ(description.id, "TFYOLO");
  EXPECT_EQ(description.custom_attributes.json, R"({"classes":20,"coords":4,"num":2,"do_softmax":0})");
}

TEST(Spec, J_31_TextPastedFromTheDocumentsIsRefusedWithItsPlace) {
  const std::string pasted = "[\n    {\n        \"instances\": [\n            \".\\*InceptionV4/Mixed_5b\"\n";
  refused(Code::ConfigNotJson, "line 4, column 16: \\* is no escape", pasted);
  try {
    parse_transformations_config(pasted);
  } catch (const Error& error) {
    EXPECT_NE(error.message().hint.find("write .*"), std::string::npos);
  }
  EXPECT_EQ(info(Code::ConfigNotJson).faq, 70);
}

TEST(ConfigText, HostileTextIsRefused) {
  refused(Code::ConfigNotJson, "line 1, column 1", "");
  refused(Code::ConfigNotJson, "line 2, column 2", "[\n1");
  refused(Code::ConfigNotJson, "line 1, column 3", "[]x");
  refused(Code::ConfigNotJson, "line 1, column", "[\"\xFF\"]");
  refused(Code::ConfigNotJson, "too large", "[1e999]");
  refused(Code::ConfigNotJson, "nests too deeply", std::string(1000000, '['));
  std::string keys = "[{\"k\": 1";
  for (int i = 0; i < 2000; ++i) keys += ", \"k" + std::to_string(i) + "\": 1";
  refused(Code::ConfigNotJson, "more than 1000 keys", keys + "}]");
  refused(Code::BadConfigEntry, "op that is not a text", R"([{"id": "a", "match_kind": "general", "op": 1}])");
}

TEST(Spec, J_02_FrameworksWithoutFrontTransformationsOfThisKindAreTold) {
  test::ConfigGraph g;
  g.graph.model().framework = "caffe";
  try {
    set_transformations_config(g.graph.model(), R"([{"id": "a", "match_kind": "general"}])");
    ADD_FAILURE() << "taken for Caffe";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::ConfigNotForFramework);
  }
  EXPECT_FALSE(transformations_config(g.graph.model()));
  g.graph.model().framework = "tf";
  set_transformations_config(g.graph.model(), R"([{"id": "a", "match_kind": "general"}])");
  EXPECT_TRUE(transformations_config(g.graph.model()));
}

}  // namespace
}  // namespace mo
