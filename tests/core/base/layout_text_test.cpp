#include "core/base/layout_text.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {
namespace {

/// The layout in IR's form, or the message.
std::string layout_or_refusal(std::string_view text) {
  try {
    return layout_text(text);
  } catch (const Error& error) {
    return cat(info(error.code()).name, ": ", error.what());
  }
}

std::string order_of_axes(std::string_view from, std::string_view to, int rank) {
  const auto found = order_between(layout_text(from), layout_text(to), rank);
  return found ? join(*found, std::string_view(" ")) : "none";
}

TEST(LayoutText, ReadsWhatTheRuntimeReads) {
  EXPECT_EQ(layout_or_refusal("nchw"), "[N,C,H,W]");
  EXPECT_EQ(layout_or_refusal("[n,C,h,W]"), "[N,C,H,W]");
  EXPECT_EQ(layout_or_refusal("n...c"), "[N,...,C]");
  EXPECT_EQ(layout_or_refusal("[N,...,C]"), "[N,...,C]");
  EXPECT_EQ(layout_or_refusal("?c??"), "[?,C,?,?]");
  EXPECT_EQ(layout_or_refusal("[batch,channels,depth,height,width]"), "[N,C,D,H,W]");
  EXPECT_EQ(layout_or_refusal("[channel]"), "[C]");
  EXPECT_EQ(layout_or_refusal("1234"), "[1,2,3,4]");
  EXPECT_EQ(layout_or_refusal("[N,c1,H,w_2]"), "[N,C1,H,W_2]");
  EXPECT_EQ(layout_or_refusal("..."), "[...]");
}

TEST(LayoutText, RefusesTheRestWithTheWord) {
  EXPECT_EQ(layout_or_refusal(""), "BadLayout: Invalid layout parsed: \"\"");
  EXPECT_EQ(layout_or_refusal("[nchw"), "BadLayout: Invalid layout parsed: [nchw, did you forget quotes?");
  EXPECT_EQ(layout_or_refusal("nchw]"), "BadLayout: Invalid layout parsed: nchw], did you forget quotes?");
  EXPECT_EQ(layout_or_refusal("nchw-"), "BadLayout: Invalid layout parsed: nchw-, did you forget quotes?");
  EXPECT_EQ(layout_or_refusal("nnhw"), "BadLayout: Invalid layout parsed: nnhw: N is defined multiple times");
  EXPECT_EQ(layout_or_refusal("[...,c,...]"),
            "BadLayout: Invalid layout parsed: [...,c,...]: ... is defined multiple times");
  for (const char* bad : {"n-chw", "n..hw", "n....c", "n_c", "[a_1,_]", "[n*c,h]", "[n, c]", "[]", "[n,,c]", "[n.,c]"})
    EXPECT_EQ(layout_or_refusal(bad), cat("BadLayout: Invalid layout parsed: ", bad));
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
  EXPECT_EQ(order_of_axes("nchw", "nhwc", 4), "0 2 3 1");
  EXPECT_EQ(order_of_axes("nhwc", "nchw", -1), "0 3 1 2");
  EXPECT_EQ(order_of_axes("?c??", "???c", 4), "0 2 3 1");
  EXPECT_EQ(order_of_axes("nc...", "n...c", 5), "0 2 3 4 1");
  EXPECT_EQ(order_of_axes("nchw", "n...c", 4), "0 2 3 1");
  EXPECT_EQ(order_of_axes("nchw", "nchw", 4), "0 1 2 3");
  EXPECT_EQ(order_of_axes("nchw", "nhwd", 4), "none");
  EXPECT_EQ(order_of_axes("nchw", "nc", 4), "none");
  EXPECT_EQ(order_of_axes("nchw", "nhwc", 3), "none");
  EXPECT_EQ(order_of_axes("?c??", "nhwc", 4), "none");
}

}  // namespace
}  // namespace mo
