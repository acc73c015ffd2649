#include "core/front/kaldi/load/kind.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/front/kaldi/load/components.h"
#include "core/front/kaldi/load/transition_model.h"

namespace mo::kaldi {
namespace {

using namespace std::string_view_literals;

struct KindRow {
  std::string_view begin;
  Kind kind;
};
/// Behind the mark of a binary file, or the blanks of a text.
constexpr KindRow kKindRows[] = {{"<Nnet> ", Kind::Network},        {"<Nnet>\n", Kind::Network},
                                 {"<Nnet>\r\n", Kind::Network},     {"<Nnet3> ", Kind::Network},
                                 {"<Nnet3>\n", Kind::Network},      {"<Nnet3>\r\n", Kind::Network},
                                 {"<DIMENSION> ", Kind::Gaussians}, {"<DiagGMM> ", Kind::Background},
                                 {"<FullGMM> ", Kind::Background},  {"<IvectorExtractor> ", Kind::IvectorExtractor},
                                 {"ContextDependency ", Kind::Tree}};
constexpr std::string_view kMatrixTokens[] = {"FM ", "DM ", "FV ", "DV ", "CM ", "CM2 ", "CM3 "};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// "[ 1 2", and nothing but numbers between it and the end of the head.
bool begins_numbers(std::string_view text) {
  if (!text.starts_with('[') || text.size() < 2 || !is_blank(text[1])) return false;
  text.remove_prefix(1);
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_blank(c) || (c >= '0' && c <= '9') || "+-.eE];infaINFA"sv.find(c) != std::string_view::npos;
  });
}

/// nnet1 may lack its first token: then a component begins, with its sizes.
bool begins_component(std::string_view text, bool is_binary) {
  const size_t end = text.find('>');
  if (!text.starts_with('<') || end == text.npos || end + 2 > text.size()) return false;
  if (!find_component(Generation::Nnet1, text.substr(1, end - 1)) || !is_blank(text[end + 1])) return false;
  const std::string_view size = text.substr(end + 2);
  return is_binary ? size.starts_with('\4') : !size.empty() && size[0] >= '0' && size[0] <= '9';
}

/// "utterance-1 " and an object; or a line "utterance-1 file.ark:14".
bool is_archive(std::string_view head) {
  const size_t end = head.find(' ');
  if (end == head.npos || end == 0 || head[0] == '<' || head[0] == '[') return false;
  if (!std::all_of(head.begin(), head.begin() + static_cast<ptrdiff_t>(end), [](char c) { return c > ' '; }))
    return false;
  const std::string_view value = head.substr(end + 1);
  if (value.starts_with("\0B"sv)) return true;
  if (value.starts_with(' ')) return begins_numbers(without_blanks(value).substr(0, without_blanks(value).find(']')));
  const std::string_view place = value.substr(0, value.find_first_of("\r\n"));
  const size_t colon = place.rfind(".ark:");
  return colon != place.npos && colon + 5 < place.size() &&
         place.find_first_not_of("0123456789", colon + 5) == place.npos;
}

/// What stands behind a transition model says what the file is.
Kind behind_transition_model(const ModelFile& model) {
  try {
    Stream stream(model.files(), model.file());
    skip_transition_model(stream);
    const std::string next = stream.peek();
    if (next.empty()) return Kind::TransitionModel;
    return next == "<Nnet>" || next == "<Nnet3>" ? Kind::Network : Kind::Gaussians;
  } catch (const Error& error) {
    if (error.code() == Code::HostReadFailed) throw;
    return Kind::Network;  // reading it as one says what is wrong with the file
  }
}

constexpr char kGiveNetwork[] = "give the final.mdl of a chain or nnet3 model";

}  // namespace

Kind kind_of(const ModelFile& model) {
  if (model.is_folder()) return Kind::None;
  if (model.has("\xd6\xfd\xb2\x7e")) return Kind::Fst;
  const bool is_binary = model.has("\0B"sv);
  const std::string_view text = is_binary ? model.head().substr(2) : without_blanks(model.head());
  if (text.starts_with("<TransitionModel> ") || (!is_binary && text.starts_with("<TransitionModel>\n")))
    return behind_transition_model(model);
  for (const KindRow& row : kKindRows)
    if (text.starts_with(row.begin)) return row.kind;
  if (begins_component(text, is_binary)) return Kind::Network;
  if (!is_binary) return begins_numbers(text) ? Kind::Matrix : is_archive(model.head()) ? Kind::Archive : Kind::None;
  for (const std::string_view token : kMatrixTokens)
    if (text.starts_with(token)) return Kind::Matrix;
  return Kind::Other;
}

std::optional<LoneCompanion> no_model(Kind kind) {
  switch (kind) {
    case Kind::Gaussians:
      return LoneCompanion{"an acoustic model of Gaussians has no network",
                           "train a chain or nnet3 model, and give its final.mdl"};
    case Kind::TransitionModel: return LoneCompanion{"a transition model alone has no network", kGiveNetwork};
    case Kind::Background: return LoneCompanion{"a background model of Gaussians has no network", kGiveNetwork};
    case Kind::IvectorExtractor:
      return LoneCompanion{"an i-vector extractor has no network",
                           "compute i-vectors with Kaldi, and give the final.mdl that has them as its second input"};
    case Kind::Tree: return LoneCompanion{"a decision tree has no network", kGiveNetwork};
    case Kind::Fst: return LoneCompanion{"a transducer of OpenFst is for decoding, and has no network", kGiveNetwork};
    case Kind::Matrix:
      return LoneCompanion{"a matrix or vector of Kaldi belongs to a model",
                           "give the model; counts of its outputs are for --counts"};
    case Kind::Archive:
      return LoneCompanion{"an archive of Kaldi has features or the like, and no network", kGiveNetwork};
    case Kind::Other: return LoneCompanion{"a file of Kaldi without a network", kGiveNetwork};
    default: return {};
  }
}

std::string model_of_folder(const ModelFile& folder) {
  for (const std::string& name : split(kFolderFiles, ' ')) {
    std::string path = cat(folder.name(), "/", name);
    if (folder.files().has(path)) return path;
  }
  return {};
}

}  // namespace mo::kaldi
