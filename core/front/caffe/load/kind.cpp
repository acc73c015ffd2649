#include "core/front/caffe/load/kind.h"

#include <algorithm>
#include <span>

#include "core/front/message_head.h"

namespace mo::caffe {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether the text has the field `name`, followed by `mark` or, where that is '{', by a message.
bool has_field(std::string_view text, std::string_view name, char mark) {
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    if (at > 0 && is_of_word(text[at - 1])) continue;
    size_t next = at + name.size();
    while (next < text.size() && (is_blank(text[next]) || (mark == '{' && text[next] == ':'))) ++next;
    if (next < text.size() && (text[next] == mark || (mark == '{' && text[next] == '<'))) return true;
  }
  return false;
}

constexpr uint64_t kMostOfComments = 1 << 20;

/// Where the first field begins; the size of the text if it has comments and blanks only.
size_t begin_of_fields(std::string_view text) {
  size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (at < text.size() && (is_blank(text[at]) || text[at] == '#'))
    at = text[at] == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
  return at;
}

/// The text behind what is written before the network, such as a licence.
std::string without_comments(const ModelFile& file) {
  if (begin_of_fields(file.head()) < file.head().size()) return std::string(file.head());
  std::string text(static_cast<size_t>(std::min(file.size(), kMostOfComments)), '\0');
  file.files().read(file.file(), 0, std::as_writable_bytes(std::span(text)));
  return text.substr(begin_of_fields(text), ModelFile::kHeadBytes);
}

Kind kind_of_text(std::string_view text) {
  const size_t begin = begin_of_fields(text);
  if (begin < text.size() && !is_of_word(text[begin])) return Kind::None;  // names in Kaldi's texts may be like fields
  if (has_field(text, "layer", '{') || has_field(text, "layers", '{')) return Kind::Network;
  const bool has_input = has_field(text, "input", ':');
  if (has_input && (has_field(text, "input_dim", ':') || has_field(text, "input_shape", '{'))) return Kind::Network;
  for (const std::string_view rate : {"base_lr", "lr_policy", "solver_mode", "max_iter"})
    for (const std::string_view net : {"net", "train_net", "test_net"})
      if (has_field(text, rate, ':') && has_field(text, net, ':')) return Kind::Solver;
  return Kind::None;
}

/// NetParameter. Of its layers, names and blobs (1 to 4) come first.
bool is_net_parameter(const ModelFile& model) {
  MessageHead message(model.head());
  for (HeadField field; message.next(field);) {
    if (field.number == 1 && !(field.is_bytes && is_name(field.payload))) return false;  // name
    if (field.number == 2 || field.number == 100) {                                      // layers, layer
      const HeadField first = first_field(field.payload);
      return field.is_bytes && first.is_bytes && first.number <= 4;
    }
    if (field.number > 11) return false;
  }
  return false;
}

/// The number of steps, the name of the file of weights, and then blobs.
bool is_solver_state(const ModelFile& model) {
  MessageHead message(model.head());
  HeadField field;
  if (!message.next(field) || field.number != 1 || !field.is_number) return false;
  if (!message.next(field) || field.number != 2 || !field.is_bytes) return false;
  return is_name(field.payload) && field.payload.find(".caffemodel") != field.payload.npos;
}

/// Four sizes, and numbers.
bool is_mean(const ModelFile& model) {
  MessageHead message(model.head());
  HeadField field;
  for (uint32_t number = 1; number <= 4; ++number)
    if (!message.next(field) || field.number != number || !field.is_number) return false;
  return message.next(field) && field.is_bytes && field.number == 5;
}

/// Caffe's groups are `data` and, after training, `diff`; Keras's files have other ones. A solver's state names its
/// file of weights.
Kind kind_of_hdf5(const ModelFile& model) {
  using namespace std::string_view_literals;
  const std::string_view head = model.head();
  const auto has = [&](std::string_view word) { return head.find(word) != head.npos; };
  if (!model.has("\x89HDF\r\n\x1a\n") || has("keras") || has("model_weights") || has("layer_names")) return Kind::None;
  if (has("\0learned_net\0"sv) && has("\0history\0"sv)) return Kind::SolverState;
  return has("\0data\0"sv) ? Kind::Hdf5 : Kind::None;
}

}  // namespace

Kind kind_of(const ModelFile& model) {
  if (model.is_folder()) return Kind::None;
  if (model.is_text_with("")) return kind_of_text(without_comments(model));
  if (is_net_parameter(model)) return Kind::Weights;
  if (is_solver_state(model)) return Kind::SolverState;
  if (is_mean(model)) return Kind::Mean;
  return kind_of_hdf5(model);
}

std::optional<LoneCompanion> no_model(Kind kind) {
  switch (kind) {
    case Kind::Solver:
      return LoneCompanion{"a solver says how to train, and has no layers", "give the network that its `net` names"};
    case Kind::SolverState:
      return LoneCompanion{"a solver's state is for going on with training", "give the .caffemodel of the same step"};
    case Kind::Mean:
      return LoneCompanion{"a mean image belongs to a model", "give the model, and this file with --mean_file"};
    case Kind::Hdf5:
      return LoneCompanion{
          "weights as HDF5 are not read",
          "save them as a .caffemodel in Python: net = caffe.Net('deploy.prototxt', 'net.caffemodel.h5', "
          "caffe.TEST); net.save('net.caffemodel')"};
    default: return {};
  }
}

}  // namespace mo::caffe
