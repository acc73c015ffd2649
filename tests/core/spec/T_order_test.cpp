// The order of transformations.

#include <algorithm>
#include <tuple>

#include "core/pipeline/transform_name.h"
#include "core/pipeline/transforms.h"
#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

/// The order including the user's transformations.
std::vector<std::string> order_of(const Extensions& extensions) {
  std::vector<std::string> out;
  for (const ScheduledTransform& entry : schedule_transforms("onnx", &extensions)) out.push_back(entry.name);
  return out;
}

/// Whether the names occur in that order.
bool in_order(const std::vector<std::string>& order, const std::vector<std::string>& names) {
  auto at = order.begin();
  for (const std::string& name : names) {
    at = std::find(at, order.end(), name);
    if (at == order.end()) return false;
  }
  return true;
}

TEST(Spec, T_14_RunBeforeNamesWhatComesLater) {
  Extensions extensions;
  add_transform(extensions, "Z", Phase::Front).before = {"A"};
  add_transform(extensions, "A", Phase::Front);
  EXPECT_TRUE(in_order(order_of(extensions), {"FrontStart", "Z", "A", "FrontFinish"}));
}

TEST(Spec, T_15_RunAfterNamesWhatComesEarlier) {
  Extensions extensions;
  add_transform(extensions, "A", Phase::Front).after = {"Z"};
  add_transform(extensions, "Z", Phase::Front);
  EXPECT_TRUE(in_order(order_of(extensions), {"FrontStart", "Z", "A", "FrontFinish"}));
}

TEST(Spec, T_17_MixedConstraintsHaveAValidOrder) {
  Extensions extensions;
  add_transform(extensions, "A", Phase::Front).after = {"C"};
  add_transform(extensions, "B", Phase::Front).before = {"C"};
  add_transform(extensions, "C", Phase::Front);
  EXPECT_TRUE(in_order(order_of(extensions), {"B", "C", "A"}));
}

TEST(Spec, T_17_ACircleIsAnErrorThatNamesItsMembers) {
  Extensions extensions;
  add_transform(extensions, "First", Phase::Front).after = {"Second"};
  add_transform(extensions, "Second", Phase::Front).after = {"First"};
  const Converted converted = convert_model(chain({"Relu"}), &extensions);
  EXPECT_EQ(converted.code(), code_text(Code::TransformCycle));
  EXPECT_NE(converted.message().text.find("First -> Second -> First"), std::string::npos) << converted.message().text;
}

TEST(Spec, T_17_AUnknownNeighbourIsAnError) {
  Extensions extensions;
  add_transform(extensions, "First", Phase::Front).after = {"NoSuchTransformation"};
  const Converted converted = convert_model(chain({"Relu"}), &extensions);
  EXPECT_EQ(converted.code(), code_text(Code::UnknownTransform));
  EXPECT_NE(converted.message().text.find("NoSuchTransformation"), std::string::npos);
  EXPECT_NE(converted.message().text.find("First"), std::string::npos);
}

TEST(Spec, T_18_ANeighbourThatIsNotHereLeavesTheAnchorsToHoldThePhase) {
  for (const auto& [phase, start, finish] :
       {std::tuple(Phase::Front, "FrontStart", "FrontFinish"), std::tuple(Phase::Middle, "MiddleStart", "MiddleFinish"),
        std::tuple(Phase::Back, "BackStart", "BackFinish")}) {
    Extensions before, after;
    add_transform(before, "A", phase).before = {"KaldiRemoveMemoryOutputBackReplacementPattern"};
    add_transform(after, "A", phase).after = {"KaldiRemoveMemoryOutputBackReplacementPattern"};
    EXPECT_TRUE(in_order(order_of(before), {start, "A", finish}));
    EXPECT_TRUE(in_order(order_of(after), {start, "A", finish}));
  }
}

