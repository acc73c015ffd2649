// Networks of Kaldi's three generations, binary and as text.

#include "tests/core/front/kaldi/kaldi_file.h"

namespace mo::test {
namespace {

using kaldi::Component;
using kaldi::Network;

KaldiFile& affine(KaldiFile& file, int32_t outputs, int32_t inputs, float first) {
  std::vector<float> weights, bias;
  for (int32_t k = 0; k < outputs * inputs; ++k) weights.push_back(first + static_cast<float>(k));
  for (int32_t k = 0; k < outputs; ++k) bias.push_back(-static_cast<float>(k));
  file.token("<AffineTransform>").i(outputs).i(inputs).token("<LearnRateCoef>").f(1).token("<MaxNorm>").f(0);
  return file.matrix(outputs, inputs, weights).vector(bias).token("<!EndOfComponent>");
}

TEST(KaldiNetwork, Nnet1) {
  for (const bool binary : {true, false}) {
    KaldiFile file(binary);
    file.token("<Nnet>").add(binary ? "" : "\n");
    affine(file, 2, 3, 0.5);
    file.token("<Sigmoid>").i(2).i(2).token("<!EndOfComponent>");
    affine(file, 2, 2, 7);
    file.token("<Splice>").i(6).i(2).list({-1, 0, 1}).token("<!EndOfComponent>").token("</Nnet>");
    ReadKaldi read(file.text());
    EXPECT_EQ(read.network.generation, Network::Generation::Nnet1);
    ASSERT_EQ(read.network.components.size(), 4u);
    const Component& first = read.network.components[0];
    EXPECT_EQ(first.type, "AffineTransform");
    EXPECT_EQ(first.name, "affinetransform");
    EXPECT_EQ(first.inputs, 3);
    EXPECT_EQ(first.outputs, 2);
    EXPECT_EQ(*first.fields.get_if<double>("MaxNorm"), 0);
    EXPECT_EQ(first.fields.get_if<Constant>("LinearParams")->shape, (Shape{2, 3}));
    EXPECT_EQ(read.values(first, "LinearParams"), (std::vector<double>{0.5, 1.5, 2.5, 3.5, 4.5, 5.5}));
    EXPECT_EQ(read.values(first, "BiasParams"), (std::vector<double>{0, -1}));
    EXPECT_EQ(read.network.components[2].name, "affinetransform4");  // as Model Optimizer numbers them
    EXPECT_EQ(*read.network.components[3].fields.get_if<Ints>("Context"), (Ints{-1, 0, 1}));
    EXPECT_FALSE(read.network.priors.content);
    if (binary)
      EXPECT_EQ(first.place.offset, 9);
    else
      EXPECT_EQ(first.place.line, 2);
  }
}

TEST(KaldiNetwork, OldNnet1HasOtherTagsAndNoMarks) {
  ReadKaldi read(
      "<affinetransform> 1 2\n [\n 1 2 ]\n [ 3 ]\n<SOFTMAX> 1 1\n<LstmProjectedStreams> 1 1 <CellDim> 1 "
      "<ClipGradient> 5\n [\n 1 ; 2 ; 3\n 4 ] [ 1\n2\n3\n4\n] [ 1 2 3 4 ] [1] [ 2 ] [ 3 ] [ 5 ]\n");
  ASSERT_EQ(read.network.components.size(), 3u);
  EXPECT_EQ(read.network.components[0].type, "AffineTransform");
  EXPECT_EQ(read.network.components[1].type, "Softmax");
  const Component& lstm = read.network.components[2];
  EXPECT_EQ(lstm.type, "LstmProjected");
  EXPECT_EQ(lstm.fields.get_if<Constant>("WGifoX")->shape, (Shape{4, 1}));
  EXPECT_EQ(read.values(lstm, "PeepholeI"), std::vector<double>{1});
  EXPECT_EQ(read.values(lstm, "WRM"), std::vector<double>{5});
}

TEST(KaldiNetwork, NetworksSideBySide) {
  for (const bool binary : {true, false}) {
    KaldiFile file(binary);
    file.token("<Nnet>").token("<ParallelComponent>").i(3).i(5).token("<NestedNnetCount>").i(2);
    file.token("<NestedNnet>").i(1).token("<Nnet>");
    affine(file, 1, 2, 1).token("</Nnet>");
    file.token("<NestedNnet>").i(2).token("<Nnet>");
    affine(file, 2, 3, 1);
    file.token("<Tanh>").i(2).i(2).token("<!EndOfComponent>").token("</Nnet>");
    file.token("</ParallelComponent>").token("<!EndOfComponent>").token("</Nnet>");
    ReadKaldi read(file.text());
    ASSERT_EQ(read.network.components.size(), 1u);
    const Component& parallel = read.network.components[0];
    ASSERT_EQ(parallel.parts.size(), 2u);
    EXPECT_EQ(parallel.parts[0].components.size(), 1u);
    ASSERT_EQ(parallel.parts[1].components.size(), 2u);
    EXPECT_EQ(parallel.parts[1].components[1].name, "tanh");
  }
}

/// `with_loops`: self-loops have classes and pdfs of their own, as newer files have them.
KaldiFile& transition_model(KaldiFile& file, bool with_loops) {
  file.token("<TransitionModel>").token("<Topology>");
  if (file.is_binary()) {
    file.list({1, 2}).list({-1, 0, 0});
    if (with_loops) file.i(-1);
    file.i(1).i(2).i(0);
    if (with_loops) file.i(1);
    file.i(2).i(0).f(0.5).i(1).f(0.5).i(-1);
    if (with_loops) file.i(-1);
    file.i(0);
  } else {
    file.line("\n<TopologyEntry>\n<ForPhones>\n1 2\n</ForPhones>");
    file.line(with_loops ? "<State> 0 <ForwardPdfClass> 0 <SelfLoopPdfClass> 1 <Transition> 0 0.5 </State>"
                         : "<State> 0 <PdfClass> 0 <Transition> 0 0.5 <Transition> 1 0.5 </State>");
    file.line("<State> 1 </State>\n</TopologyEntry>");
  }
  file.token("</Topology>").token(with_loops ? "<Tuples>" : "<Triples>").i(1).i(1).i(0).i(0);
  if (with_loops) file.i(1);
  file.token(with_loops ? "</Tuples>" : "</Triples>");
  return file.token("<LogProbs>").vector({0, -1}).token("</LogProbs>").token("</TransitionModel>");
}

TEST(KaldiNetwork, Nnet2BehindATransitionModel) {
  for (const bool binary : {true, false})
    for (const bool with_loops : {true, false})
      for (const bool is_old : {true, false}) {
        KaldiFile file(binary);
        transition_model(file, with_loops).token("<Nnet>").token("<NumComponents>").i(3).token("<Components>");
        file.token("<SpliceComponent>").token("<InputDim>").i(2);
        if (is_old)
          file.token("<LeftContext>").i(2).token("<RightContext>").i(1);
        else
          file.token("<Context>").list({-2, -1, 0, 1});
        file.token("<ConstComponentDim>").i(0).token("</SpliceComponent>");
        file.token("<PnormComponent>").token("<InputDim>").i(8).token("<OutputDim>").i(4).token("<P>").f(2);
        file.token("</PnormComponent>").token("<SumGroupComponent>").token("<Sizes>").list({3, 1});
        file.token(is_old ? "<SumGroupComponent>" : "</SumGroupComponent>").token("</Components>").token("</Nnet>");
        file.vector({0.25, 0.75});
        ReadKaldi read(file.text());
        EXPECT_EQ(read.network.generation, Network::Generation::Nnet2);
        ASSERT_EQ(read.network.components.size(), 3u);
        EXPECT_EQ(*read.network.components[0].fields.get_if<Ints>("Context"), (Ints{-2, -1, 0, 1}));
        EXPECT_FALSE(read.network.components[0].fields.has("LeftContext"));
        EXPECT_EQ(*read.network.components[1].fields.get_if<double>("P"), 2);
        EXPECT_EQ(read_doubles(read.network.priors, read.files), (std::vector<double>{0.25, 0.75}));
      }
}

KaldiFile small_nnet3(bool binary) {
  KaldiFile file(binary);
  file.line("<Nnet3> ").line("# a comment");
  file.line("input-node name=input dim=3");
  file.line("component-node  name=a.affine component=a.affine input=Append(Offset(input, -1), input)  # and one");
  file.line("  output-node name=output objective=quadratic input=a.relu");
  file.line("component-node name='a.relu' input=\"a.affine\" component=a.relu").line("");
  file.token("<NumComponents>").i(2).token("<ComponentName>").token("a.affine");
  file.token("<NaturalGradientAffineComponent>").token("<LearningRateFactor>").f(0.5).token("<LearningRate>").f(0.1);
  file.token("<LinearParams>").matrix(1, 6, {1, 2, 3, 4, 5, 6}).token("<BiasParams>").vector({9});
  file.token("<RankIn>").i(20).token("<RankOut>").i(80).token("<UpdatePeriod>").i(4).token("<NumSamplesHistory>").f(2);
  file.token("<Alpha>").f(4).token("<IsGradient>").b(false).token("</NaturalGradientAffineComponent>");
  file.token("<ComponentName>").token("a.relu").token("<RectifiedLinearComponent>").token("<Dim>").i(1);
  file.token("<ValueAvg>").vector({}).token("<DerivAvg>").vector({}).token("<Count>").d(0);
  return file.token("</RectifiedLinearComponent>").token("</Nnet3>");
}

TEST(KaldiNetwork, Nnet3) {
  for (const bool binary : {true, false}) {
    ReadKaldi read(small_nnet3(binary).text());
    const Network& network = read.network;
    EXPECT_EQ(network.generation, Network::Generation::Nnet3);
    ASSERT_EQ(network.components.size(), 2u);
    EXPECT_EQ(network.components[0].name, "a.affine");
    EXPECT_EQ(*network.components[0].fields.get_if<double>("LearningRateFactor"), 0.5);
    EXPECT_EQ(*network.components[0].fields.get_if<bool>("IsGradient"), false);
    EXPECT_EQ(read.values(network.components[0], "LinearParams"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(network.components[1].fields.get_if<Constant>("ValueAvg")->shape, Shape{0});
    ASSERT_EQ(network.nodes.size(), 4u);
    EXPECT_EQ(network.nodes[0].dim, 3);
    EXPECT_EQ(network.nodes[1].input.kind, kaldi::Descriptor::Kind::Append);
    EXPECT_EQ(network.nodes[1].input.parts[0].t, -1);
    EXPECT_EQ(network.nodes[2].objective, "quadratic");
    EXPECT_EQ(network.nodes[3].name, "a.relu");
    EXPECT_EQ(network.nodes[3].component, 1u);
    EXPECT_EQ(network.nodes[3].input.node, "a.affine");
    if (!binary) {
      EXPECT_EQ(network.nodes[1].place.line, 4);
    }
  }
}

TEST(KaldiNetwork, Nnet3AsAnAcousticModel) {
  for (const bool binary : {true, false}) {
    KaldiFile file(binary);
    transition_model(file, true).add(small_nnet3(binary).text().substr(binary ? 2 : 0));
    file.token("<LeftContext>").i(1).token("<RightContext>").i(0).token("<Priors>").vector({0.5, 0.5});
    ReadKaldi read(file.text());
    EXPECT_EQ(read.network.nodes.size(), 4u);
    EXPECT_EQ(read.network.priors.shape, Shape{2});
  }
}

TEST(KaldiNetwork, ComponentsInAComponent) {
  for (const bool binary : {true, false}) {
    KaldiFile file(binary);
    file.line("<Nnet3> ").line("input-node name=x dim=2").line("component-node name=c component=c input=x");
    file.line("output-node name=output input=c").line("").token("<NumComponents>").i(1).token("<ComponentName>");
    file.token("c").token("<CompositeComponent>").token("<LearningRate>").f(1).token("<MaxRowsProcess>").i(9);
    file.token("<NumComponents>").i(2).token("<PermuteComponent>").token("<ColumnMap>").list({1, 0});
    file.token("</PermuteComponent>").token("<FixedScaleComponent>").token("<Scales>").vector({1, 2});
    file.token("</FixedScaleComponent>").token("</CompositeComponent>").token("</Nnet3>");
    ReadKaldi read(file.text());
    ASSERT_EQ(read.network.components[0].parts.size(), 1u);
    const Network& inner = read.network.components[0].parts[0];
    ASSERT_EQ(inner.components.size(), 2u);
    EXPECT_EQ(*inner.components[0].fields.get_if<Ints>("ColumnMap"), (Ints{1, 0}));
    EXPECT_EQ(inner.components[1].type, "FixedScaleComponent");
  }
}

TEST(KaldiNetwork, UnknownComponentsAreNamedAsFarAsTheFileCanBeRead) {
  const std::string lines =
      "<Nnet3> \ninput-node name=x dim=2\ncomponent-node name=a component=a input=x\n"
      "component-node name=b component=b input=a\noutput-node name=output input=b\n\n";
  ReadKaldi text(lines +
                 "<NumComponents> 2 \n<ComponentName> a <NewComponent> <Dim> 2 <Odd> [ 1 ]\n</NewComponent> \n"
                 "<ComponentName> b <OtherComponent> </OtherComponent> \n</Nnet3> \n");
  ASSERT_EQ(text.network.components.size(), 2u);
  EXPECT_FALSE(text.network.ends_early);
  EXPECT_EQ(text.network.components[0].type, "NewComponent");
  EXPECT_EQ(text.network.components[0].place.line, 8);
  EXPECT_EQ(text.network.components[1].type, "OtherComponent");
  EXPECT_EQ(text.network.nodes.size(), 4u);
  KaldiFile binary(true);
  binary.add(lines).token("<NumComponents>").i(2).token("<ComponentName>").token("a").token("<NewComponent>").i(3);
  ReadKaldi cut(binary.text());
  ASSERT_EQ(cut.network.components.size(), 1u);
  EXPECT_TRUE(cut.network.ends_early);
  EXPECT_EQ(cut.network.components[0].type, "NewComponent");
}

TEST(KaldiNetwork, UnknownComponentsOfTextsHaveFields) {
  ReadKaldi read(
      "<Nnet3> \ninput-node name=x dim=2\ncomponent-node name=a component=a input=x\noutput-node name=output "
      "input=a\n\n"
      "<NumComponents> 1 \n<ComponentName> a <NewComponent> <Dim> 2 <Rate> 0.5 <TestMode> T <Bare> <RankInOut> 20 80 "
      "<AlphaInOut> 4 2.5 <Mode> fast <Context> [ -1 0 1 ]\n <Bias>  [ 1 0.5 ]\n[ 0.25 ]\n <Params>  [\n  1 2 \n  3 4 "
      "]\n"
      "<Ragged> [\n 1 2 \n 3 ]\n<Odd> [ -1,0 ugly ]\n<Last> F </NewComponent> \n</Nnet3> \n");
  ASSERT_EQ(read.network.components.size(), 1u);
  const Attributes& fields = read.network.components[0].fields;
  EXPECT_EQ(*fields.get_if<int64_t>("Dim"), 2);
  EXPECT_EQ(*fields.get_if<double>("Rate"), 0.5);
  EXPECT_TRUE(*fields.get_if<bool>("TestMode"));
  EXPECT_TRUE(*fields.get_if<bool>("Bare"));
  EXPECT_EQ(*fields.get_if<Ints>("RankInOut"), (Ints{20, 80}));
  EXPECT_EQ(*fields.get_if<Doubles>("AlphaInOut"), (Doubles{4, 2.5}));
  EXPECT_EQ(*fields.get_if<std::string>("Mode"), "fast");
  EXPECT_EQ(*fields.get_if<Ints>("Context"), (Ints{-1, 0, 1}));
  EXPECT_EQ(fields.get_if<Constant>("Bias")->shape, (Shape{2}));
  EXPECT_EQ(fields.get_if<Constant>("Array1")->shape, (Shape{1}));
  EXPECT_EQ(fields.get_if<Constant>("Params")->shape, (Shape{2, 2}));
  EXPECT_FALSE(fields.has("Ragged"));
  EXPECT_FALSE(fields.has("Odd"));
  EXPECT_FALSE(*fields.get_if<bool>("Last"));
  // Of nnet1: the sizes stand in front.
  ReadKaldi first(
      "<Nnet> \n<NewLayer> 3 2 \n<Rate> 1 [\n 1 2\n 3 4\n 5 6 ]\n [ 0.5 1 2 ]\n<!EndOfComponent> \n</Nnet> \n");
  ASSERT_EQ(first.network.components.size(), 1u);
  EXPECT_EQ(first.network.components[0].outputs, 3);
  EXPECT_EQ(first.network.components[0].inputs, 2);
  EXPECT_EQ(first.network.components[0].fields.get_if<Constant>("Array1")->shape, (Shape{3, 2}));
  EXPECT_EQ(first.network.components[0].fields.get_if<Constant>("Array2")->shape, (Shape{3}));
}

}  // namespace
}  // namespace mo::test
