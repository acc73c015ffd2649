#include "core/front/loader.h"

#include <algorithm>
#include <cstring>

#include "core/base/proto/wire.h"

namespace mo {
namespace {

const Loader* const kLoaders[] = {&onnx::kLoader};

struct Signature {
  size_t offset;
  std::string_view bytes;
  std::string_view title;
};
using namespace std::string_view_literals;
constexpr Signature kSignatures[] = {
    {4, "TFL3"sv, "TensorFlow Lite model"sv},
    {0, "\x89HDF\r\n\x1a\n"sv, "Keras or HDF5 model"sv},
    {0, "PK\x03\x04"sv, "PyTorch checkpoint or zip archive"sv},
    {0, "\x80\x02"sv, "Python pickle"sv},
    {0, "\0B"sv, "Kaldi model"sv},
    {0, "<Nnet>"sv, "Kaldi model"sv},
    {0, "<Nnet3>"sv, "Kaldi model"sv},
    {0, "<?xml"sv, "OpenVINO IR"sv},
    {0, "<net"sv, "OpenVINO IR"sv},
    {0, "\x12\x01\0\0\0\0\0\0"sv, "MXNet parameters"sv},
    {4, "MNNB"sv, "MNN model"sv},
};

bool has_bytes(std::string_view head, const Signature& s) {
  return head.size() >= s.offset + s.bytes.size() && head.compare(s.offset, s.bytes.size(), s.bytes) == 0;
}

bool is_text(std::string_view head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  });
}

std::string_view text_format(std::string_view head) {
  const auto holds = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  if (holds("\"nodes\"") && holds("\"op\"")) return "MXNet symbol";
  if (holds("layer {") || holds("layers {") || holds("layer{")) return "Caffe prototxt";
  if (holds("node {") || holds("graph_def {")) return "TensorFlow text graph";
  return {};
}

/// Names the format of a protobuf message by the fields of its first kilobytes.
std::string_view protobuf_format(Files& files, FileId main) {
  Window window(files, main);
  bool node_defs = false, layers = false;
  std::string_view found;
  try {
    WireReader reader(window, 0, window.size());
    WireField f;
    for (int i = 0; i < 64 && reader.next(f); ++i) {
      node_defs |= f.number == 1 && f.is_bytes();
      if (i == 0 && f.number == 1 && f.type == WireField::Varint) found = "TensorFlow SavedModel";
      layers |= (f.number == 100 || f.number == 2) && f.is_bytes();
      if (f.number == 1 && f.is_bytes() && i == 0) {
        // NodeDef: name (1) and op (2) are texts; BlockDesc (Paddle): idx and parent_idx are numbers.
        WireReader inner(window, f);
        WireField g;
        if (inner.next(g))
          found = g.type == WireField::Varint ? "PaddlePaddle model"
                  : g.number == 1             ? "TensorFlow frozen graph"
                                              : found;
      }
    }
  } catch (const Error&) {
    // What came before the break has to do.
  }
  if (layers && found != "PaddlePaddle model" && found != "TensorFlow frozen graph") return "Caffe model";
  if (!node_defs && found != "TensorFlow SavedModel") return {};
  return found;
}

}  // namespace

const Loader& find_loader(Files& files, FileId main) {
  const std::string& name = files.name(main);
  const uint64_t size = files.source(main).size();
  if (size == 0) throw Error(Code::EmptyFile, {}, {.file = name});
  for (const Loader* loader : kLoaders)
    if (loader->match(files, main)) return *loader;
  std::string head(static_cast<size_t>(std::min<uint64_t>(size, 4096)), '\0');
  files.read(main, 0, std::as_writable_bytes(std::span(head)));
  std::string_view format;
  for (const Signature& signature : kSignatures)
    if (format.empty() && has_bytes(head, signature)) format = signature.title;
  if (format.empty()) format = is_text(head) ? text_format(head) : protobuf_format(files, main);
  if (!format.empty()) throw Error(Code::OtherFormat, cat(format, ": not in this build"), {.file = name});
  throw Error(Code::UnknownFormat, {}, {.file = name});
}

}  // namespace mo
