// Formats are recognised by their bytes.

#include "core/front/loader.h"
#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

using namespace std::string_literals;

std::vector<std::byte> to_bytes(const std::string& text) {
  return bytes_of(std::vector<char>(text.begin(), text.end()));
}

/// The title of the format that reads the file or recognises it; empty if it is unknown.
std::string known_as(const std::string& content) {
  MemoryFiles set;
  set.put("m", to_bytes(content));
  Files files(set);
  const ModelFile model(files, "m");
  for (const Format& format : all_formats())
    if (format.loader().match(model)) return std::string(format.title);
  return std::string(recognise(model).title);
}

/// Expects that title for the file truncated anywhere from `begin` on.
void expect_cut_off(const std::string& content, std::string_view title, size_t begin) {
  for (size_t size = begin; size <= content.size(); ++size)
    EXPECT_EQ(known_as(content.substr(0, size)), title) << size << " bytes";
}

std::string node_def(std::string_view name, std::string_view op) {
  return WireMessage().bytes(1, name).bytes(2, op).text();
}

std::string graph_def() {
  const std::string versions = WireMessage().number(1, 1395).text();
  return WireMessage().bytes(1, node_def("x", "Placeholder")).bytes(1, node_def("y", "Relu")).bytes(4, versions).text();
}

std::string saved_model(size_t padding = 0) {
  const std::string tags = WireMessage().bytes(4, "serve").bytes(5, "2.14.1" + std::string(padding, 'x')).text();
  const std::string meta_graph = WireMessage().bytes(1, tags).bytes(2, graph_def()).text();
  return WireMessage().number(1, 1).bytes(2, meta_graph).text();
}

TEST(Formats, ASmallSavedModelIsNoOnnx) {
  ASSERT_LT(saved_model().size(), 100u);
  EXPECT_EQ(known_as(saved_model()), "TensorFlow");
  EXPECT_EQ(known_as(saved_model(10000)), "TensorFlow");
  expect_cut_off(saved_model(), "TensorFlow", 6);
}

TEST(Formats, ASavedModelWithoutMetaInformation) {
  const std::string meta_graph = WireMessage().bytes(2, graph_def()).text();
  EXPECT_EQ(known_as(WireMessage().number(1, 1).bytes(2, meta_graph).text()), "TensorFlow");
}

TEST(Formats, FrozenGraph) {
  expect_cut_off(graph_def(), "TensorFlow", 5);
  const std::string function = WireMessage().bytes(1, node_def("f", "")).text();
  EXPECT_EQ(known_as(WireMessage().bytes(2, function).text() + graph_def()), "TensorFlow");
  EXPECT_EQ(known_as("node {\n  name: \"x\"\n  op: \"Placeholder\"\n}\n"), "TensorFlow");
}

TEST(Formats, CaffeModel) {
  const std::string layer = WireMessage().bytes(1, "conv1").bytes(2, "Convolution").text();
  const std::string old_layer = WireMessage().bytes(2, "data").bytes(3, "conv1").bytes(4, "conv1").number(5, 4).text();
  expect_cut_off(WireMessage().bytes(1, "CaffeNet").bytes(100, layer).text(), "Caffe", 15);
  expect_cut_off(WireMessage().bytes(1, "VGG").bytes(2, old_layer).text(), "Caffe", 9);
  EXPECT_EQ(known_as(WireMessage().bytes(100, layer).text()), "Caffe");
  EXPECT_EQ(known_as(WireMessage().bytes(2, old_layer).text()), "Caffe");
  EXPECT_EQ(known_as(WireMessage().bytes(1, "n").bytes(3, "data").number(4, 1).bytes(100, layer).text()), "Caffe");
  EXPECT_EQ(known_as("name: \"net\"\nlayer {\n  name: \"data\"\n}\n"), "Caffe");
  // profile_warmup is the last field before the layers; no net has a field between it and them.
  EXPECT_EQ(known_as(WireMessage().bytes(1, "n").number(11, 10).bytes(100, layer).text()), "Caffe");
  EXPECT_EQ(known_as(WireMessage().bytes(1, "n").number(12, 10).bytes(100, layer).text()), "");
  EXPECT_EQ(known_as("# by hand\n\tlayers\n{\n  layer { name: \"data\" }\n}\n"), "Caffe");
  EXPECT_EQ(known_as("input: \"x\"\ninput_shape { dim: 1 }\n"), "Caffe");
  // A solver, its state, weights as HDF5.
  EXPECT_EQ(known_as("net: \"net.prototxt\"\nbase_lr: 0.1\n"), "");
  EXPECT_EQ(known_as(WireMessage().number(1, 9).bytes(2, "net_iter_9.caffemodel").bytes(3, "\x08\x01").text()), "");
  EXPECT_EQ(known_as("\x89HDF\r\n\x1a\n" + std::string("\0data\0", 6)), "");
}

