// What holds of a conversion, and of what is loaded, as objects.

#include "core/base/text.h"
#include "core/pipeline/transforms.h"
#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

MemoryFiles relu() {
  MemoryFiles files;
  files.put("m.onnx", OnnxGraph().input("x", "2").node("Relu", {"x"}, {"y"}).output("y").model());
  return files;
}

/// A function that is a temporary of the call: `calls` says how often it was called, and who has it.
std::function<void(const Progress&)> counting(const std::shared_ptr<int>& calls) {
  return [calls](const Progress&) { ++*calls; };
}

TEST(Conversion, OwnsItsProgressFunction) {
  const auto calls = std::make_shared<int>(0);
  MemoryFiles files = relu();
  const auto conversion = convert(files, "m.onnx", {}, counting(calls));
  EXPECT_TRUE(conversion->ok());
  EXPECT_GT(*calls, 0);
  EXPECT_GT(calls.use_count(), 1) << "its graph may still report";
  const Inspection inspection = inspect(files, "m.onnx", {}, counting(calls));
  EXPECT_GT(calls.use_count(), 2);
}

TEST(Conversion, EachPhaseBeginsWithOneTransform) {
  std::string begun;
  for (const ScheduledTransform& entry : schedule_transforms())
    if (const auto phase = entry.transform->begins()) begun += cat(entry.name, " ", phase_name(*phase), "\n");
  EXPECT_EQ(begun, "PartialInfer infer\nMarkSubGraphsWithCorrectLayout layout\nBackStart back\n");
}

}  // namespace
}  // namespace mo::test
