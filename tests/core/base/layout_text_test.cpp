#include "core/base/layout_text.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {
namespace {

/// The layout in IR's form, or the message.
std::string layout(std::string_view text) {
  try {
    return layout_text(text);
  } catch (const Error& error) {
    return cat(info(error.code()).name, ": ", error.what());
  }
}

std::string order(std::string_view from, std::string_view to, int rank) {
  const auto found = order_between(layout_text(from), layout_text(to), rank);
  return found ? join(*found, std::string_view(" ")) : "none";
}

TEST(LayoutText, ReadsWhatTheRuntimeReads) {
  EXPECT_EQ(layout("nchw"), "[N,C,H,W]");
  EXPECT_EQ(layout("[n,C,h,W]"), "[N,C,H,W]");
  EXPECT_EQ(layout("n...c"), "[N,...,C]");
  EXPECT_EQ(layout("[N,...,C]"), "[N,...,C]");
  EXPECT_EQ(layout("?c??"), "[?,C,?,?]");
  EXPECT_EQ(layout("[batch,channels,depth,height,width]"), "[N,C,D,H,W]");
  EXPECT_EQ(layout("[channel]"), "[C]");
  EXPECT_EQ(layout("1234"), "[1,2,3,4]");
  EXPECT_EQ(layout("[N,c1,H,w_2]"), "[N,C1,H,W_2]");
  EXPECT_EQ(layout("..."), "[...]");
}

TEST(LayoutText, RefusesTheRestWithTheWord) {
  EXPECT_EQ(layout(""), "BadLayout: \"\"");
  EXPECT_EQ(layout("[nchw"), "BadLayout: [nchw, did you forget quotes?");
  EXPECT_EQ(layout("nchw]"), "BadLayout: nchw], did you forget quotes?");
  EXPECT_EQ(layout("nchw-"), "BadLayout: nchw-, did you forget quotes?");
  EXPECT_EQ(layout("nnhw"), "BadLayout: nnhw: N is defined multiple times");
  EXPECT_EQ(layout("[...,c,...]"), "BadLayout: [...,c,...]: ... is defined multiple times");
  for (const char* bad : {"n-chw", "n..hw", "n....c", "n_c", "[a_1,_]", "[n*c,h]", "[n, c]", "[]", "[n,,c]", "[n.,c]"})
    EXPECT_EQ(layout(bad), cat("BadLayout: ", bad));
}

TEST(LayoutText, NamesTheAxesOfATensor) {
  EXPECT_EQ(axis_named("[N,...,C]", "C", 5), 4u);
  EXPECT_EQ(axis_named("[N,...,C]", "C", 2), 1u);
  EXPECT_EQ(axis_named("[N,...,C]", "C", 1), std::nullopt);
  EXPECT_EQ(axis_named("[N,...,C]", "C", -1), std::nullopt);
  EXPECT_EQ(axis_named("[N,C]", "C", -1), 1u);
  EXPECT_EQ(axis_named("[N,C]", "C", 3), std::nullopt);
  EXPECT_EQ(axis_named("[N,C]", "W", 2), std::nullopt);
}

TEST(LayoutText, OrdersAxesByTheirNames) {
  EXPECT_EQ(order("nchw", "nhwc", 4), "0 2 3 1");
  EXPECT_EQ(order("nhwc", "nchw", -1), "0 3 1 2");
  EXPECT_EQ(order("?c??", "???c", 4), "0 2 3 1");
  EXPECT_EQ(order("nc...", "n...c", 5), "0 2 3 4 1");
  EXPECT_EQ(order("nchw", "n...c", 4), "0 2 3 1");
  EXPECT_EQ(order("nchw", "nchw", 4), "0 1 2 3");
  EXPECT_EQ(order("nchw", "nhwd", 4), "none");
  EXPECT_EQ(order("nchw", "nc", 4), "none");
  EXPECT_EQ(order("nchw", "nhwc", 3), "none");
  EXPECT_EQ(order("?c??", "nhwc", 4), "none");
}

}  // namespace
}  // namespace mo