TEST(Formats, PaddleProgram) {
  const std::string variable = WireMessage().bytes(1, "feed").text();
  const std::string block = WireMessage().number(1, 0).number(2, -1).bytes(3, variable).text();
  const std::string version = WireMessage().number(1, 2006002).text();
  expect_cut_off(WireMessage().bytes(1, block).bytes(4, version).text(), "PaddlePaddle", 4);
  const std::string without_index = WireMessage().number(2, -1).bytes(3, variable).text();
  EXPECT_EQ(known_as(WireMessage().bytes(1, without_index).bytes(4, version).text()), "");
}

TEST(Formats, SymbolsAndArraysOfMxnet) {
  expect_cut_off("{\n  \"nodes\": [\n    {\n      \"op\": \"null\", \"name\": \"data\"}]}", "MXNet", 35);
  EXPECT_EQ(known_as(" {\"arg_nodes\": [0], \"attrs\": {}, \"heads\": []"), "MXNet");
  EXPECT_EQ(known_as("\x12\x01\0\0\0\0\0\0\0"s), "MXNet");
  EXPECT_EQ(known_as("PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x09\0\0\0arg:w.npy"s), "MXNet");
  EXPECT_EQ(known_as("[{\"nodes\": 1, \"op\": 2}]"), "");
  EXPECT_EQ(known_as("{\"nodes\": []}"), "");
}

/// Why a file that belongs to a model is none.
std::string no_model(const std::string& content) {
  MemoryFiles set;
  set.put("m", to_bytes(content));
  Files files(set);
  const auto error = refusal(ModelFile(files, "m"));
  return error ? error->detail().text() : "";
}

TEST(Formats, NetworksOfKaldi) {
  for (const char* network :
       {"<Nnet>\n", "<Nnet> \n<AffineTransform> 2 3 ", "<Nnet3> \ninput-node name=x dim=1\n",
        "\n<affinetransform> 2 3 \n", "<LstmProjectedStreams> 2 3 <CellDim> 4", "<TransitionModel> \n<Topology> \n"})
    EXPECT_EQ(known_as(network), "Kaldi") << network;
  expect_cut_off("\0B<Nnet> <NumComponents> \4\1\0\0\0"s, "Kaldi", 9);
  expect_cut_off("\0B<TransitionModel> <Topology> \4\1\0\0\0\1\0\0\0\4"s, "Kaldi", 20);
  EXPECT_EQ(known_as("\0B<Sigmoid> \4\2\0\0\0\4\2\0\0\0"s), "Kaldi");
  for (const char* other : {"<Copy> <a>", "<Softmax>", "<Nnet4> \n", "<NnetX>"})
    EXPECT_EQ(known_as(other), "") << other;
}

