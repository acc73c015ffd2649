#include "core/front/kaldi/load/unknown_component.h"

#include <cmath>

#include "core/base/text.h"
#include "core/front/kaldi/load/matrix.h"

namespace mo::kaldi {
namespace {

/// Words behind a token, fields, and whole numbers in a list; longer lists are vectors.
constexpr size_t kMostWords = 256, kMostFields = 256, kMostSettings = 1 << 16;

/// What a list in brackets is: rows begin on a new line.
Attribute read_unknown_list(Stream& stream) {
  const Stream::Mark begin = stream.mark();
  if (!stream.open_bracket()) return Ints();
  double value = 0;
  bool is_whole = true;
  size_t count = 0;
  Stream::Piece piece = stream.piece(value);
  for (; piece == Stream::Piece::Number && is_whole; piece = stream.piece(value)) {
    is_whole = std::trunc(value) == value && std::abs(value) <= INT16_MAX && count < kMostSettings;
    ++count;
  }
  stream.go_to(begin);
  if (count == 0 && piece == Stream::Piece::EndOfRow) return read_matrix(stream);
  if (is_whole && piece == Stream::Piece::Close) return stream.integers();
  return read_vector(stream);
}

/// A list that cannot be read is left out: what is wrong with it is not known.
void add_unknown_list(Stream& stream, const std::string& key, Component& component) {
  const Stream::Mark begin = stream.mark();
  try {
    component.fields.set(key, read_unknown_list(stream));
  } catch (const Error& error) {
    if (error.code() == Code::HostReadFailed) throw;
    stream.go_to(begin);
    for (bool is_open = true; is_open && !stream.at_end(); stream.skip_word()) is_open = !stream.peek().ends_with(']');
  }
}

Attribute value_of_words(const Strings& words) {
  if (words.empty()) return true;
  if (words.size() == 1 && (words[0] == "T" || words[0] == "F")) return words[0] == "T";
  Ints ints;
  Doubles doubles;
  for (const std::string& word : words) {
    if (const auto whole = parse_int(word)) ints.push_back(*whole);
    if (const auto number = parse_double(word)) doubles.push_back(*number);
  }
  if (ints.size() == words.size()) return words.size() == 1 ? Attribute(ints[0]) : Attribute(ints);
  if (doubles.size() == words.size()) return words.size() == 1 ? Attribute(doubles[0]) : Attribute(doubles);
  return words.size() == 1 ? Attribute(words[0]) : Attribute(words);
}

bool ends_component(const std::string& word, Generation generation, const std::string& type) {
  if (generation == Generation::Nnet1) return word == "<!EndOfComponent>";
  return word == cat("</", type, ">") || word == cat("<", type, ">");
}

bool ends_network(const std::string& word) {
  return word == "<ComponentName>" || word == "</Nnet3>" || word == "</Nnet>" || word == "</Components>";
}

}  // namespace

void read_unknown(Stream& stream, Generation generation, Component& component) {
  std::string key;
  Strings words;
  size_t arrays = 0, fields = 0;
  const auto add_words = [&] {
    if (!key.empty()) {
      if (++fields <= kMostFields) component.fields.set(key, value_of_words(words));
    } else if (words.size() == 2 && generation == Generation::Nnet1 &&
               component.fields.begin() == component.fields.end()) {
      component.outputs = parse_int(words[0]).value_or(-1);
      component.inputs = parse_int(words[1]).value_or(-1);
    }
    key.clear();
    words.clear();
  };
  while (!stream.at_end()) {
    const std::string word = stream.peek();
    if (ends_network(word)) break;
    if (word.starts_with('[')) {
      const std::string name = !key.empty() && words.empty() ? key : cat("Array", ++arrays);
      if (name == key) key.clear();
      add_words();
      if (++fields > kMostFields)
        stream.skip_word();
      else
        add_unknown_list(stream, name, component);
      continue;
    }
    stream.skip_word();
    if (ends_component(word, generation, component.type)) break;
    if (word.size() > 2 && word.starts_with('<') && word.ends_with('>')) {
      add_words();
      key = word.substr(1, word.size() - 2);
    } else if (words.size() < kMostWords) {
      words.push_back(word);
    }
  }
  add_words();
}

}  // namespace mo::kaldi
