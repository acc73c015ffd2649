// Extractors create the ops listed in their rows of operators.def.

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/front/onnx/load/schema.h"
#include "core/graph/framework_node.h"
#include "tests/core/spec/samples.h"
#include "tests/core/support/operator_rows.h"

namespace mo {
const Loader& loader_onnx();
}

namespace mo::test {
namespace {

std::shared_ptr<Graph> body_of(Node& owner, int parameters, int results) {
  auto body = std::make_shared<Graph>(owner.graph().shared_model(), &owner);
  for (int i = 0; i < parameters; ++i) {
    Node& parameter = body->add_node("Parameter", cat("p", i));
    parameter.add_out_ports(1);
  }
  for (int i = 0; i < results; ++i) {
    Node& result = body->add_node("Result", cat("r", i));
    result.add_in_ports(1);
    if (i < parameters) result.in(0).connect(body->parameters[static_cast<size_t>(i)]->out());
  }
  return body;
}

/// Attributes that decide what an operator becomes, or that some operator requires.
std::vector<Attributes> forms(Node& node) {
  std::vector<Attributes> forms = {
      {},
      {{"fmod", 1}},
      {{"direction", "LEFT"}},
      {{"direction", "RIGHT"}},
      {{"broadcast", 1}, {"axis", 0}},
      {{"mode", "max"}},
      {{"mode", "CRD"}, {"blocksize", 2}},
      {{"approximate", "tanh"}},
      {{"to", 1}},
      {{"value_int", 1}},
      {{"scales", Doubles{1, 1, 2, 2}}},
      {{"pooled_shape", Ints{2, 2}}},
      {{"channel_shared", 1}},
  };
  Attributes branches, loop;
  branches.set("then_branch", body_of(node, 0, 1));
  branches.set("else_branch", body_of(node, 0, 1));
  loop.set("body", body_of(node, 2, 2));
  forms.push_back(branches);
  forms.push_back(loop);
  return forms;
}

/// The ops that one version of an operator may become.
void extract_forms(const Operator& row, int64_t since, int inputs, std::set<std::string>& made) {
  const size_t count = forms(*std::make_unique<FourOperations>(Stage::Load)->op1).size();
  for (size_t i = 0; i < count; ++i) {
    StagedGraph staged(Stage::Load);
    staged.set.put("m.onnx", {});
    staged.graph.files().open("m.onnx");
    Node& x = staged.add("Parameter", "x", 0, 1);
    Node& node = staged.add(row.name, "node", inputs, 1);
    for (int input = 0; input < inputs; ++input) node.in(input).connect(x.out());
    auto description = std::make_shared<FrameworkNode>();
    description->op = row.name;
    description->domain = row.domain;
    description->since = since;
    node.pb = description;
    node.attributes = forms(node)[i];
    try {
      row.extract(node);
      made.insert(node.op());
    } catch (const Error&) {
      // This operator has no such form.
    }
  }
}

/// The ops that an operator may become in any of its versions. Only ONNX says what versions there are.
std::set<std::string> made_of(const Operator& row) {
  std::set<std::string> made;
  int64_t last = 0;
  for (int64_t opset = 1; opset <= std::max<int64_t>(onnx::newest_opset(row.domain), 1); ++opset) {
    const auto schema = onnx::find_schema(row.name, row.domain, opset);
    const int64_t since = schema ? schema->since : 1;
    if (since == last) continue;
    last = since;
    for (const int inputs : {1, 2, 3}) extract_forms(row, since, inputs, made);
  }
  return made;
}

TEST(ExtractedOps, AreThoseOfTheRow) {
  for (const Format& format : all_formats())
    for (const OperatorRow& row : operator_rows()) {
      if (row.framework != format.framework || row.kind != OperatorRow::Call) continue;
      const std::vector<std::string> ops = split(row.ops, ' ');
      const std::set<std::string> listed(ops.begin(), ops.end());
      for (const std::string& op : made_of(*format.loader().operators().find(row.name, row.domain)))
        EXPECT_TRUE(listed.count(op)) << row.framework << " " << row.name << " becomes " << op;
    }
}

TEST(ExtractedOps, AreAllThatOnnxsRowsList) {
  const Operators& operators = loader_onnx().operators();
  for (const OperatorRow& row : operator_rows()) {
    if (row.framework != "onnx" || row.kind != OperatorRow::Call) continue;
    const std::vector<std::string> ops = split(row.ops, ' ');
    EXPECT_EQ(made_of(*operators.find(row.name, row.domain)), std::set<std::string>(ops.begin(), ops.end()))
        << row.domain << "." << row.name;
  }
}

}  // namespace
}  // namespace mo::test