TEST(Formats, WhatLiesBesideNetworksOfKaldi) {
  const std::string transitions =
      "<TransitionModel> <Topology> </Topology> <Triples> 0 </Triples> <LogProbs> [ ] </LogProbs> </TransitionModel> ";
  const std::pair<std::string, std::string_view> rows[] = {
      {transitions, "a transition model alone has no network"},
      {transitions + "<DIMENSION> 39 <NUMPDFS> 9 ", "an acoustic model of Gaussians has no network"},
      {"\0B<DiagGMM> <GCONSTS> "s, "a background model of Gaussians has no network"},
      {"<FullGMM> <GCONSTS> ", "a background model of Gaussians has no network"},
      {"\0B<IvectorExtractor> <w> "s, "an i-vector extractor has no network"},
      {"ContextDependency 3 1 ToPdf ", "a decision tree has no network"},
      {"\0BContextDependency \4"s, "a decision tree has no network"},
      {"\xd6\xfd\xb2\x7e\x06\0\0\0vector"s, "a transducer of OpenFst is for decoding, and has no network"},
      {"\0BFM \4\1\0\0\0"s, "a matrix or vector of Kaldi belongs to a model"},
      {"\0BCM2 \0\0\0\0"s, "a matrix or vector of Kaldi belongs to a model"},
      {" [\n  0.5 -1e-3 \n nan 4 ]\n", "a matrix or vector of Kaldi belongs to a model"},
      {"utterance-1 \0BCM \0\0"s, "an archive of Kaldi has features or the like, and no network"},
      {"utterance-1  [\n  0.5 1 ]\nutterance-2  [\n 3 ]",
       "an archive of Kaldi has features or the like, and no network"},
      {"u1 /data/feats.1.ark:14\nu2 /data/feats.1.ark:2000\n",
       "an archive of Kaldi has features or the like, and no network"},
      {"\0B<Plda> \4"s, "a file of Kaldi without a network"}};
  for (const auto& [content, reason] : rows) {
    EXPECT_EQ(known_as(content), "") << content;
    EXPECT_EQ(no_model(content), reason);
  }
  for (const char* text : {"[1, 2]", "[ 1, 2 ]", "a word", "[ \"x\" ]", "u1 [1]"})
    EXPECT_EQ(no_model(text), "") << text;
}

TEST(Formats, FilesThatTheirFirstBytesTell) {
  EXPECT_EQ(known_as("\x1c\0\0\0TFL3\0\0"s), "TensorFlow Lite");
  EXPECT_EQ(known_as("PK\x03\x04\x14\0"s), "zip archive");
  EXPECT_EQ(known_as("\x80\x02}q\0"s), "Python pickle");
  EXPECT_EQ(known_as("<?xml version=\"1.0\"?>\n<net name=\"m\">"), "OpenVINO IR");
  EXPECT_EQ(known_as("<net name=\"m\">"), "OpenVINO IR");
  EXPECT_EQ(known_as("\x1c\0\0\0MNNB"s), "MNN model");
  EXPECT_EQ(known_as("TFL3"), "");
  EXPECT_EQ(known_as("no model"), "");
}

void expect_keras(const std::string& content, const std::string& line) {
  MemoryFiles set;
  set.put("m.keras", to_bytes(content));
  const auto conversion = convert(set, "m.keras", {});
  EXPECT_EQ(conversion->messages().at(0).code, code_text(Code::KerasFile));
  EXPECT_EQ(conversion->messages().at(0).hint, "export a SavedModel in Python: " + line);
  EXPECT_EQ(conversion->messages().at(0).file, "m.keras");
}

TEST(Formats, FilesOfKerasAreToldHowToExport) {
  const std::string header = "PK\x03\x04" + std::string(26, '\0');
  for (const char* part : {"metadata.json", "config.json", "model.weights.h5"})
    expect_keras(header + part + "{}", "keras.models.load_model('m.keras').export('folder')");
  expect_keras("\x89HDF\r\n\x1a\n\0"s, "tf_keras.models.load_model('m.keras').save('folder')");
}

/// The header of the first file in an archive.
std::string zipped(const std::string& name) {
  std::string header = "PK\x03\x04" + std::string(26, '\0');
  header[26] = static_cast<char>(name.size());
  return header + name;
}

