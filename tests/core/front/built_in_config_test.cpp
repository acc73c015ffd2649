// Configurations that are part of the program: found by name, and read like a file.
#include <gtest/gtest.h>

#include <sstream>

#include "core/front/config/built_in.h"
#include "core/front/config/transformations_config.h"
#include "core/mo.h"
#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

TEST(BuiltInConfigs, AreFoundByNameAndByThePathsOfModelOptimizer) {
  const auto text = built_in_config("ssd_v2_support.json");
  ASSERT_TRUE(text);
  for (const char* path : {"ssd_v2_support", "front/tf/ssd_v2_support.json", "extensions/front/tf/ssd_v2_support.json",
                           "/opt/model_optimizer/extensions/front/tf/ssd_v2_support.json",
                           "C:\\model_optimizer\\extensions\\front\\tf\\ssd_v2_support.json"})
    EXPECT_EQ(built_in_config(path), text) << path;
  for (const char* path : {"", ".json", "ssd_v2_support.txt", "./ssd_v2_support.json", "my/ssd_v2_support.json",
                           "front/onnx/ssd_v2_support.json", "upfront/tf/ssd_v2_support.json", "ssd_v2_support.json/"})
    EXPECT_FALSE(is_built_in_config(path)) << path;
}

TEST(BuiltInConfigs, EveryOneIsWellFormedAndListed) {
  std::istringstream lines(list_configurations());
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const std::string name = line.substr(0, line.find(' '));
    const auto text = built_in_config(name);
    ASSERT_TRUE(text) << name;
    for (const ReplacementDescription& entry : parse_transformations_config(*text))
      EXPECT_NE(line.find(entry.id), std::string::npos) << line;
  }
  EXPECT_EQ(count, 45U);
}

TEST(BuiltInConfigs, AFileOfTheUserComesFirst) {
  const auto warnings = [](const char* value, const char* file) {
    OnnxGraph model;
    model.input("x", "2,3").node("Relu", {"x"}, {"y"}).output("y");
    MemoryFiles files;
    files.put("model.onnx", model.model());
    if (file) {
      const auto bytes = std::as_bytes(std::span(file, std::strlen(file)));
      files.put(value, {bytes.begin(), bytes.end()});
    }
    const auto conversion = convert(files, "model.onnx", {{"transformations_config", value}, {"model_name", "m"}});
    std::string out;
    for (const Message& message : conversion->messages()) out += message.text + "\n";
    return out;
  };
  EXPECT_NE(warnings("faster_rcnn.json", nullptr).find("'486', '454'"), std::string::npos);
  EXPECT_NE(warnings("faster_rcnn.json", R"([{"id": "Mine", "match_kind": "general"}])").find("'Mine'"),
            std::string::npos);
  // A host without paths gives the name as the file's text.
  EXPECT_NE(warnings("/transformations_config", " mask_rcnn.json\n").find("'486', '454'"), std::string::npos);
}

}  // namespace
}  // namespace mo::test
