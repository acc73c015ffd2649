#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "core/mo.h"

namespace mo {

TEST(Version, IsThatOfThePackage) {
  std::ifstream file("package.json");
  const std::string package{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(package.find("\"version\": \"" + std::string(version()) + "\""), std::string::npos) << package;
}

}  // namespace mo