TEST(Formats, ModelsOfOtherPrograms) {
  EXPECT_EQ(known_as(zipped("archive/data.pkl") + "\x80\x02"), "PyTorch model or weights");
  EXPECT_EQ(known_as(zipped("model/version") + "3\n"), "PyTorch model or weights");
  EXPECT_EQ(known_as(zipped("net/data.pkl") + "\x80\x02" + "c__torch__\nNet\nq"), "TorchScript program");
  EXPECT_EQ(known_as("\x1c\0\0\0ET12"s), "ExecuTorch program");
  EXPECT_EQ(known_as(zipped("net/model.onnx")), "zip archive");
  EXPECT_EQ(known_as(zipped("data.pkl").substr(0, 20)), "zip archive");
  EXPECT_EQ(known_as("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02"), "PyTorch model or weights");
  EXPECT_EQ(known_as("\x80\x04\x95\0\0"s), "Python pickle");
  EXPECT_EQ(known_as("\x40\0\0\0\0\0\0\0{\"w\":{"s), "safetensors file with weights alone");
  EXPECT_EQ(known_as("GGUF\x03\0\0\0"s), "GGUF model of llama.cpp");
  EXPECT_EQ(known_as("\x1c\0\0\0ORTM"s), "ORT model of ONNX Runtime");
  EXPECT_EQ(known_as("ptrt\0\0\0\0"s), "TensorRT engine");
  EXPECT_EQ(known_as(std::string(24, '\0') + "ptrt"), "TensorRT engine");
  EXPECT_EQ(known_as("\0\0\0\0\2\0\0\0\5\0\0\0"s), "Darknet weights");
  EXPECT_EQ(known_as("# yolo\n[net]\nbatch=1\n"), "Darknet configuration");
  EXPECT_EQ(known_as("{\"modelTopology\": {}}"), "TensorFlow.js model");
  EXPECT_EQ(known_as("7767517\n75 83\n"), "NCNN model");
}

TEST(Formats, CoreMl) {
  const std::string image = WireMessage().bytes(1, "image").bytes(3, "\x22\x00").text();
  const std::string description = WireMessage().bytes(1, image).text();
  EXPECT_EQ(known_as(WireMessage().number(1, 5).bytes(2, description).bytes(500, "layers").text()), "Core ML model");
  // A SavedModel begins in the same way.
  const std::string ops = WireMessage().bytes(1, WireMessage().bytes(1, "Add").text()).text();
  const std::string info = WireMessage().bytes(1, "v1").bytes(2, ops).text();
  EXPECT_EQ(known_as(WireMessage().number(1, 1).bytes(2, WireMessage().bytes(1, info).text()).text()), "TensorFlow");
}

