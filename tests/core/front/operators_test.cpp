// The tables of all formats: well formed, found, followed and refused by one driver.

#include <regex>
#include <set>

#include "core/base/text.h"
#include "core/graph/framework_node.h"
#include "core/ops/contract.h"
#include "core/pipeline/transforms.h"
#include "tests/core/spec/samples.h"
#include "tests/core/support/operator_rows.h"

namespace mo::test {
namespace {

/// A loaded node of a framework's operation, which reads x.
struct LoadedNode : StagedGraph {
  LoadedNode(std::string_view op, std::string_view domain) : StagedGraph(Stage::Load) {
    set.put("model", std::vector<std::byte>(8));
    graph.files().open("model");
    node = &add(op, "n", 1, 1);
    node->in(0).connect(add("Parameter", "x", 0, 1).out());
    node->pb = std::make_shared<FrameworkNode>(
        FrameworkNode{.op = std::string(op), .domain = std::string(domain), .offset = 5});
  }
  Node* node;
};

/// What the driver throws for the node.
Error thrown(const Operators& operators, Node& node) {
  try {
    at_node(node, [&] { LoadedModel(operators).extract(node); });
  } catch (const Error& error) {
    return error;
  }
  return Error::reported();
}

TEST(Operators, AllTablesAreListedForDocumentsAndTests) {
  for (const Format& format : all_formats()) {
    std::vector<std::string> listed, own;
    for (const OperatorRow& row : operator_rows())
      if (row.framework == format.framework) listed.push_back(cat(row.domain, ".", row.name));
    for (const Operator& row : format.loader().operators().rows()) own.push_back(cat(row.domain, ".", row.name));
    EXPECT_EQ(listed, own) << format.framework << " is missing in core/front/all_operators.def";
    EXPECT_FALSE(own.empty()) << format.framework;
  }
}

TEST(Operators, EachIsListedOnceAndFound) {
  for (const Format& format : all_formats()) {
    const Operators& operators = format.loader().operators();
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const Operator& row : operators.rows()) {
      EXPECT_TRUE(seen.insert({row.name, row.domain}).second) << format.framework << " " << row.name;
      EXPECT_EQ(operators.find(row.name, row.domain), &row) << format.framework << " " << row.name;
    }
    EXPECT_EQ(operators.find("NoSuchOperation"), nullptr);
    EXPECT_EQ(operators.find("NoSuchOperation", "com.acme"), nullptr);
    EXPECT_EQ(operators.find(""), nullptr);
  }
}

TEST(Operators, OneWithoutADomainMayBeInASecondOne) {
  constexpr Operator rows[] = {{"A", "other", "One", "", nullptr, nullptr},
                               {"B", "other", "Two", "", nullptr, nullptr},
                               {"B", "", "Three", "", nullptr, nullptr}};
  const Operators plain(rows), with_second(rows, "other");
  EXPECT_EQ(plain.find("A"), nullptr);
  EXPECT_EQ(with_second.find("A"), &rows[0]);
  EXPECT_EQ(with_second.find("B"), &rows[2]);
  EXPECT_EQ(with_second.find("B", "other"), &rows[1]);
  EXPECT_EQ(with_second.find("B", "third"), nullptr);
}

TEST(Operators, EachRowSaysOneThing) {
  for (const Format& format : all_formats())
    for (const Operator& row : format.loader().operators().rows()) {
      const int said = (row.internal != nullptr) + (row.extract != nullptr) + (row.refusal != nullptr);
      EXPECT_LE(said, 1) << row.name;
      EXPECT_EQ(row.internal != nullptr, row.attributes != nullptr) << row.name;
    }
  for (const OperatorRow& row : operator_rows()) {
    EXPECT_EQ(row.ops.empty(), row.kind == OperatorRow::Refused || row.kind == OperatorRow::Loaded) << row.name;
    if (row.ops.empty()) {
      EXPECT_TRUE(!row.text.empty() && row.text.back() != '.') << row.name << ": " << row.text;
    }
  }
}

TEST(Operators, EveryRefusalHasItsReasonCodeAndPlace) {
  for (const Format& format : all_formats())
    for (const Operator& row : format.loader().operators().rows()) {
      if (!row.refusal) continue;
      LoadedNode loaded(row.name, row.domain);
      const Message message = thrown(format.loader().operators(), *loaded.node).message();
      const std::string name = *row.domain ? cat(row.domain, ".", row.name) : row.name;
      EXPECT_EQ(message.text, cat("the operation is not supported: ", name, ": ", row.refusal));
      EXPECT_EQ(message.code, code_text(Code::UnsupportedOp));
      EXPECT_EQ(message.node, "n");
      EXPECT_EQ(message.op, row.name);
      EXPECT_EQ(message.file, "model");
      EXPECT_EQ(message.offset, 5);
    }
}

TEST(Operators, OneWithoutARowIsRefusedByItsName) {
  for (const Format& format : all_formats()) {
    LoadedNode loaded("NoSuchOperation", "com.acme");
    const Message message = thrown(format.loader().operators(), *loaded.node).message();
    EXPECT_EQ(message.text, "the operation is not supported: com.acme.NoSuchOperation") << format.framework;
    EXPECT_EQ(message.op, "NoSuchOperation");
  }
}

/// A row is followed: its op, defaults and renames; the hooks come before and after.
class Hooked final : public LoadedModel {
 public:
  using LoadedModel::LoadedModel;
  std::string calls;

