// SavedModels: tags, signatures, and variables in a checkpoint.

#include "tests/core/front/tf/checkpoint_files.h"

namespace mo::test {
namespace {

std::string signature(const std::string& name) {
  return cat("signature_def { key: '", name,
             "' value { inputs { key: 'image' value { name: 'serving_default_image:0' } } "
             "outputs { key: 'scores' value { name: 'call:0' } } } }\n");
}

/// y = x * kernel, where kernel is the variable that the checkpoint has as "layer/kernel".
std::string meta_graph(const std::string& tag, const std::string& signatures) {
  return cat(
      "meta_graphs { meta_info_def { tags: '", tag, "' } graph_def {\n", tf_input("serving_default_image", {-1, 2}),
      tf_node("v", "VarHandleOp", {}, {"shared_name: s: 'v'"}),
      tf_node("name", "Placeholder", {}, {"dtype: type: DT_STRING"}),
      tf_node("call", "StatefulPartitionedCall", {"serving_default_image", "v"}, {"f: func { name: 'product' }"}),
      tf_node("restore", "StatefulPartitionedCall", {"name", "v"}, {"f: func { name: 'restore' }"}),
      "library { function { signature { name: 'product' input_arg { name: 'a' } input_arg { name: 'b' } output_arg { "
      "name: 'y' } } ",
      tf_node("read", "ReadVariableOp", {"b"}, {}, "node_def"),
      tf_node("mul", "Mul", {"a", "read:value:0"}, {kFloat}, "node_def"), " ret { key: 'y' value: 'mul:z:0' } }\n",
      "function { signature { name: 'restore' input_arg { name: 'prefix' } input_arg { name: 'b' } output_arg { name: "
      "'done' } } ",
      tf_node("names", "Const", {},
              {"value: tensor { dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: 'layer/kernel' }"},
              "node_def"),
      tf_node("slices", "Const", {},
              {"value: tensor { dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: '' }"}, "node_def"),
      tf_node("restored", "RestoreV2", {"prefix", "names:output:0", "slices:output:0"}, {}, "node_def"),
      tf_node("same", "Identity", {"restored:tensors:0"}, {}, "node_def"),
      tf_node("assign", "AssignVariableOp", {"b", "same:output:0"}, {}, "node_def"),
      " ret { key: 'done' value: 'prefix' } } }\n", "}\n", signatures, "}\n");
}

const std::vector<std::pair<std::string, std::string>> kTensors = {{"", bundle_header()},
                                                                   {"layer/kernel", bundle_entry({2}, 4, 8)}};
const std::vector<float> kShard = {9, 3, 5};

Converted convert_saved(const std::string& text, const std::string& index,
                        const std::vector<OptionText>& options = {}) {
  auto files = std::make_unique<MemoryFiles>();
  files->put("model/saved_model.pbtxt", text_bytes(text));
  if (!index.empty()) files->put("model/variables/variables.index", text_bytes(index));
  files->put("model/variables/variables.data-00000-of-00001", bytes_of(kShard));
  return convert_files(std::move(files), "model", options);
}

std::string one_graph() { return meta_graph("serve", signature("serving_default")); }

TEST(SavedModel, AVariableIsAPlaceInTheCheckpoint) {
  const Converted converted = convert_saved(one_graph(), table_file(kTensors));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers().size(), 4u);
  EXPECT_EQ(values_of<float>(converted.bin()), (std::vector<float>{3, 5}));
  EXPECT_EQ(text_of(converted.layers("Parameter")[0], "name"), "image");
  const std::string inputs = text_of(converted.layers("Parameter")[0].child("output").first_child(), "names"),
                    outputs = text_of(converted.layers("Multiply")[0].child("output").first_child(), "names");
  EXPECT_NE(inputs.find("serving_default_image:0"), std::string::npos) << inputs;
  EXPECT_NE(outputs.find("scores"), std::string::npos) << outputs;
}

TEST(SavedModel, TagsChooseTheGraph) {
  const std::string two = meta_graph("serve", signature("serving_default")) + meta_graph("train", signature("learn"));
  EXPECT_TRUE(convert_saved(two, table_file(kTensors)).ok());
  EXPECT_TRUE(convert_saved(two, table_file(kTensors), {{"saved_model_tags", "train"}}).ok());
  const Converted converted = convert_saved(two, table_file(kTensors), {{"saved_model_tags", "gpu,serve"}});
  EXPECT_EQ(converted.code(), code_text(Code::NoMetaGraph));
  EXPECT_NE(converted.message().text.find("gpu, serve; there is serve; train"), std::string::npos)
      << converted.message().text;
}

TEST(SavedModel, ASignatureIsChosen) {
  const std::string two = meta_graph("serve", signature("a") + signature("b") + signature("__saved_model_init_op"));
  EXPECT_TRUE(convert_saved(meta_graph("serve", signature("only")), table_file(kTensors)).ok());
  EXPECT_TRUE(convert_saved(two, table_file(kTensors), {{"saved_model_signature", "b"}}).ok());
  const Converted converted = convert_saved(two, table_file(kTensors));
  EXPECT_EQ(converted.code(), code_text(Code::NoSignature));
  EXPECT_NE(converted.message().text.find("serving_default; there is a, b"), std::string::npos)
      << converted.message().text;
}

void expect_checkpoint_error(Code code, const std::string& index,
                             std::string_view file = "model/variables/variables.index") {
  const Converted converted = convert_saved(one_graph(), index);
  EXPECT_EQ(converted.code(), code_text(code)) << converted.message().text;
  EXPECT_EQ(converted.message().file, file) << converted.message().text;
}

TEST(SavedModel, ADamagedCheckpoint) {
  const std::string good = table_file(kTensors);
  std::string changed = good;
  changed[3] = static_cast<char>(changed[3] ^ 1);
  expect_checkpoint_error(Code::BadChecksum, changed);
  expect_checkpoint_error(Code::UnsupportedForm, table_file(kTensors, 1));
  expect_checkpoint_error(Code::CorruptFile, good.substr(0, good.size() - 1));
  expect_checkpoint_error(Code::TruncatedFile, good.substr(good.size() - 40));
  expect_checkpoint_error(Code::MissingDataFile, "");
}

TEST(SavedModel, AnEntryThatLies) {
  expect_checkpoint_error(Code::DataOutOfRange,
                          table_file({{"", bundle_header()}, {"layer/kernel", bundle_entry({2}, 8, 8)}}),
                          "model/variables/variables.data-00000-of-00001");
  expect_checkpoint_error(Code::WrongTensorSize,
                          table_file({{"", bundle_header()}, {"layer/kernel", bundle_entry({2}, 0, 4)}}));
  expect_checkpoint_error(Code::MissingDataFile,
                          table_file({{"", bundle_header(2)}, {"layer/kernel", bundle_entry({2}, 4, 8)}}),
                          "model/variables/variables.data-00000-of-00002");
  const Converted converted =
      convert_saved(one_graph(), table_file({{"", bundle_header()}, {"other", bundle_entry({2}, 4, 8)}}));
  EXPECT_EQ(converted.code(), code_text(Code::NoVariable));
  EXPECT_EQ(converted.message().node, "v");
}

TEST(SavedModel, TwoKeysOfASignatureMayNameTheSameInput) {
  const std::string twice =
      "signature_def { key: 'serving_default' value { inputs { key: 'a' value { name: 'serving_default_image:0' } } "
      "inputs { key: 'b' value { name: 'serving_default_image:0' } } "
      "outputs { key: 'scores' value { name: 'call:0' } } } }\n";
  const Converted converted = convert_saved(meta_graph("serve", twice), table_file(kTensors));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  const auto inputs = converted.layers("Parameter");
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(text_of(inputs[0].child("output").first_child(), "names"),
            "a,b,serving_default_image,serving_default_image:0");
}

}  // namespace
}  // namespace mo::test