TEST(Formats, FilesInThePlaceOfAModel) {
  EXPECT_EQ(known_as("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
            "Git LFS pointer, which stands for the file");
  EXPECT_EQ(known_as("\n <!DOCTYPE html><html>"), "web page");
  EXPECT_EQ(known_as("\xef\xbb\xbf<HTML lang=en>"), "web page");
  EXPECT_EQ(known_as("<?xml version=\"1.0\"?><!DOCTYPE html><html>"), "web page");
  EXPECT_EQ(known_as("<?xml version=\"1.0\"?>\n<svg>"), "image file");
  EXPECT_EQ(known_as("<?xml version=\"1.0\"?>\n<a/>"), "text in XML");
  EXPECT_EQ(known_as("\x89PNG\r\n\x1a\n"), "image file");
  EXPECT_EQ(known_as("\xff\xd8\xff\xe0"), "image file");
  EXPECT_EQ(known_as("RIFF\x10\0\0\0WEBPVP8 "s), "image file");
  EXPECT_EQ(known_as("%PDF-1.7"), "PDF document");
  EXPECT_EQ(known_as("\x1f\x8b\x08"), "file that is compressed");
  MemoryFiles set;
  set.put("model.onnx", to_bytes("version https://git-lfs.github.com/spec/v1\n"));
  const auto conversion = convert(set, "model.onnx", {});
  EXPECT_EQ(conversion->messages().at(0).code, code_text(Code::UnknownFormat));
  EXPECT_EQ(conversion->messages().at(0).hint, "run git lfs pull, or download the file itself");
}

TEST(Formats, OnnxInAnyOrderOfFields) {
  const std::string graph = WireMessage().bytes(2, "g").text();
  const std::string opset = WireMessage().number(2, 13).text();
  EXPECT_EQ(known_as(WireMessage().bytes(7, graph).number(1, 8).text()), "ONNX");
  EXPECT_EQ(known_as(WireMessage().bytes(8, opset).bytes(7, graph).number(1, 8).text()), "ONNX");
  EXPECT_EQ(known_as(WireMessage().bytes(2, "pytorch").bytes(3, "2.1").number(1, 8).bytes(7, graph).text()), "ONNX");
  const std::string notes = std::string(10000, 'n') + "\n";
  EXPECT_EQ(known_as(WireMessage().number(1, 8).bytes(6, notes).bytes(2, "p").bytes(7, graph).text()), "ONNX");
  EXPECT_EQ(known_as(WireMessage().bytes(6, notes).bytes(7, graph).text()), "ONNX");
}

TEST(Formats, OnnxThatIsCutOff) {
  const std::string graph = WireMessage().bytes(2, std::string(300, 'g')).text();
  const std::string model = WireMessage().number(1, 8).bytes(2, "pytorch").bytes(7, graph).text();
  expect_cut_off(model.substr(0, 11), "ONNX", 4);  // in the producer's name
  expect_cut_off(model, "ONNX", 14);               // in the graph
}

TEST(Formats, AFolderThatNobodyReadsIsTold) {
  MemoryFiles set;
  set.put("folder/weights", {});
  const auto conversion = convert(set, "folder", {});
  ASSERT_FALSE(conversion->ok());
  EXPECT_EQ(conversion->messages()[0].code, code_text(Code::NoSuchModel));
  EXPECT_NE(conversion->messages()[0].text.find("\"folder\" is a directory, want a model file"), std::string::npos);
}

TEST(Formats, ACheckpointIsToldThatItNeedsItsGraph) {
  const std::string hint = "give its graph, too: graph.pb with --input_checkpoint, or model.ckpt.meta";
  const std::string index = std::string(48, 'x') + "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
  MemoryFiles set;
  set.put("folder/a.index", to_bytes(index));
  set.put("folder/a.data-00000-of-00001", to_bytes("numbers"));
  for (const auto& [model, code] : {std::pair("folder", Code::NoSuchModel),
                                    {"folder/a.index", Code::UnknownFormat},
                                    {"folder/a.data-00000-of-00001", Code::UnknownFormat}}) {
    const auto conversion = convert(set, model, {});
    ASSERT_FALSE(conversion->ok());
    EXPECT_EQ(conversion->messages()[0].code, code_text(code)) << model;
    EXPECT_EQ(conversion->messages()[0].hint, hint) << model;
  }
}

TEST(Formats, AnUnknownFileIsToldWhatThereIs) {
  MemoryFiles set;
  set.put("m", to_bytes("no model"));
  const auto conversion = convert(set, "m", {});
  EXPECT_EQ(conversion->messages().at(0).code, code_text(Code::UnknownFormat));
  EXPECT_EQ(
      conversion->messages().at(0).hint,
      "this build reads ONNX (.onnx), TensorFlow (.pb, .pbtxt, .meta), TensorFlow Lite (.tflite), Caffe (.caffemodel, "
      ".prototxt, .prototxt.txt, .pt), PaddlePaddle (.pdmodel, .json), MXNet (.params, .json), PyTorch (.pt2), Kaldi "
      "(.nnet, .mdl, .raw)");
}

TEST(Formats, APlaceInATextHasLineAndColumn) {
  const Error error(Code::CorruptFile, "no statement", {.file = "m.toy", .line = 3, .column = 7});
  EXPECT_EQ(error.message().line, 3);
  EXPECT_EQ(error.message().column, 7);
  EXPECT_NE(format(error.message()).find("(file \"m.toy\", line 3, column 7)"), std::string::npos);
}

}  // namespace
}  // namespace mo::test
