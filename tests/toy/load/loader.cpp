// The toy format, a text that begins with the line `toy`:
//   input NAME SIZE…               an input, f32
//   NAME = OPERATION INPUT… KEY=NUMBER…
//   output NAME

#include "core/front/loader.h"

#include <map>
#include <optional>

#include "core/base/text.h"
#include "core/graph/framework_node.h"
#include "tests/toy/extract/extractor.h"
#include "tests/toy/load/statement.h"

namespace mo::toy {
namespace {

class GraphLoader {
 public:
  explicit GraphLoader(const LoadRequest& request) : request_(request), graph_(request.graph) {
    if (const auto path = request.options.paths.find("toy_weights"); path != request.options.paths.end())
      weights_ = graph_.files().open_given(path->second);
  }

  void load() {
    const std::vector<Statement> statements = read_statements(request_.model.files().read_text(request_.model.name()));
    for (size_t i = 1; i < statements.size(); ++i) {
      const std::vector<Word>& words = statements[i].words;
      if (words.size() > 2 && words[0].text == "input") {
        add_input(statements[i]);
      } else if (words.size() == 2 && words[0].text == "output") {
        add_output(words[1].text, tensor(statements[i], words[1]));
      } else if (words.size() > 2 && words[1].text == "=") {
        add_operation(statements[i]);
      } else {
        fail(Code::CorruptFile, "no statement", statements[i], words[0]);
      }
    }
    const auto& texts = request_.options.texts;
    if (const auto more = texts.find("toy_output"); more != texts.end()) {
      const auto found = tensors_.find(more->second);
      if (found == tensors_.end())
        throw Error(Code::BadOptionValue, msg("--toy_output is \"", printable(more->second), "\""));
      add_output(found->first, found->second);
    }
  }

 private:
  [[noreturn]] void fail(Code code, const Detail& detail, const Statement& statement, const Word& word) const {
    throw Error(code, detail, {.file = request_.model.name(), .line = statement.line, .column = word.column});
  }

  int64_t number(const Statement& statement, const Word& word, std::string_view text) const {
    const auto value = parse_int(text);
    if (!value || *value < 0) fail(Code::CorruptFile, msg("\"", printable(text), "\" is no number"), statement, word);
    return *value;
  }

  OutPort tensor(const Statement& statement, const Word& word) const {
    const auto found = tensors_.find(word.text);
    if (found == tensors_.end()) fail(Code::UnknownTensor, printable(word.text), statement, word);
    return found->second;
  }

  void define(const Statement& statement, const Word& word, Node& node) {
    node.add_out_ports(1);
    node.out(0).tensor().add_name(word.text);
    if (!tensors_.emplace(word.text, node.out(0)).second)
      fail(Code::DuplicateTensor, printable(word.text), statement, word);
  }

  void add_output(const std::string& name, OutPort source) {
    Node& result = graph_.add_node("Result", name + "/sink_port_0");
    result.add_in_ports(1);
    result.in(0).connect(source);
  }

  void add_input(const Statement& statement) {
    const std::vector<Word>& words = statement.words;
    std::vector<Dimension> sizes;
    for (size_t i = 2; i < words.size(); ++i) sizes.push_back(number(statement, words[i], words[i].text));
    Node& node = graph_.add_node("Parameter", words[1].text);
    node.set("shape", PartialShape(sizes));
    node.set("data_type", ElementType::F32);
    define(statement, words[1], node);
  }

  void add_operation(const Statement& statement) {
    const std::vector<Word>& words = statement.words;
    Node& node = graph_.add_node(words[2].text, words[0].text);
    FrameworkNode description{words[2].text, {}, 1, request_.model.file(), statement.offset, statement.size};
    description.line = statement.line;
    description.column = words[2].column;
    node.pb = std::make_shared<FrameworkNode>(std::move(description));
    for (size_t i = 3; i < words.size(); ++i) {
      if (const size_t equals = words[i].text.find('='); equals != std::string::npos) {
        node.set(words[i].text.substr(0, equals), number(statement, words[i], words[i].text.substr(equals + 1)));
      } else {
        node.add_in_ports(node.in_count() + 1);
        node.in(node.in_count() - 1).connect(tensor(statement, words[i]));
      }
    }
    if (request_.options.flags.count("toy_linear")) node.set("linear", true);
    if (node.has("begin")) at_node(node, [&] { node.set("factors", factors(node)); });
    define(statement, words[0], node);
  }

  /// Scale has its factors in the file with the weights: `count` of them from `begin` on, as a place.
  Constant factors(const Node& node) const {
    if (!weights_) throw Error(Code::MissingDataFile, "--toy_weights");
    const int64_t begin = node.get_int("begin"), count = node.get_int("count", 1);
    const uint64_t there = graph_.files().source(*weights_).size() / 4;
    if (begin < 0 || count < 1 || static_cast<uint64_t>(begin) > there ||
        static_cast<uint64_t>(count) > there - static_cast<uint64_t>(begin))
      throw Error(Code::DataOutOfRange, msg("numbers ", begin, " to ", begin + count, " of ", there));
    const auto at = static_cast<uint64_t>(begin) * 4, size = static_cast<uint64_t>(count) * 4;
    return {ElementType::F32, {count}, std::make_shared<SliceContent>(*weights_, at, size)};
  }

  const LoadRequest& request_;
  Graph& graph_;
  std::map<std::string, OutPort> tensors_;
  std::optional<FileId> weights_;
};

class ToyLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return model.has("toy\n"); }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    GraphLoader(request).load();
    return std::make_unique<LoadedModel>(toy::operators());
  }

  const Operators& operators() const override { return toy::operators(); }
};

}  // namespace
}  // namespace mo::toy

namespace mo {

const Loader& loader_toy() {
  static const toy::ToyLoader loader;
  return loader;
}

}  // namespace mo
