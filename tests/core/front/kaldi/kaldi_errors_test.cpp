// What is wrong in a file of Kaldi is said with its place.

#include "tests/core/front/kaldi/kaldi_file.h"

namespace mo::test {
namespace {

using kaldi::Descriptor;
using DescriptorKind = Descriptor::Kind;

constexpr const char* kBegin = "<Nnet3> \ninput-node name=input dim=2\n";
constexpr const char* kEnd =
    "\n<NumComponents> 1 \n<ComponentName> c <NoOpComponent> <Dim> 2 <BackpropScale> 1 </NoOpComponent> \n</Nnet3> \n";

/// A text of nnet3 with these lines behind its input.
std::string with_lines(const std::string& lines) { return kBegin + lines + kEnd; }
std::string with_descriptor(const std::string& text) {
  return with_lines("output-node name=output input=" + text + "\n");
}
Descriptor descriptor(const std::string& text) { return ReadKaldi(with_descriptor(text)).network.nodes.back().input; }

/// Names of nodes and kinds by their numbers, to compare with.
std::string shown(const Descriptor& term) {
  if (term.kind == DescriptorKind::Node) return term.node;
  std::string out = std::to_string(static_cast<int>(term.kind)) + "(";
  for (const Descriptor& part : term.parts) out += shown(part) + " ";
  return out + std::to_string(term.t) + ")";
}

TEST(KaldiDescriptors, AllTerms) {
  EXPECT_EQ(shown(descriptor("input")), "input");
  const Descriptor offset = descriptor("Offset( input , -3 ,1)");
  EXPECT_EQ(offset.kind, DescriptorKind::Offset);
  EXPECT_EQ(offset.t, -3);
  EXPECT_EQ(offset.x, 1);
  const Descriptor scale = descriptor("Sum(Scale(-0.5, input), Const(1e-3, 2))");
  EXPECT_EQ(scale.parts[0].number, -0.5);
  EXPECT_EQ(scale.parts[1].kind, DescriptorKind::Const);
  EXPECT_EQ(scale.parts[1].number, 1e-3);
  EXPECT_EQ(scale.parts[1].dim, 2);
  const Descriptor at = descriptor("ReplaceIndex(input, x, 4)");
  EXPECT_TRUE(at.replaces_x);
  EXPECT_EQ(at.x, 4);
  EXPECT_EQ(descriptor("ReplaceIndex(input, t, -4)").t, -4);
  EXPECT_EQ(descriptor("Round(input, 3)").modulus, 3);
  EXPECT_EQ(descriptor("Switch(input, Offset(input, 1), input)").parts.size(), 3u);
  EXPECT_EQ(descriptor("Failover(Offset(input, 1), IfDefined(input))").parts[1].kind, DescriptorKind::IfDefined);
}

TEST(KaldiDescriptors, AppendIsOutermost) {
  EXPECT_EQ(shown(descriptor("Offset(Append(input, Offset(input, -1)), 2)")),
            shown(descriptor("Append(Offset(input, 2), Offset(Offset(input, -1), 2))")));
  EXPECT_EQ(shown(descriptor("Sum(Append(input, Offset(input, 1)), Append(Offset(input, 2), input))")),
            shown(descriptor("Append(Sum(input, Offset(input, 2)), Sum(Offset(input, 1), input))")));
  EXPECT_EQ(shown(descriptor("Append(input, Append(input, input))")), shown(descriptor("Append(input, input, input)")));
  EXPECT_EQ(shown(descriptor("IfDefined(Append(input))")), shown(descriptor("IfDefined(input)")));
  EXPECT_EQ(kaldi_error(with_descriptor("Sum(Append(input, input), input)")),
            "MO1005 a descriptor joins terms that append different numbers of parts (line 3, column 31)");
}

TEST(KaldiDescriptors, Refusals) {
  const auto refused = [](const std::string& text) { return kaldi_error(with_descriptor(text)); };
  EXPECT_EQ(refused("Append(input, "), "MO1005 the end is where a descriptor should be (line 3, column 44)");
  EXPECT_EQ(refused("Offset(input)"), "MO1005 ) is where , should be (line 3, column 43)");
  EXPECT_EQ(refused("Offset(input, 1.5)"), "MO1005 1.5 is where a whole number should be (line 3, column 45)");
  EXPECT_EQ(refused("Offset(input, 4294967296)"),
            "MO1005 4294967296 is where a whole number should be (line 3, column 45)");
  EXPECT_EQ(refused("Round(input, 0)"), "MO1005 0 is where a positive number should be (line 3, column 44)");
  EXPECT_EQ(refused("Const(1, -2)"), "MO1005 -2 is where a positive number should be (line 3, column 40)");
  EXPECT_EQ(refused("Scale(x, input)"), "MO1005 x is where a number should be (line 3, column 37)");
  EXPECT_EQ(refused("ReplaceIndex(input, y, 0)"), "MO1005 y is where t or x should be (line 3, column 51)");
  EXPECT_EQ(refused("Append input"), "MO1005 input is where ( should be (line 3, column 38)");
  EXPECT_EQ(refused("input)"), "MO1005 a descriptor goes on behind its end (line 3, column 31)");
  EXPECT_EQ(refused("Failover(input, input, input)"), "MO1005 , is where ) should be (line 3, column 52)");
  EXPECT_EQ(refused("IfDefined()"), "MO1005 ) is where a descriptor should be (line 3, column 41)");
  EXPECT_EQ(refused("1x"), "MO1005 1x is where a descriptor should be (line 3, column 31)");
}

TEST(KaldiDescriptors, NestNotTooDeeply) {
  const auto nested = [](size_t depth) {
    std::string text;
    for (size_t i = 0; i < depth; ++i) text += "Sum(";
    return with_descriptor(text + "input" + std::string(depth, ')'));
  };
  EXPECT_EQ(kaldi_error(nested(128)), "");
  EXPECT_EQ(kaldi_error(nested(100'000)), "MO1011 a descriptor in more than 128 others (line 3, column 543)");
  std::string wide = "Append(input";
  for (int i = 0; i < 10'000; ++i) wide += ", input";
  std::string multiplied = wide + ")";
  for (int i = 0; i < 127; ++i) multiplied = "Offset(" + multiplied + ", 1)";
  EXPECT_EQ(kaldi_error(with_descriptor(wide + ")")), "");
  EXPECT_EQ(kaldi_error(with_descriptor(multiplied)),
            "MO1011 descriptors that append within terms make more than 1048576 terms (line 3, column 31)");
}

TEST(KaldiNodes, Refusals) {
  const auto refused = [](const std::string& lines) { return kaldi_error(with_lines(lines + "\n")); };
  EXPECT_EQ(refused("component-node name=a component=d input=input"),
            "MO1005 there is no component d (line 3, column 33)");
  EXPECT_EQ(refused("component-node name=a component=c"), "MO1033 input (line 3, column 1)");
  EXPECT_EQ(refused("component-node name=a component=c input=other"), "MO1013 other (line 3, column 1)");
  EXPECT_EQ(refused("output-node name=o input=p\noutput-node name=p input=input"), "MO1013 p (line 3, column 1)");
  EXPECT_EQ(refused("input-node name=input dim=3"), "MO1014 input (line 3, column 17)");
  EXPECT_EQ(refused("input-node name=other dim=0"), "MO1031 dim=0 (line 3, column 27)");
  EXPECT_EQ(refused("input-node name=1other dim=2"), "MO1031 name=1other (line 3, column 17)");
  EXPECT_EQ(refused("input-node name=other dim=2 size=3"), "MO1005 input-node has no size (line 3, column 34)");
  EXPECT_EQ(refused("dim-range-node name=r input-node=input dim-offset=-1 dim=2"),
            "MO1031 dim-offset=-1 (line 3, column 51)");
  EXPECT_EQ(refused("output-node name=o input=input objective=cubic"), "MO1031 objective=cubic (line 3, column 42)");
  EXPECT_EQ(refused("other-node name=o input=input"), "MO1005 other-node is no kind of node (line 3, column 1)");
  EXPECT_EQ(refused("output-node name"), "MO1005 a line with a word that is no key=value (line 3, column 13)");
  EXPECT_EQ(refused("output-node name='o"), "MO1005 a text without its second quote (line 3, column 18)");
  EXPECT_EQ(refused("dim-range-node name=r input-node=s dim-offset=0 dim=1\n"
                    "dim-range-node name=s input-node=input dim-offset=0 dim=1"),
            "MO1013 s (line 3, column 1)");
}

TEST(KaldiNodes, ARecurrenceReadsAnotherFrame) {
  const auto refused = [](const std::string& lines) { return kaldi_error(with_lines(lines)); };
  EXPECT_EQ(refused("component-node name=a component=c input=a\n"),
            "MO3001 a node needs itself at the same time (line 3, column 1)");
  EXPECT_EQ(refused("component-node name=b component=c input=a\ncomponent-node name=d component=c "
                    "input=Sum(input, e)\ncomponent-node name=e component=c input=Offset(Offset(d, 1), -1)\n"),
            "MO1013 a (line 3, column 1)");
  EXPECT_EQ(refused("component-node name=d component=c input=Sum(input, e)\n"
                    "component-node name=e component=c input=Offset(Offset(d, 1), -1)\n"
                    "output-node name=output input=e\n"),
            "MO3001 a node needs itself at the same time (line 3, column 1)");
  EXPECT_EQ(refused("component-node name=d component=c input=Sum(input, IfDefined(Offset(e, -1)))\n"
                    "component-node name=e component=c input=d\noutput-node name=output input=e\n"),
            "");
  // Nobody looks at what a mask of dropout is given.
  EXPECT_EQ(
      kaldi_error(std::string(kBegin) +
                  "component-node name=m component=m input=m\noutput-node name=output input=m\n\n<NumComponents> 1 "
                  "\n<ComponentName> m <DropoutMaskComponent> <OutputDim> 2 <DropoutProportion> 0 "
                  "</DropoutMaskComponent> \n</Nnet3> \n"),
      "");
}

TEST(KaldiErrors, Structure) {
  EXPECT_EQ(kaldi_error("<Nnet> \n</Nnet> \n"), "MO1012 a network without components (line 2, column 9)");
  EXPECT_EQ(kaldi_error("<Nnet3> input-node name=x dim=1\n"),
            "MO1005 <Nnet3> is not followed by the end of its line (line 1, column 9)");
  EXPECT_EQ(kaldi_error("<Nnet3> \ninput-node name=x dim=1\n"),
            "MO1004 the file ends before the model does (line 3, column 1)");
  EXPECT_EQ(kaldi_error("<Nnet> <NumComponents> -1 <Components> "), "MO1005 -1 components (line 1, column 24)");
  EXPECT_EQ(kaldi_error("<Nnet> <NumComponents> 1 <Components> <PnormComponent> <InputDim> 4 <P> 2 "),
            "MO1005 <P> is where <OutputDim> should be (line 1, column 69)");
  EXPECT_EQ(kaldi_error("<Nnet> <Sigmoid> -3 2 "), "MO1005 a component of 2 inputs and -3 outputs (line 1, column 8)");
  EXPECT_EQ(kaldi_error("<Nnet> <Sigmoid> 3 x "), "MO1005 x is where a whole number should be (line 1, column 20)");
  EXPECT_EQ(kaldi_error("<Nnet> <Splice> 3 1 [ 1 2"), "MO1004 the file ends before the model does (line 1, column 26)");
  const std::string deep = [] {
    std::string text = "<Nnet> ";
    for (int i = 0; i < 50'000; ++i) text += "<ParallelComponent> 1 1 <NestedNnetCount> 1 <NestedNnet> 1 <Nnet> ";
    return text;
  }();
  EXPECT_EQ(kaldi_error(deep), "MO1011 components in components, more than 8 (line 1, column 578)");
}

TEST(KaldiErrors, BinaryPlacesAreBytes) {
  KaldiFile wrong(true);
  wrong.token("<Nnet>").token("<Sigmoid>").i(2).f(2).token("<!EndOfComponent>").token("<Copy>").i(2).i(2);
  EXPECT_EQ(kaldi_error(wrong.text() + "\x08"), "MO1005 whole numbers of 8 bytes, want 4 (byte 64)");
  KaldiFile list(true);
  list.token("<Nnet>").token("<Copy>").i(2).i(2).raw<int8_t>(4).raw<int32_t>(1 << 30);
  EXPECT_EQ(kaldi_error(list.text()), "MO1004 a list of 1073741824 numbers (byte 26)");
  KaldiFile negative(true);
  negative.token("<Nnet>").token("<Copy>").i(2).i(2).raw<int8_t>(4).raw<int32_t>(-5);
  EXPECT_EQ(kaldi_error(negative.text()), "MO1005 a list of -5 numbers (byte 26)");
  KaldiFile parts(true);
  parts.token("<Nnet>").token("<ParallelComponent>").i(1).i(1).token("<NestedNnetCount>").i(INT32_MAX);
  EXPECT_EQ(kaldi_error(parts.text()), "MO1005 2147483647 parts of a component (byte 57)");
  KaldiFile frames(true);
  frames.token("<Nnet>").token("<NumComponents>").i(1).token("<Components>").token("<SpliceComponent>");
  frames.token("<InputDim>").i(2).token("<LeftContext>").i(INT32_MAX).token("<RightContext>").i(INT32_MAX);
  frames.token("<ConstComponentDim>").i(0).token("</SpliceComponent>");
  EXPECT_EQ(kaldi_error(frames.text()), "MO1005 frames from -2147483647 to 2147483647 (byte 43)");
}

TEST(KaldiErrors, EveryTruncationIsRefused) {
  KaldiFile file(true);
  file.token("<Nnet>").token("<AffineTransform>").i(1).i(2).token("<LearnRateCoef>").f(1).matrix(1, 2, {1, 2});
  file.vector({3}).token("<!EndOfComponent>").token("<Softmax>").i(1).i(1).token("</Nnet>");
  const std::string whole = file.text();
  EXPECT_EQ(kaldi_error(whole), "");
  for (size_t size = 10; size < whole.size() - 1; ++size) {
    const std::string error = kaldi_error(whole.substr(0, size));
    // The end of the file ends the network, too.
    if (error.empty()) {
      EXPECT_EQ(whole.substr(size, 1), "<") << size;
    }
  }
}

}  // namespace
}  // namespace mo::test
