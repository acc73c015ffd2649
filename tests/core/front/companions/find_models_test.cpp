// Which of many files are models, and which belong to them.

#include "core/front/loader.h"
#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

using Names = std::vector<std::string>;

class FindModels : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& content = "x") {
    files_.put(name, bytes_of(std::vector<char>(content.begin(), content.end())));
  }
  void put_graph(const std::string& name) {
    put(name, WireMessage().bytes(1, WireMessage().bytes(1, "x").bytes(2, "Placeholder").text()).text());
  }
  FoundModels find() { return mo::find_models(files_); }
  static Names mains(const FoundModels& found) {
    Names out;
    for (const FoundModel& model : found.models) out.push_back(model.main + (model.is_folder ? "/" : ""));
    return out;
  }

  MemoryFiles files_;
};

TEST_F(FindModels, AnEndingThatOnlyModelsHaveIsEnough) {
  put("a.onnx", "no ONNX");
  put("b.TFLITE");
  put("c.bin");
  const FoundModels found = find();
  EXPECT_EQ(mains(found), (Names{"a.onnx", "b.TFLITE"}));
  EXPECT_EQ(found.models[0].framework, "onnx");
  EXPECT_EQ(found.others, (Names{"c.bin"}));
  EXPECT_TRUE(found.unread.empty());
}

TEST_F(FindModels, BytesDecideWhereOtherFilesHaveTheEnding) {
  put_graph("graph.pb");
  put("input_0.pb", WireMessage().number(2, 1).text());
  put("labels.pbtxt", "item {\n  id: 1\n}\n");
  const FoundModels found = find();
  EXPECT_EQ(mains(found), (Names{"graph.pb"}));
  EXPECT_EQ(found.models[0].framework, "tf");
  EXPECT_EQ(found.others, (Names{"input_0.pb", "labels.pbtxt"}));
}

TEST_F(FindModels, WithoutAModelByItsEndingFilesOfAnyNameAreLookedInto) {
  put_graph("network");
  put("notes.txt");
  EXPECT_EQ(mains(find()), (Names{"network"}));
  put("m.onnx");
  EXPECT_EQ(mains(find()), (Names{"m.onnx"}));
}

TEST_F(FindModels, AFolderThatAFormatClaimsIsOneModel) {
  put("a/net/saved_model.pb");
  put("a/net/variables/variables.index");
  put("a/net/assets/extra.onnx");
  put("a/other.onnx");
  const FoundModels found = find();
  EXPECT_EQ(mains(found), (Names{"a/net/", "a/other.onnx"}));
  EXPECT_TRUE(found.others.empty());
  EXPECT_TRUE(found.models[0].companions.empty());
}

TEST_F(FindModels, TheFolderThatIsLookedThroughMayBeAModelItself) {
  put("a/net/saved_model.pb");
  put("a/net/assets/extra.onnx");
  put("b.onnx");
  const FoundModels found = mo::find_models(files_, "a/net");
  EXPECT_EQ(mains(found), (Names{"a/net/"}));
  EXPECT_TRUE(found.others.empty());
}

TEST_F(FindModels, FoldersOfKaldiAreModelsIfTheirFileIsANetwork) {
  put("vosk/am/final.mdl", std::string("\0B<Nnet3> \n", 11));
  put("vosk/ivector/final.ie", std::string("\0B<IvectorExtractor> ", 21));
  put("tdnn/final.mdl", "<Nnet3> \n");
  put("tdnn/0.mdl", "<Nnet3> \n");
  put("tri3b/final.mdl", "<DIMENSION> 39 ");
  put("nnet/final.nnet", "<Nnet> \n");
  const FoundModels found = find();
  EXPECT_EQ(mains(found), (Names{"nnet/final.nnet", "tdnn/", "vosk/"}));
  EXPECT_EQ(found.others, (Names{"tri3b/final.mdl"}));
  ASSERT_EQ(found.recognised.size(), 1u);
  EXPECT_EQ(found.recognised[0].file, "tri3b/final.mdl");
}

TEST_F(FindModels, OtherTextsBesideWeightsAreNoModels) {
  const std::string text = "layer { name: \"l\" type: \"Scale\" }\n";
  put("net.caffemodel",
      WireMessage().bytes(1, "n").bytes(100, WireMessage().bytes(1, "l").bytes(2, "Scale").text()).text());
  put("net.prototxt", text);
  put("solver.prototxt", "net: \"train_val.prototxt\"\nbase_lr: 0.1\n");
  put("train_val.prototxt", text);
  put("lone/net.prototxt", text);
  const FoundModels found = find();
  EXPECT_EQ(mains(found), (Names{"lone/net.prototxt", "net.caffemodel"}));
  EXPECT_EQ(found.others, (Names{"solver.prototxt", "train_val.prototxt"}));
}

/// A file whose bytes cannot be read.
class Damaged final : public FileSet, public ByteSource {
 public:
  ByteSource* open(std::string_view name) override { return name == "net.pb" ? this : nullptr; }
  std::vector<std::string> list(std::string_view folder) override { return folder.empty() ? Names{"net.pb"} : Names(); }
  uint64_t size() const override { return 100; }
  void read(uint64_t, std::span<std::byte>) override {
    throw Error(Code::HostReadFailed, "it is damaged", {.file = "net.pb"});
  }
};

