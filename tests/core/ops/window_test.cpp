// Windows: rules of rounding against the formulas of the frameworks, how IR expresses them, and both ways to write
// them.
#include "core/ops/window.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/core/support/test_graph.h"

namespace mo::test {
namespace {

int64_t ceil_of(int64_t a, int64_t b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }
int64_t floor_of(int64_t a, int64_t b) { return a >= 0 ? a / b : -ceil_of(-a, b); }

/// Axes with 1 <= size, kernel, stride, dilation and 0 <= padding < extent, whose windows fit.
void for_each_axis(const std::function<void(int64_t, const WindowAxis&)>& check) {
  for (int64_t size = 1; size <= 12; ++size)
    for (int64_t kernel = 1; kernel <= 4; ++kernel)
      for (int64_t stride = 1; stride <= 5; ++stride)
        for (int64_t dilation = 1; dilation <= 2; ++dilation)
          for (int64_t begin = 0; begin < kernel; ++begin)
            for (int64_t end = 0; end < kernel; ++end)
              if (const int64_t extent = (kernel - 1) * dilation + 1; size + begin + end >= extent)
                check(size, {kernel, stride, dilation, begin, end});
}

/// The number of windows by the framework's own formula.
int64_t by_formula(Rounding rounding, int64_t size, const WindowAxis& axis, bool any_padding) {
  const int64_t room = size + axis.pad_begin + axis.pad_end - axis.extent().min;
  int64_t count = ceil_of(room, axis.stride) + 1;
  switch (rounding) {
    case Rounding::Floor: return floor_of(room, axis.stride) + 1;  // MXNet's valid
    case Rounding::Ceil: return count;                             // MXNet's full, PaddlePaddle
    case Rounding::CeilTorch:                                      // pooling_output_shape of PyTorch
      if ((count - 1) * axis.stride >= size + axis.pad_begin) --count;
      return count;
    case Rounding::CeilCaffe:  // PoolingLayer::Reshape
      if (any_padding && (count - 1) * axis.stride >= size + axis.pad_begin) --count;
      return count;
    default: return ceil_of(size + axis.pad_begin, axis.stride);  // MXNet's same, which has no padding
  }
}

SpatialWindow window_of(const WindowAxis& axis, Rounding rounding) {
  SpatialWindow window(1);
  window.kernel = {axis.kernel.min};
  window.strides = {axis.stride};
  window.dilations = {axis.dilation};
  window.pads_begin = {axis.pad_begin};
  window.pads_end = {axis.pad_end};
  window.rounding = rounding;
  return window;
}

constexpr Rounding kRules[] = {Rounding::Floor, Rounding::Ceil, Rounding::CeilTorch, Rounding::CeilCaffe,
                               Rounding::Starts};

TEST(SpatialWindow, CountsAsTheFrameworksDo) {
  for_each_axis([](int64_t size, const WindowAxis& axis) {
    for (const Rounding rounding : kRules) {
      const WindowAxis one = window_of(axis, rounding).axis(0);
      EXPECT_EQ(one.output(size), Dimension(by_formula(rounding, size, axis, axis.pad_begin || axis.pad_end)))
          << name_of(rounding) << " of " << size;
    }
  });
}

TEST(SpatialWindow, CaffeLooksAtThePaddingOfAllAxes) {
  SpatialWindow window(2);
  window.kernel = {1, 2};
  window.strides = {3, 1};
  window.rounding = Rounding::CeilCaffe;
  EXPECT_EQ(window.axis(0).output(3), Dimension(2));  // the second window starts behind the data
  window.pads_begin = {0, 1};
  EXPECT_EQ(window.axis(0).output(3), Dimension(1));
  EXPECT_EQ(window.axis(0).output({3, 4}), Dimension(1, 2));
}

TEST(SpatialWindow, IrHasTheSameWindowsForAKnownSize) {
  for_each_axis([](int64_t size, const WindowAxis& axis) {
    for (const Rounding rounding : kRules) {
      const SpatialWindow given = window_of(axis, rounding);
      const int64_t count = given.axis(0).output(size).min;
      SpatialWindow in_ir(1);
      try {
        in_ir = given.in_ir({size});
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Code::UnsupportedForm);
        EXPECT_GE((count - 1) * axis.stride, size + axis.pad_begin) << "only windows over nothing are refused";
        continue;
      }
      EXPECT_LE(in_ir.rounding, Rounding::CeilTorch);
      EXPECT_EQ(in_ir.axis(0).output(size), Dimension(count)) << name_of(rounding) << " of " << size;
      EXPECT_EQ(in_ir.pads_begin, given.pads_begin);
    }
  });
}

TEST(SpatialWindow, IrHasTheSameWindowsForEverySize) {
  for_each_axis([](int64_t, const WindowAxis& axis) {
    for (const Rounding rounding : kRules) {
      const SpatialWindow given = window_of(axis, rounding), in_ir = given.in_ir({kAnyDimension});
      for (int64_t size = axis.extent().min; size < 20; ++size)
        EXPECT_EQ(in_ir.axis(0).output(size), given.axis(0).output(size)) << name_of(rounding) << " of " << size;
    }
  });
}

TEST(SpatialWindow, PaddingAsLargeAsTheKernelNeedsAKnownSize) {
  SpatialWindow window(1);
  window.kernel = {2};
  window.strides = {2};
  window.pads_end = {2};
  window.rounding = Rounding::CeilCaffe;  // takes one window away, though two may start in the padding
  EXPECT_EQ(window.axis(0).output(4), Dimension(2));
  const SpatialWindow known = window.in_ir({4});
  EXPECT_EQ(known.rounding, Rounding::Floor);
  EXPECT_EQ(known.axis(0).output(4), Dimension(2));
  EXPECT_CODE(Code::UnsupportedForm, window.in_ir({kAnyDimension}));
}

TEST(SpatialWindow, IrSaysTheRuleThatTheOldestRuntimesKnow) {
  const auto rounding = [](Rounding rule, int64_t kernel, int64_t stride, int64_t pad_end) {
    return window_of({kernel, stride, 1, 0, pad_end}, rule).in_ir({kAnyDimension}).rounding;
  };
  EXPECT_EQ(rounding(Rounding::CeilTorch, 3, 2, 1), Rounding::Ceil);
  EXPECT_EQ(rounding(Rounding::CeilTorch, 2, 2, 1), Rounding::CeilTorch);
  EXPECT_EQ(rounding(Rounding::CeilCaffe, 3, 2, 1), Rounding::Ceil);
  EXPECT_EQ(rounding(Rounding::CeilCaffe, 2, 2, 1), Rounding::CeilTorch);
  EXPECT_EQ(rounding(Rounding::CeilCaffe, 2, 3, 0), Rounding::Ceil);  // nothing is padded
  EXPECT_EQ(rounding(Rounding::Starts, 2, 3, 0), Rounding::Floor);
}

TEST(SpatialWindow, RoundingDownWithMorePaddingGivesTheSameWindows) {
  for_each_axis([](int64_t size, const WindowAxis& axis) {
    for (const Rounding rounding : kRules) {
      const WindowAxis one = window_of(axis, rounding).axis(0);
      for (const Dimension input : {Dimension(size), kAnyDimension}) {
        const WindowAxis::Fit fit = one.rounded_down(input);
        WindowAxis wide = axis;
        wide.pad_end = fit.pad_end;
        const Dimension count = wide.output(size), wanted = one.output(size);
        EXPECT_TRUE(fit.surplus ? count.min >= wanted.min : count == wanted) << name_of(rounding) << " of " << size;
        const bool is_bare = (count.min - 1) * axis.stride >= size + axis.pad_begin;
        EXPECT_TRUE(fit.bare || !is_bare || rounding == Rounding::Floor) << name_of(rounding) << " of " << size;
      }
    }
  });
}

TEST(SpatialWindow, OffsetsInTimeAreAWindow) {
  // Kaldi's TDNN reads the frames t - 3, t and t + 3.
  const WindowAxis frames{3, 1, 3, 3, 3};
  EXPECT_EQ(frames.extent(), Interval(7));
  EXPECT_EQ(frames.output({1, 100}), Dimension(1, 100));
}

TEST(SpatialWindow, BothWaysToWriteItAreRead) {
  TestGraph t;
  Node &pooling = t.add("Pooling", "pooling"), &max_pool = t.add("MaxPool", "max_pool");
  pooling.set("kernel_shape", Ints{3, 2});
  pooling.set("strides", Ints{2, 1});
  pooling.set("pads", Ints{1, 0, 2, 1});
  pooling.set("ceil_mode", true);
  max_pool.set("kernel", Ints{3, 2});
  max_pool.set("strides", Ints{2, 1});
  max_pool.set("pads_begin", Ints{1, 0});
  max_pool.set("pads_end", Ints{2, 1});
  max_pool.set("rounding_type", std::string("ceil_torch"));
  for (const Node* node : {&pooling, &max_pool}) {
    const SpatialWindow window(*node, 2);
    EXPECT_EQ(window.kernel, (Ints{3, 2}));
    EXPECT_EQ(window.strides, (Ints{2, 1}));
    EXPECT_EQ(window.dilations, (Ints{1, 1}));
    EXPECT_EQ(window.pads_begin, (Ints{1, 0}));
    EXPECT_EQ(window.pads_end, (Ints{2, 1}));
    EXPECT_EQ(window.rounding, Rounding::CeilTorch);
    EXPECT_EQ(window.counted, Counted::Data);
  }
}

TEST(SpatialWindow, WhatAReaderWritesIsReadAgain) {
  for (const Rounding rounding : kRules)
    for (const AutoPad auto_pad : {AutoPad::Explicit, AutoPad::SameUpper, AutoPad::SameLower, AutoPad::Valid})
      for (const Counted counted : {Counted::Data, Counted::Padding, Counted::Kernel, Counted::Mirrored}) {
        SpatialWindow window(2);
        window.kernel = {3, 2};
        window.strides = {2, 1};
        window.dilations = {1, 2};
        if (auto_pad == AutoPad::Explicit) window.pads_begin = {1, 0}, window.pads_end = {0, 2};
        window.auto_pad = auto_pad;
        window.rounding = rounding;
        window.counted = counted;
        TestGraph t;
        Node& node = t.add("Pooling", "y");
        window.set(node);
        const SpatialWindow read(node, 2);
        EXPECT_EQ(read.kernel, window.kernel);
        EXPECT_EQ(read.strides, window.strides);
        EXPECT_EQ(read.dilations, window.dilations);
        EXPECT_EQ(read.pads_begin, window.pads_begin);
        EXPECT_EQ(read.pads_end, window.pads_end);
        EXPECT_EQ(read.auto_pad, auto_pad);
        EXPECT_EQ(read.rounding, rounding);
        EXPECT_EQ(read.counted, counted);
      }
}

TEST(SpatialWindow, AutoPadHasOneSpelling) {
  EXPECT_EQ(auto_pad_of("SAME_UPPER"), AutoPad::SameUpper);
  EXPECT_EQ(auto_pad_of("same_lower"), AutoPad::SameLower);
  EXPECT_EQ(auto_pad_of("NOTSET"), AutoPad::Explicit);
  EXPECT_EQ(auto_pad_of(""), AutoPad::Explicit);
  EXPECT_EQ(auto_pad_of("SAME"), std::nullopt);
  EXPECT_EQ(name_of(AutoPad::SameUpper), "same_upper");
}

TEST(SpatialWindow, WrongAttributesAreRefused) {
  const auto read = [](const char* key, Attribute value) {
    TestGraph t;
    Node& node = t.add("Pooling", "y");
    node.set(key, std::move(value));
    const SpatialWindow window(node, 2);
  };
  EXPECT_CODE(Code::BadAttribute, read("strides", Ints{1}));
  EXPECT_CODE(Code::BadAttribute, read("strides", Ints{1, 0}));
  EXPECT_CODE(Code::BadAttribute, read("dilations", Ints{-1, 1}));
  EXPECT_CODE(Code::BadAttribute, read("pads", Ints{1, 1}));
  EXPECT_CODE(Code::BadAttribute, read("pads_begin", Ints{INT64_MAX, 1}));
  EXPECT_CODE(Code::BadAttribute, read("auto_pad", std::string("SAME")));
  EXPECT_CODE(Code::BadAttribute, read("rounding_type", std::string("up")));
  EXPECT_CODE(Code::BadAttribute, read("counted", std::string("all")));
}

}  // namespace
}  // namespace mo::test
