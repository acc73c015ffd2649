#include "core/front/companions/file_name.h"

#include <gtest/gtest.h>

#include "core/front/companions/folder_names.h"

namespace mo {
namespace {

TEST(FileName, PartsOfAPath) {
  EXPECT_EQ(folder_part("a/b/net.pb"), "a/b/");
  EXPECT_EQ(folder_part("net.pb"), "");
  EXPECT_EQ(bare_name("a/b/net.pb"), "net.pb");
  EXPECT_EQ(stem_of("a.b/net.v2.pb"), "net.v2");
  EXPECT_EQ(stem_of("net"), "net");
  EXPECT_EQ(stem_of("a/.hidden"), ".hidden");
}

TEST(FileName, Patterns) {
  EXPECT_TRUE(fits_pattern("net.index", "{stem}.index", "net"));
  EXPECT_FALSE(fits_pattern("net.index", "{stem}.index", "nets"));
  EXPECT_TRUE(fits_pattern("a.ckpt-12", "*.ckpt-#", ""));
  EXPECT_FALSE(fits_pattern("a.ckpt-", "*.ckpt-#", ""));
  EXPECT_FALSE(fits_pattern("a.ckpt-1x", "*.ckpt-#", ""));
  EXPECT_TRUE(fits_pattern("a.ckpt-3-00000-of-00012", "*.ckpt-#-00000-of-#", ""));
  EXPECT_TRUE(fits_pattern("", "*", ""));
  EXPECT_FALSE(fits_pattern("", "#", ""));
  EXPECT_TRUE(fits_pattern("xaax", "*a*a*", ""));
  EXPECT_FALSE(fits_pattern("xax", "*a*a*", ""));
  // The stem is text, whatever is in it.
  EXPECT_FALSE(fits_pattern("net.index", "{stem}.index", "*"));
}

TEST(FileName, PatternsOfHostileLengthTakeNoTime) {
  const std::string name(60'000, 'a');
  EXPECT_FALSE(fits_pattern(name + "b", "*a*a*a*a*a*a*a*a*c", ""));
}

TEST(FolderNames, FindsByStemAndWithout) {
  FolderNames names({"d/b.index", "d/a.index", "d/a.data-00000-of-00001", "d/a.b/", "d/a.ckpt"});
  using Paths = std::vector<std::string>;
  EXPECT_EQ(names.fitting("{stem}.index", "a"), (Paths{"d/a.index"}));
  EXPECT_EQ(names.fitting("*.index *.ckpt", "a"), (Paths{"d/a.ckpt", "d/a.index", "d/b.index"}));
  EXPECT_EQ(names.fitting("{stem}.data-# {stem}.*", "a"), (Paths{"d/a.ckpt", "d/a.data-00000-of-00001", "d/a.index"}));
  EXPECT_EQ(names.fitting("*.pb", "a"), Paths{});
}

}  // namespace
}  // namespace mo