TEST(Spec, T_18_AnchorsChangeNothingAndHoldTheirPhases) {
  const std::vector<ScheduledTransform> schedule = schedule_transforms();
  const std::vector<std::string> anchors = {"LoadFinish",  "FrontStart",   "FrontFinish",     "PreMiddleStart",
                                            "MiddleStart", "MiddleFinish", "PostMiddleStart", "ApplyPermutation",
                                            "BackStart",   "BackFinish"};
  std::vector<std::string> order;
  for (const ScheduledTransform& entry : schedule) order.push_back(entry.name);
  EXPECT_TRUE(in_order(order, anchors));
  FourOperations s;
  for (const ScheduledTransform& entry : schedule)
    if (std::find(anchors.begin(), anchors.end(), entry.name) != anchors.end())
      entry.transform->find_and_replace_pattern(s.graph);
  EXPECT_EQ(s.links(), FourOperations::kLinks);
  EXPECT_EQ(s.graph.size(), 5u);
  const auto at = [&](std::string_view name) { return std::find(order.begin(), order.end(), name) - order.begin(); };
  const auto within = [&](const ScheduledTransform& entry) {
    if (entry.phase == Phase::Front) return at(entry.name) < at("PartialInfer");
    if (entry.phase == Phase::Middle)
      return at("FrontFinish") < at(entry.name) && at(entry.name) < at("PostMiddleStart");
    return entry.phase != Phase::Back || at(entry.name) >= at("BackStart");
  };
  for (const ScheduledTransform& entry : schedule) EXPECT_TRUE(within(entry)) << entry.name;
}

TEST(Spec, T_19_WithoutConstraintsItRunsBetweenItsPhasesAnchors) {
  Extensions extensions;
  add_transform(extensions, "F", Phase::Front);
  add_transform(extensions, "M", Phase::Middle);
  add_transform(extensions, "B", Phase::Back);
  EXPECT_TRUE(in_order(order_of(extensions), {"FrontStart", "F", "FrontFinish", "MiddleStart", "M", "MiddleFinish",
                                              "BackStart", "B", "BackFinish"}));
}

TEST(Spec, T_20_HistoricalAnchorsAreHonoured) {
  Extensions extensions;
  ScriptedTransform& early = add_transform(extensions, "Early", Phase::Middle);
  early.after = {"PreMiddleStart"}, early.before = {"MiddleStart"};
  ScriptedTransform& late = add_transform(extensions, "Late", Phase::Middle);
  late.after = {"MiddleFinish"}, late.before = {"PostMiddleStart"};
  EXPECT_TRUE(in_order(order_of(extensions),
                       {"PreMiddleStart", "Early", "MiddleStart", "MiddleFinish", "Late", "PostMiddleStart"}));
}

TEST(Spec, X_09_BuiltInOnesAreNamedByTheSameLayout) {
  const std::vector<std::string> folders = {"front", "middle", "back"};
  for (const TransformRow& row : all_transforms()) {
    const std::string_view phase = phase_name(row.phase);
    if (std::find(folders.begin(), folders.end(), phase) == folders.end()) continue;
    const auto means = [&](std::string_view folder) {
      return TransformName(cat("extensions.", folder, ".", row.name, ".", row.name)).means(row.name, {}, row.phase);
    };
    for (const std::string& folder : folders) EXPECT_EQ(means(folder), folder == phase) << row.name << " in " << folder;
  }
}

TEST(Spec, X_13_BuiltInOnesServeAsNeighbours) {
  Extensions extensions;
  ScriptedTransform& mine = add_transform(extensions, "AAA", Phase::Middle);
  mine.after = {"RemoveIdentity"}, mine.before = {"Fusing"};
  EXPECT_TRUE(in_order(order_of(extensions), {"RemoveIdentity", "AAA", "Fusing"}));
  // Also for transformations of Model Optimizer that are not registered.
  mine.after = {"NoOpEraser", "StandaloneConstEraser", "SoftplusFusion", "RemoveIdentity"};
  EXPECT_TRUE(in_order(order_of(extensions), {"RemoveIdentity", "AAA", "Fusing"}));
}

}  // namespace
}  // namespace mo::test
