#include "core/ir/runtimes.h"

#include <gtest/gtest.h>

namespace mo {
namespace {

TEST(Runtimes, TheOldestReadsOperationSetsUpTo13) {
  for (const char* version : {"opset1", "opset9", "opset13"}) EXPECT_EQ(first_runtime("MaxPool", version), "2023.3");
}

TEST(Runtimes, AnOperationIsAsYoungAsItsVersion) {
  EXPECT_EQ(first_runtime("MaxPool", "opset14"), "2024.1");
  EXPECT_EQ(first_runtime("AvgPool", "opset16"), "2025.3");
  EXPECT_EQ(first_runtime("ScatterNDUpdate", "opset15"), "2024.2");
  EXPECT_EQ(first_runtime("ScatterNDUpdate", "opset4"), "2023.3");
}

TEST(Runtimes, OneThatNoTableListsCameWithItsSetAtTheLatest) {
  EXPECT_EQ(first_runtime("Inverse", "opset14"), "2024.1");
  EXPECT_EQ(first_runtime("STFT", "opset15"), "2024.5");
  EXPECT_EQ(first_runtime("ISTFT", "opset16"), "2025.4");
}

TEST(Runtimes, SomeTypesAreYounger) {
  EXPECT_EQ(first_runtime(ElementType::I4), "2023.3");
  EXPECT_EQ(first_runtime(ElementType::F8E4M3), "2024.0");
  EXPECT_EQ(first_runtime(ElementType::U2), "2024.1");
  EXPECT_EQ(first_runtime(ElementType::F4E2M1), "2024.3");
}

}  // namespace
}  // namespace mo
