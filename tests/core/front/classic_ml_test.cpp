// What operations of ai.onnx.ml, com.microsoft and training refuse, and the place of the error.
#include <gtest/gtest.h>

#include "tests/core/support/converted.h"

namespace mo {
namespace {

using namespace test;

std::string floats(std::string_view name, const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return WireMessage().bytes(1, name).bytes(7, bytes).number(20, 6).text();
}

std::string texts(std::string_view name, const Texts& values) {
  WireMessage message;
  message.bytes(1, name);
  for (const std::string& value : values) message.bytes(9, value);
  return message.number(20, 8).text();
}

using Ids = std::vector<int64_t>;

/// A model of one node "n" that reads x [N, 3] and gives y and z.
Converted of(std::string_view op, const Texts& attributes, std::string_view domain = "ai.onnx.ml",
             const Texts& outputs = {"y"}, int type = OnnxGraph::kFloat, const Texts& inputs = {"x"}) {
  OnnxGraph graph;
  graph.input("x", "N,3", type).node(op, inputs, outputs, attributes, "n", domain);
  for (const std::string& output : outputs)
    if (output != "unused") graph.output(output);
  return convert_model(graph);
}

void expect_refused(const Converted& converted, Code code, const std::string& part) {
  ASSERT_FALSE(converted.ok());
  EXPECT_EQ(converted.code(), code_text(code)) << converted.message().text;
  EXPECT_EQ(converted.message().node, "n");
  EXPECT_NE(converted.message().text.find(part), std::string::npos) << converted.message().text;
}

/// A regressor of one tree. Children are given by number; a leaf has -1 and -1.
struct Tree {
  Ids on_true, on_false, features;
  Ids target_nodes{0}, target_ids{0};
  int64_t targets = 1;
  Texts modes;  ///< empty: derived from the children
};
Converted of(const Tree& tree) {
  const size_t count = tree.on_true.size();
  Ids ids, zeros(count), features = tree.features;
  Ids on_true = tree.on_true, on_false = tree.on_false;
  Texts modes = tree.modes;
  features.resize(count);
  for (size_t i = 0; i < count; ++i) {
    ids.push_back(static_cast<int64_t>(i));
    if (tree.modes.empty()) modes.push_back(on_true[i] < 0 ? "LEAF" : "BRANCH_LEQ");
    if (on_true[i] < 0) on_true[i] = on_false[i] = 0;
  }
  return of("TreeEnsembleRegressor",
            {onnx_attribute("nodes_treeids", zeros), onnx_attribute("nodes_nodeids", ids),
             onnx_attribute("nodes_featureids", features), onnx_attribute("nodes_truenodeids", on_true),
             onnx_attribute("nodes_falsenodeids", on_false), texts("nodes_modes", modes),
             floats("nodes_values", std::vector<float>(count)), onnx_attribute("n_targets", tree.targets),
             onnx_attribute("target_treeids", Ids(tree.target_nodes.size())),
             onnx_attribute("target_nodeids", tree.target_nodes), onnx_attribute("target_ids", tree.target_ids),
             floats("target_weights", std::vector<float>(tree.target_nodes.size(), 1))});
}

TEST(ClassicMl, AllRefusedOperationsAreToldWithTheirReasons) {
  OnnxGraph graph;
  graph.input("x", "N,3").output("z");
  graph.node("StringNormalizer", {"x"}, {"y"}, {}, "first")
      .node("BeamSearch", {"y"}, {"z"}, {}, "second", "com.microsoft");
  const Converted converted = convert_model(graph);
  const auto& messages = converted.conversion->messages();
  ASSERT_EQ(messages.size(), 2u);
  for (const Message& message : messages) EXPECT_EQ(message.code, code_text(Code::UnsupportedOp));
  EXPECT_EQ(messages[0].node, "first");
  EXPECT_NE(messages[0].text.find("StringNormalizer: the runtime computes no texts"), std::string::npos);
  EXPECT_EQ(messages[1].node, "second");
  EXPECT_NE(messages[1].text.find("com.microsoft.BeamSearch: a search runs the model"), std::string::npos);
  expect_refused(of("Gradient", {}, "ai.onnx.preview.training"), Code::UnsupportedOp, "it differentiates");
}

TEST(ClassicMl, ATreeThatIsWholeConverts) {
  const Converted converted = of(Tree{{1, -1, -1}, {2, -1, -1}, {2}, {1, 2}, {0, 0}});
  EXPECT_TRUE(converted.ok()) << converted.message().text;
}

TEST(ClassicMl, TreesThatContradictThemselvesAreRefused) {
  const Code bad = Code::BadAttribute;
  expect_refused(of(Tree{{1, 0, -1}, {2, 2, -1}, {}, {2}}), bad, "is below itself");
  expect_refused(of(Tree{{0}, {0}, {}}), bad, "is below itself");
  expect_refused(of(Tree{{1, -1}, {7, -1}, {}, {1}}), bad, "node 7 of tree 0 is not there");
  expect_refused(of(Tree{{1, -1, -1}, {2, -1, -1}, {-1}, {1}}), bad, "feature -1");
  expect_refused(of(Tree{{-1}, {-1}, {}, {0}, {3}}), bad, "target 3 of 1");
  expect_refused(of(Tree{{-1}, {-1}, {}, {5}}), bad, "node 5 of tree 0 is not there");
  expect_refused(of(Tree{{-1}, {-1}, {}, {0}, {0}, 0}), bad, "0 targets");
  expect_refused(of(Tree{{-1, -1}, {-1, -1}, {}, {0}, {0}, 1, {"LEAF"}}), bad, "nodes_modes has 1");
  expect_refused(of(Tree{{1, -1, -1}, {2, -1, -1}, {}, {1}, {0}, 1, {"BRANCH_ODD", "LEAF", "LEAF"}}), bad,
                 "a mode of 'BRANCH_ODD'");
  expect_refused(of(Tree{{}, {}, {}, {}, {}}), bad, "there are no trees");
  expect_refused(of(Tree{{1, -1, -1}, {2, -1, -1}, {3}, {1}}), Code::ShapeMismatch, "feature 3");
}

TEST(ClassicMl, ATreeMayBeSoDeepAndNoDeeper) {
  const auto chain = [](int64_t levels) {
    Tree tree;
    for (int64_t i = 0; i < levels; ++i) tree.on_true.push_back(i + 1), tree.on_false.push_back(levels + 1);
    for (int i = 0; i < 2; ++i) tree.on_true.push_back(-1), tree.on_false.push_back(-1);
    tree.target_nodes = {levels};
    return of(tree);
  };
  EXPECT_TRUE(chain(256).ok());
  expect_refused(chain(257), Code::UnsupportedForm, "trees of depth 257");
  expect_refused(chain(100000), Code::UnsupportedForm, "trees of depth 100000");
}

TEST(ClassicMl, LabelsThatAreTextsAreRefusedWhereTheyAreUsed) {
  const Texts classifier{floats("coefficients", {1, 2, 3, 4, 5, 6}), floats("intercepts", {1, 2}),
                         texts("classlabels_strings", {"a", "b"})};
  expect_refused(of("LinearClassifier", classifier, "ai.onnx.ml", {"y", "z"}), Code::UnsupportedForm,
                 "labels that are texts");
  EXPECT_TRUE(of("LinearClassifier", classifier, "ai.onnx.ml", {"unused", "z"}).ok());
  expect_refused(of("LabelEncoder", {texts("keys_strings", {"a"}), onnx_attribute("values_int64s", Ids{1})}),
                 Code::UnsupportedForm, "labels that are texts");
  expect_refused(of("LabelEncoder", {floats("keys_floats", {1, 2}), onnx_attribute("values_int64s", Ids{1})}),
                 Code::BadAttribute, "2 keys and 1 values");
  expect_refused(of("LabelEncoder", {floats("keys_floats", {1, 2})}), Code::MissingAttribute, "values_int64s");
  expect_refused(of("OneHotEncoder", {texts("cats_strings", {"a"})}), Code::UnsupportedForm,
                 "categories that are texts");
}

TEST(ClassicMl, AttributesThatDoNotFitAreRefused) {
  const Code bad = Code::BadAttribute;
  expect_refused(of("Scaler", {floats("scale", {1, 2})}), Code::ShapeMismatch, "2 numbers of scale");
  expect_refused(of("Normalizer", {onnx_text_attribute("norm", "L7")}), bad, "norm is 'L7'");
  expect_refused(of("FeatureVectorizer", {onnx_attribute("inputdimensions", Ids{-4})}), bad, "inputdimensions has -4");
  expect_refused(of("LinearRegressor", {floats("coefficients", {1, 2}), onnx_attribute("targets", 0)}), bad,
                 "2 coefficients for 0 rows");
  expect_refused(of("LinearRegressor", {floats("coefficients", {1, 2}), onnx_attribute("targets", 1)}),
                 Code::ShapeMismatch, "");
  expect_refused(of("SVMRegressor", {floats("coefficients", {1, 2}), onnx_attribute("n_supports", 3)}), bad,
                 "2 coefficients of 3 support vectors");
  expect_refused(of("SVMRegressor", {floats("coefficients", {1, 2, 3})}), bad, "0 numbers of rho");
  expect_refused(of("SVMClassifier",
                    {onnx_attribute("classlabels_ints", Ids{1, 2}), floats("coefficients", {1, 2}),
                     onnx_attribute("vectors_per_class", Ids{1, int64_t{1} << 40})},
                    "ai.onnx.ml", {"y", "z"}),
                 bad, "vectors_per_class has");
  expect_refused(of("Adam", {}, "ai.onnx.preview.training"), Code::MissingInput, "input 1, T");
}

TEST(ClassicMl, NGramsAreChecked) {
  const auto grams = [](const Ids& counts, const Ids& indexes, int64_t most, int64_t skips) {
    return of("TfIdfVectorizer",
              {onnx_attribute("ngram_counts", counts), onnx_attribute("ngram_indexes", indexes),
               onnx_attribute("pool_int64s", Ids{1, 2, 3}), onnx_attribute("min_gram_length", 1),
               onnx_attribute("max_gram_length", most), onnx_attribute("max_skip_count", skips),
               onnx_text_attribute("mode", "TF")},
              "", {"y"}, OnnxGraph::kInt64);
  };
  EXPECT_TRUE(grams({0, 1}, {0, 1}, 2, int64_t{1} << 60).ok());
  expect_refused(grams({0, 2}, {0, 1, 2}, 2, 0), Code::BadAttribute, "ngram_counts of length 2");
  expect_refused(grams({0, 9}, {0, 1, 2}, 2, 0), Code::BadAttribute, "ngram_counts of length");
  expect_refused(grams({0}, {0, 1, 2}, 2, 0), Code::BadAttribute, "n-grams of 1 to 2");
  expect_refused(grams({0}, {0, 1}, 1, 0), Code::BadAttribute, "2 ngram_indexes for 3");
  expect_refused(grams({0}, {0, 1, -1}, 1, 0), Code::BadAttribute, "ngram_indexes has -1");
  expect_refused(grams({0}, {0, 1, 1}, 1, 0), Code::UnsupportedForm, "two n-grams in column 1");
}

TEST(ClassicMl, AMapIsToldToBeATensor) {
  const Converted converted = of("ZipMap", {onnx_attribute("classlabels_int64s", Ids{0, 1, 2})});
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.code(), code_text(Code::MapBecomesTensor));
  EXPECT_EQ(converted.message().node, "n");
}

TEST(ClassicMl, FormsOfContribOperationsThatIrLacksAreRefused) {
  const std::string_view ms = "com.microsoft";
  const Texts heads{onnx_attribute("num_heads", 3), onnx_attribute("kv_num_heads", 2)};
  expect_refused(of("GroupQueryAttention", heads, ms, {"y"}, OnnxGraph::kFloat, {"x", "", "", "", "", "x", "x"}),
                 Code::BadAttribute, "num_heads is 3, kv_num_heads 2");
  expect_refused(of("GroupQueryAttention", {onnx_attribute("num_heads", 2), onnx_attribute("kv_num_heads", 2)}, ms,
                    {"y"}, OnnxGraph::kFloat, {"x", "", "", "", "", "x", "x"}),
                 Code::UnsupportedForm, "attention of a tensor [?,3]");
  expect_refused(of("UnfoldTensor", {onnx_attribute("size", 4)}, ms), Code::BadAttribute, "size 4");
  expect_refused(of("GatherBlockQuantized", {onnx_attribute("bits", 3)}, ms, {"y"}, OnnxGraph::kFloat, {"x", "x", "x"}),
                 Code::UnsupportedForm, "3 bits");
  expect_refused(of("Rfft", {onnx_attribute("onesided", int64_t{0})}, ms), Code::UnsupportedForm, "two-sided");
  expect_refused(of("GroupNorm", {onnx_attribute("groups", int64_t{0})}, ms, {"y"}, OnnxGraph::kFloat, {"x", "x", "x"}),
                 Code::BadAttribute, "groups is 0");
}

}  // namespace
}  // namespace mo
