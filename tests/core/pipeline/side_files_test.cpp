// The files beside the pair: one list for all hosts.

#include "core/base/text.h"
#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

std::string names(const std::vector<SideFile>& files) {
  std::string out;
  for (const SideFile& file : files)
    out += cat(file.folder_option, file.folder_option.empty() ? "" : "/", file.name, " ");
  return out;
}

OnnxGraph relu_graph() { return OnnxGraph().input("x", "2").node("Relu", {"x"}, {"y"}).output("y"); }

TEST(SideFiles, HaveNamesBeforeTheConversion) {
  EXPECT_EQ(names(side_files_of({}, "m")), "");
  EXPECT_EQ(names(side_files_of({{"trace", "True"}, {"emit-check", "true"}, {"generate_mapping", "True"}}, "m")),
            "m.mapping check_m.py m.trace.json ");
  EXPECT_EQ(names(side_files_of({{"tensorboard_logdir", "log"}, {"trace", "False"}}, "m")),
            "tensorboard_logdir/events.out.tfevents.0000000000.mo ");
  EXPECT_EQ(names(side_files_of({{"save_params_from_nd", "True"}}, "m")), "") << "nothing is joined";
  EXPECT_EQ(names(side_files_of({{"save_params_from_nd", "True"}, {"nd_prefix_name", "p"}}, "m-x")),
            "m-x-0000.params ");
  EXPECT_EQ(names(side_files_of({{"save_params_from_nd", "True"}, {"nd_prefix_name", "p"}}, "m-0012")),
            "m-0012.params ");
  EXPECT_EQ(names(side_files_of({{"trace", "True"}, {"trace", "False"}, {"no_option", "True"}}, "m")), "");
}

TEST(SideFiles, AreThoseOfTheConversion) {
  const std::vector<OptionText> options = {{"model_name", "m"}, {"generate_mapping", "True"}, {"trace", "True"}};
  const Converted converted = convert_model(relu_graph(), nullptr, options);
  const std::vector<SideFile>& files = converted.conversion->side_files();
  ASSERT_EQ(names(files), "m.mapping m.trace.json ");
  EXPECT_TRUE(files[0].text.starts_with("<"));
  EXPECT_TRUE(files[1].text.starts_with("{"));
}

TEST(SideFiles, OfAFailureAreTheTraceOnly) {
  const std::vector<OptionText> options = {{"generate_mapping", "True"}, {"trace", "True"}, {"output", "nowhere"}};
  const Converted converted = convert_model(relu_graph(), nullptr, options);
  ASSERT_FALSE(converted.ok());
  ASSERT_EQ(converted.conversion->side_files().size(), 1u);
  EXPECT_EQ(converted.conversion->side_files()[0].kind, SideFile::Kind::Trace);
}

}  // namespace
}  // namespace mo::test
