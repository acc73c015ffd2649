#include "core/front/paddle/load/kind.h"

#include "core/front/message_head.h"
#include "core/front/paddle/pir/text.h"

namespace mo::paddle {
namespace {

using namespace std::string_view_literals;

/// The first block is a BlockDesc, whose first field, its idx, is a number.
bool starts_program(const ModelFile& file) {
  const HeadField block = first_field(file.head());
  if (block.number != 1 || !block.is_bytes) return false;
  const HeadField index = first_field(block.payload);
  return index.number == 1 && index.is_number;
}

uint64_t number_at(std::string_view head, size_t offset, size_t bytes) {
  uint64_t out = 0;
  for (size_t i = 0; i < bytes; ++i)
    out |= static_cast<uint64_t>(static_cast<unsigned char>(head[offset + i])) << (8 * i);
  return out;
}

bool starts_json(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const size_t at = head.find_first_not_of(" \t\r\n");
  return at != head.npos && head[at] == '{';
}

/// Version 0, levels of sequences, version 0, and a TensorDesc, which begins with its type.
bool starts_record(std::string_view head) {
  if (head.size() < 22 || number_at(head, 0, 4) != 0) return false;
  size_t at = 12;
  for (uint64_t levels = number_at(head, 4, 8); levels > 0; --levels) {
    if (levels > 8 || head.size() < at + 8) return false;
    const uint64_t size = number_at(head, at, 8);
    if (size > head.size()) return false;
    at += 8 + static_cast<size_t>(size);
  }
  if (head.size() < at + 10 || number_at(head, at, 4) != 0) return false;
  const uint64_t description = number_at(head, at + 4, 4);
  return description >= 2 && description <= 1024 && head[at + 8] == 8 && static_cast<unsigned char>(head[at + 9]) < 64;
}

bool has_word(const ModelFile& file, std::string_view word) { return file.head().find(word) != std::string_view::npos; }

/// paddle.save writes a dictionary of arrays, and the names of the parameters; an export a dictionary of notes.
bool is_pickle(const ModelFile& file) {
  const std::string_view head = file.head();
  if (head.size() < 2 || head[0] != '\x80' || head[1] < 2 || head[1] > 5) return false;
  const auto has = [&](std::string_view word) { return has_word(file, word); };
  if (has("torch")) return false;
  if (has("StructuredToParameterName@@") || has("stop_gradient") || has("LR_Scheduler")) return true;
  constexpr uint64_t kTail = 64 << 10;
  const uint64_t size = std::min(file.size(), kTail);
  std::string tail(static_cast<size_t>(size), '\0');
  file.files().read(file.file(), file.size() - size, std::as_writable_bytes(std::span(tail)));
  return tail.find("StructuredToParameterName@@") != tail.npos;
}

/// The version of the form, and that of the program that wrote it, "v2.10" or a commit, in 16 bytes.
bool is_lite(std::string_view head) {
  if (head.size() < 18 || number_at(head, 0, 2) > 2) return false;
  const std::string_view version = head.substr(2, 16);
  const std::string_view text = version.substr(0, version.find('\0'));
  if (text.size() < 4 || version.find_first_not_of('\0', text.size()) != version.npos) return false;
  if (text[0] == 'v') return text.find_first_not_of("0123456789.-_abcdefghijklmnopqrstuvwxyz", 1) == text.npos;
  return text.size() >= 7 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace

Kind kind_of(const ModelFile& file) {
  if (file.is_folder()) return Kind::None;
  // A ProgramDesc whose first block has 123 bytes begins like JSON, too.
  if (starts_json(file.head()) && pir::is_program(file.files(), file.file())) return Kind::Pir;
  if (starts_program(file)) return Kind::Program;
  if (starts_record(file.head())) return Kind::Parameters;
  if (is_pickle(file)) return has_word(file, "stop_gradient") ? Kind::Notes : Kind::Pickle;
  if (is_lite(file.head())) return Kind::Lite;
  // Nothing in an encrypted file says what it is.
  return file.name().ends_with("__model__.encrypted") ? Kind::Encrypted : Kind::None;
}

/// Damaged ones, too: what is wrong is said where they are read.
bool may_be_parameters(const ModelFile& file) {
  const Kind kind = kind_of(file);
  if (kind != Kind::None || file.is_folder()) return kind == Kind::Parameters;
  return file.has("\0\0\0\0"sv) || !refusal(file);
}

bool is_program(const ModelFile& file) {
  const Kind kind = kind_of(file);
  return kind == Kind::Program || kind == Kind::Pir;
}

std::optional<LoneCompanion> no_program(Kind kind) {
  switch (kind) {
    case Kind::Parameters:
      return LoneCompanion{
          "parameters of PaddlePaddle have no program",
          "give the program, too: model.pdmodel or inference.json beside the .pdiparams, or __model__"};
    case Kind::Pickle:
      return LoneCompanion{
          "a pickle of paddle.save has weights and no program",
          "export the model in Python: layer.set_state_dict(paddle.load('model.pdparams')); "
          "paddle.jit.save(layer, 'model', input_spec=[paddle.static.InputSpec([None, 3, 224, 224])])"};
    case Kind::Notes:
      return LoneCompanion{"notes of an export have neither program nor weights",
                           "leave it: a conversion needs the .pdmodel and .pdiparams only"};
    case Kind::Lite:
      return LoneCompanion{"a model of Paddle-Lite is optimised for another runtime, and cannot be taken back",
                           "give the .pdmodel and .pdiparams that it was made of"};
    case Kind::Encrypted:
      return LoneCompanion{"the program is encrypted", "decrypt it with the key and the program that encrypted it"};
    default: return {};
  }
}

}  // namespace mo::paddle