 private:
  bool prepare(Node& node) override { return calls += "prepare ", node.has("done"); }
  void finish(Node& node) override { calls += node.op(); }
  void extract_unknown(Node& node) override { calls += cat("unknown ", node.op()); }
};

TEST(Operators, HooksAreCalledAroundTheRow) {
  constexpr Operator rows[] = {{"Op", "", "Relu", "a>b c=2", nullptr, nullptr},
                               {"Called", "", nullptr, nullptr, [](Node& node) { node.set_op("Made"); }, nullptr},
                               {"Loaded", "", nullptr, nullptr, nullptr, nullptr}};
  const Operators operators(rows);
  const auto calls_for = [&](std::string_view op, const Attributes& attributes = {}) {
    LoadedNode loaded(op, "");
    loaded.node->attributes = attributes;
    Hooked model(operators);
    model.extract(*loaded.node);
    return cat(model.calls, " ", loaded.node->get_int("b"), " ", loaded.node->get_int("c"));
  };
  EXPECT_EQ(calls_for("Op", {{"a", 1}}), "prepare Relu 1 2");
  EXPECT_EQ(calls_for("Op", {{"done", true}}), "prepare  0 0");
  EXPECT_EQ(calls_for("Called"), "prepare Made 0 0");
  EXPECT_EQ(calls_for("Loaded"), "prepare Loaded 0 0");
  EXPECT_EQ(calls_for("Other"), "unknown Other 0 0");
}

TEST(Operators, EveryInternalOpHasAContractWithTheAttributesOfTheRow) {
  const std::regex attribute(R"((\w+)(>(\w+))?(=\S+)?)");
  for (const OperatorRow& row : operator_rows())
    for (const std::string& op : split(row.ops, ' ')) {
      if (op.empty()) continue;
      const Contract* contract = find_contract(op);
      ASSERT_NE(contract, nullptr) << row.framework << " " << row.name << ": " << op;
      if (row.kind != OperatorRow::Same) continue;
      for (const std::string& text : split(row.text, ' ')) {
        std::smatch parts;
        ASSERT_TRUE(text.empty() || std::regex_match(text, parts, attribute)) << row.name << ": " << text;
        if (text.empty()) continue;
        const std::string name = parts[3].matched ? parts[3] : parts[1];
        EXPECT_TRUE(has_attribute(*contract, name)) << row.framework << " " << row.name << ": " << op << " " << name;
      }
    }
}

TEST(Operators, EveryInternalOpOfARowIsDefinedOrDecomposed) {
  for (const Format& format : all_formats()) {
    const Decompositions decompositions(format.framework);
    for (const Operator& row : format.loader().operators().rows())
      EXPECT_TRUE(!row.internal || find_op(row.internal) || !decompositions.find(row.internal).empty())
          << format.framework << " " << row.name << " becomes " << row.internal << ", which is unknown";
  }
}

TEST(Places, DeeperOnesStay) {
  Error error(Code::BadValue, "x", {.node = "inner", .op = "Add", .file = "w.bin", .offset = 7});
  error.placed({.node = "outer", .op = "Loop", .tensor = "t", .file = "m.onnx", .offset = 9});
  EXPECT_EQ(error.place().node, "inner");
  EXPECT_EQ(error.place().tensor, "");  // of another node
  EXPECT_EQ(error.place().file, "w.bin");
  error.placed({.tensor = "t", .file = "m.onnx"});
  EXPECT_EQ(error.place().tensor, "t");
  EXPECT_EQ(error.place().file, "w.bin");
  EXPECT_EQ(error.place().offset, 7);
}

TEST(Places, PartsThatAreMissingComeFromAround) {
  Error error(Code::BadValue, "x", {.offset = 7});
  error.placed({.tensor = "t"}).placed({.node = "n", .op = "Add", .tensor = "u", .file = "m.onnx", .offset = 9});
  EXPECT_EQ(format(error.message()),
            format(Error(Code::BadValue, "x", {.node = "n", .op = "Add", .tensor = "t", .file = "m.onnx", .offset = 7})
                       .message()));
  Error text(Code::BadValue, "x");
  text.placed({.node = "n"}).placed({.node = "n", .op = "Add", .file = "m.pbtxt", .line = 3, .column = 4});
  EXPECT_EQ(text.place().op, "Add");
  EXPECT_EQ(text.place().line, 3);
  EXPECT_EQ(text.place().column, 4);
  EXPECT_EQ(text.place().offset, -1);
}

TEST(Places, ANodeStandsForThoseThatAreMadeOfIt) {
  const auto placed = [](const char* node) {
    LoadedNode loaded("Op", "");
    loaded.add("Add", "n/Add", 0, 1);
    Error error(Code::BadValue, "x", {.node = node, .op = "Add", .tensor = "t"});
    place_at(error, *loaded.node);
    return error.place();
  };
  for (const char* node : {"n/Add", "gone", ""}) {
    const Place place = placed(node);
    EXPECT_EQ(place.node, "n") << node;
    EXPECT_EQ(place.tensor, "t") << node;
    EXPECT_EQ(place.file, "model") << node;
  }
  EXPECT_EQ(placed("x").node, "x");
  EXPECT_EQ(placed("x").file, "");
}

TEST(Places, AnErrorOfAnExtractorHasThatOfTheNode) {
  constexpr Operator rows[] = {
      {"Op", "", nullptr, nullptr,
       [](Node&) { throw Error(Code::DataOutOfRange, "x", {.tensor = "w", .file = "w.bin", .offset = 1}); }, nullptr}};
  LoadedNode loaded("Op", "");
  const Place place = thrown(Operators(rows), *loaded.node).place();
  EXPECT_EQ(place.node, "n");
  EXPECT_EQ(place.op, "Op");
  EXPECT_EQ(place.tensor, "w");
  EXPECT_EQ(place.file, "w.bin");
  EXPECT_EQ(place.offset, 1);
}

}  // namespace
}  // namespace mo::test
