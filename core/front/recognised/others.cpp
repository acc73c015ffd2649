// Models that users may pass although no framework here reads them.

#include "core/base/text.h"
#include "core/front/message_head.h"
#include "core/front/model_file.h"

namespace mo {
namespace {

struct ForeignStart {
  size_t offset;
  std::string_view bytes, title, hint = {};
};

constexpr std::string_view kOnnx = "convert the ONNX model that it was made of";
constexpr std::string_view kConverted = "it is what a conversion gives: load it with OpenVINO, beside its .bin";
constexpr std::string_view kDarknet =
    "write the network with its weights as ONNX: converters of Darknet models do that";
constexpr std::string_view kTorch = "PyTorch model or weights";
constexpr std::string_view kExport =
    "load it in Python: torch.export.save(torch.export.export(model.eval(), (example,)), 'model.pt2')";
constexpr std::string_view kExportSource =
    "take its model in Python: torch.export.save(torch.export.export(model.eval(), (example,)), 'model.pt2')";
constexpr std::string_view kPickle = "Python pickle";
constexpr std::string_view kLoad = "load it in Python, and export the model that is in it to ONNX";
constexpr std::string_view kGguf = "GGUF model of llama.cpp";
constexpr std::string_view kSource = "take the model that it was made of, and export that to ONNX";

using namespace std::string_view_literals;

constexpr ForeignStart kForeignStarts[] = {
    {0, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", kTorch, kExport},
    {0, "\x80\x02", kPickle, kLoad},
    {0, "\x80\x03", kPickle, kLoad},
    {0, "\x80\x04\x95", kPickle, kLoad},
    {0, "\x80\x05\x95", kPickle, kLoad},
    {0, "GGUF", kGguf, kSource},
    {0, "tjgg", kGguf, kSource},
    {0, "fmgg", kGguf, kSource},
    {0, "lmgg", kGguf, kSource},
    {4, "ORTM", "ORT model of ONNX Runtime", kOnnx},
    {0, "ptrt", "TensorRT engine", kOnnx},
    {24, "ptrt", "TensorRT engine", kOnnx},
    {0, "ftrt", "TensorRT engine", kOnnx},
    {0, "RKNN", "RKNN model", kOnnx},
    {4, "ET12", "ExecuTorch program", kExportSource},
    {4, "MNNB", "MNN model"},
    {0, "7767517\n", "NCNN model"},
    {0, "7767517\r\n", "NCNN model"},
    {0, "\0\0\0\0\1\0\0\0"sv, "Darknet weights", kDarknet},
    {0, "\0\0\0\0\2\0\0\0"sv, "Darknet weights", kDarknet},
};

/// Eight bytes have the length of the header, which is JSON.
bool is_safetensors(const ModelFile& model) {
  return model.has("\0\0\0\0"sv, 4) && (model.has("{\"", 8) || model.has("{}", 8));
}

/// The name of the first file in an archive begins behind 30 bytes.
bool is_torch_archive(const ModelFile& model) {
  if (!model.has("PK\x03\x04") || model.head().size() < 30) return false;
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(model.head()[at]); };
  const std::string_view name = model.head().substr(30, byte(26) + 256u * byte(27));
  return name.ends_with("/data.pkl") || name.ends_with("/constants.pkl") ||
         name.find("/.format_version") != name.npos || name.find("/.data/") != name.npos ||
         (name.ends_with("/version") && name.find('/') == name.rfind('/'));
}

/// A version, and a description that begins with a named input or output.
bool is_core_ml(const ModelFile& model) {
  MessageHead head(model.head());
  HeadField version, description;
  if (!head.next(version) || version.number != 1 || !version.is_number) return false;
  if (!head.next(description) || description.number != 2 || !description.is_bytes) return false;
  const HeadField port = first_field(description.payload);
  if ((port.number != 1 && port.number != 10) || !port.is_bytes) return false;
  const HeadField name = first_field(port.payload);
  return name.number == 1 && name.is_bytes && !name.payload.empty() && is_name(name.payload);
}

bool is_darknet_text(const ModelFile& model) {
  return model.is_text_with("[net]") || model.is_text_with("[network]") || model.is_text_with("[yolo]");
}

}  // namespace

Recognised recognise_others(const ModelFile& model) {
  for (const ForeignStart& row : kForeignStarts)
    if (model.has(row.bytes, row.offset)) return {row.title, row.hint};
  if (model.has("<net") || (model.has("<?xml") && model.head().find("<net") != std::string_view::npos))
    return {"OpenVINO IR", kConverted};
  if (is_torch_archive(model)) {
    // The pickle in it makes objects of classes that TorchScript has compiled.
    if (model.head().find("c__torch__") != std::string_view::npos) return {"TorchScript program", kExportSource};
    return {kTorch, kExport};
  }
  if (is_safetensors(model)) return {"safetensors file with weights alone", kExport};
  if (is_core_ml(model)) return {"Core ML model", kSource};
  if (is_darknet_text(model)) return {"Darknet configuration", kDarknet};
  if (model.is_text_with("\"modelTopology\"") || model.is_text_with("\"weightsManifest\""))
    return {"TensorFlow.js model", "convert the SavedModel that it was made of"};
  return {};
}

}  // namespace mo