TEST_F(FindModels, AFileThatCannotBeReadIsNamedWhereThereIsNoModelWithoutIt) {
  Damaged files;
  const FoundModels found = mo::find_models(files);
  ASSERT_EQ(found.messages.size(), 1u);
  EXPECT_EQ(found.messages[0].file, "net.pb");
}

TEST_F(FindModels, FilesThatAreNoModelsSayWhatTheyAre) {
  put("m.onnx");
  put("a.pth", "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.");
  put("b.bin", "version https://git-lfs.github.com/spec/v1\n");
  put("c.txt", "notes");
  put("empty.bin", "");
  const FoundModels found = find();
  EXPECT_EQ(mains(found), (Names{"m.onnx"}));
  EXPECT_EQ(found.others, (Names{"a.pth", "b.bin", "c.txt", "empty.bin"}));
  ASSERT_EQ(found.recognised.size(), 2u);
  EXPECT_EQ(found.recognised[0].file, "a.pth");
  EXPECT_EQ(found.recognised[0].code, code_text(Code::OtherFormat));
  EXPECT_EQ(found.recognised[1].file, "b.bin");
  EXPECT_EQ(found.recognised[1].code, code_text(Code::UnknownFormat));
  EXPECT_EQ(found.recognised[1].hint, "run git lfs pull, or download the file itself");
}

TEST_F(FindModels, ACheckpointBelongsToTheGraphBesideIt) {
  put_graph("d/graph.pb");
  put("d/model.ckpt.index");
  put("d/model.ckpt.data-00000-of-00001");
  put("d/notes.txt");
  const FoundModels found = find();
  ASSERT_EQ(mains(found), (Names{"d/graph.pb"}));
  ASSERT_EQ(found.models[0].companions.size(), 1u);
  const CompanionFiles& checkpoint = found.models[0].companions[0];
  EXPECT_EQ(checkpoint.role, "checkpoint");
  EXPECT_EQ(checkpoint.option, "input_checkpoint");
  EXPECT_EQ(checkpoint.value, "d/model.ckpt");
  EXPECT_EQ(checkpoint.files, (Names{"d/model.ckpt.index", "d/model.ckpt.data-00000-of-00001"}));
  EXPECT_EQ(found.others, (Names{"d/notes.txt"}));
}

TEST_F(FindModels, TheStemDecidesBetweenSeveral) {
  put_graph("d/graph.pb");
  put("d/graph.index");
  put("d/other.index");
  EXPECT_EQ(find().models[0].companions[0].value, "d/graph");
}

TEST_F(FindModels, SeveralCandidatesAreNamed) {
  put_graph("d/graph.pb");
  put("d/a.index");
  put("d/b.ckpt");
  const CompanionFiles checkpoint = find().models[0].companions[0];
  EXPECT_EQ(checkpoint.value, "");
  EXPECT_EQ(checkpoint.candidates, (Names{"d/a", "d/b.ckpt"}));
}

TEST_F(FindModels, WhatIsAbsentIsSaidByName) {
  put_graph("d/graph.pb");
  const CompanionFiles checkpoint = find().models[0].companions[0];
  EXPECT_EQ(checkpoint.looked_for[0], "graph.index");
  EXPECT_EQ(checkpoint.looked_for[1], "*.index");
}

TEST_F(FindModels, FilesInOtherFoldersAreOfTheOnlyModel) {
  put_graph("graph.pb");
  put("weights/m.ckpt");
  EXPECT_EQ(find().models[0].companions[0].value, "weights/m.ckpt");
  put_graph("second.pb");
  EXPECT_EQ(find().models[0].companions[0].value, "");
}

/// Lists a file that it cannot open.
class Packed final : public FileSet {
 public:
  explicit Packed(MemoryFiles& files, std::string name) : files_(files), name_(std::move(name)) {}
  ByteSource* open(std::string_view name) override { return files_.open(name); }
  std::vector<std::string> list(std::string_view folder) override {
    std::vector<std::string> names = files_.list(folder);
    if (folder.empty()) names.push_back(name_);
    return names;
  }

 private:
  MemoryFiles& files_;
  std::string name_;
};

TEST_F(FindModels, FilesWithoutContentAreNamedIfTheirBytesDecide) {
  put("labels.txt");
  Packed graph(files_, "graph.pb"), plain(files_, "m.onnx");
  EXPECT_EQ(mo::find_models(graph).unread, (Names{"graph.pb"}));
  EXPECT_EQ(mains(mo::find_models(plain)), (Names{"m.onnx"}));
  EXPECT_TRUE(mo::find_models(plain).unread.empty());
}

TEST_F(FindModels, AThousandModelsInAFolderTakeNoTime) {
  for (int i = 0; i < 5'000; ++i) {
    put_graph(cat("d/g", i, ".pb"));
    put(cat("d/g", i, ".index"));
  }
  const FoundModels found = find();
  ASSERT_EQ(found.models.size(), 5'000u);
  for (const FoundModel& model : found.models)
    EXPECT_EQ(model.companions[0].value, model.main.substr(0, model.main.size() - 3));
  EXPECT_TRUE(found.others.empty());
}

}  // namespace
}  // namespace mo::test
