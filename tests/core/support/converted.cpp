#include "tests/core/support/converted.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo::test {

ScriptedTransform& add_transform(Extensions& extensions, std::string name, Phase phase,
                                 ScriptedTransform::Action action, std::string framework) {
  auto made = std::make_unique<ScriptedTransform>();
  ScriptedTransform& transform = *made;
  transform.action = std::move(action);
  UserTransform user;
  user.origin.file = cat("my_ext/", phase_name(phase), "/", name, ".js");
  user.origin.name = std::move(name);
  user.framework = std::move(framework);
  user.phase = phase;
  user.transform = std::move(made);
  extensions.transforms.push_back(std::move(user));
  return transform;
}

UserOp same_shape_op(std::string op, std::string type) {
  UserOp out;
  out.op = std::move(op);
  out.type = std::move(type);
  out.infer = [](Node& node) {
    if (const OutPort source = node.source(0)) node.out(0).tensor().shape = source.tensor().shape;
  };
  return out;
}

Message Converted::message() const {
  const std::vector<Message>& messages = conversion->messages();
  const auto error = std::find_if(messages.begin(), messages.end(),
                                  [](const Message& message) { return message.severity == Message::Severity::Error; });
  if (error != messages.end()) return *error;
  return messages.empty() ? Message() : messages.front();
}

std::vector<pugi::xml_node> Converted::layers() const {
  std::vector<pugi::xml_node> out;
  for (const pugi::xml_node layer : document->child("net").child("layers")) out.push_back(layer);
  return out;
}

std::vector<pugi::xml_node> Converted::layers(std::string_view type) const {
  std::vector<pugi::xml_node> out;
  for (const pugi::xml_node layer : layers())
    if (text_of(layer, "type") == type) out.push_back(layer);
  return out;
}

pugi::xml_node Converted::layer(std::string_view name) const {
  for (const pugi::xml_node layer : layers())
    if (text_of(layer, "name") == name) return layer;
  return {};
}

pugi::xml_node Converted::source(pugi::xml_node to, int port) const {
  for (const pugi::xml_node edge : document->child("net").child("edges")) {
    if (text_of(edge, "to-layer") != text_of(to, "id") || edge.attribute("to-port").as_int() != port) continue;
    for (const pugi::xml_node layer : layers())
      if (text_of(layer, "id") == text_of(edge, "from-layer")) return layer;
  }
  return {};
}

std::vector<std::byte> Converted::bin() const {
  std::vector<std::byte> out;
  for (const Segment& segment : conversion->segments()) {
    std::vector<std::byte> piece = segment.bytes;
    piece.resize(static_cast<size_t>(segment.size));
    if (segment.kind == Segment::Kind::File)
      files->open(conversion->files()[segment.file])->read(segment.offset, piece);
    if (segment.kind == Segment::Kind::Recipe) conversion->read_recipe(segment.recipe, 0, piece);
    out.insert(out.end(), piece.begin(), piece.end());
  }
  return out;
}

namespace {

pugi::xml_node output(pugi::xml_node layer, int index) {
  pugi::xml_node port = layer.child("output").first_child();
  for (int i = 0; i < index; ++i) port = port.next_sibling();
  return port;
}

}  // namespace

std::string dims(pugi::xml_node layer, int index) {
  std::string out;
  for (const pugi::xml_node dim : output(layer, index).children("dim"))
    out += (out.empty() ? "" : ",") + std::string(dim.text().get());
  return out;
}

std::string precision(pugi::xml_node layer, int index) { return text_of(output(layer, index), "precision"); }

Converted convert_model(const OnnxGraph& graph, Extensions* extensions, const std::vector<OptionText>& options) {
  auto files = std::make_unique<MemoryFiles>();
  files->put("model.onnx", graph.model());
  return convert_files(std::move(files), "model.onnx", options, extensions);
}

Converted convert_files(std::unique_ptr<MemoryFiles> files, const std::string& name,
                        const std::vector<OptionText>& options, Extensions* extensions) {
  Converted out;
  out.files = std::move(files);
  std::vector<OptionText> all = {{"compress_to_fp16", "False"}};
  all.insert(all.end(), options.begin(), options.end());
  std::vector<std::string>& trace = out.trace;
  const auto on_progress = [&trace](const Progress& step) {
    std::string text = std::string(step.phase) + ":" + std::string(step.transform);
    if (trace.empty() || trace.back() != text) trace.push_back(std::move(text));
  };
  out.conversion = convert(*out.files, name, all, on_progress, extensions);
  out.document = std::make_unique<pugi::xml_document>();
  out.document->load_string(out.xml().c_str());
  return out;
}

std::string code_text(Code code) { return Error(code).message().code; }

}  // namespace mo::test
