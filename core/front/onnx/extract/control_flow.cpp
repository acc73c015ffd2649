#include "core/build/loop_builder.h"
#include "core/decompose/control/positional_body.h"
#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/extract/opset.h"

namespace mo::onnx {
namespace {

/// The node of the body that appends one element to a carried sequence, whose first elements are known. Null if
/// anything else happens to the sequence.
Node* appends(const OutPort& initial, Node& parameter, const Node& result) {
  const OutPort first = behind_identities(initial), grown = behind_identities(result.source(0));
  const bool known = first && first.node().op() != "Parameter" && first.node().op() != "If";
  if (!known || !grown || grown.node().op() != "SequenceInsert") return nullptr;
  Node& insert = grown.node();
  const bool only = insert.has_in(1) && !insert.has_in(2) && insert.has_in(0) &&
                    behind_identities(insert.source(0)) == parameter.out(0) && parameter.out(0).reader_count() == 1 &&
                    grown.reader_count() == 1;
  return only ? &insert : nullptr;
}

/// Stacks the appended elements along a new axis 0. The sequence consists of the initial elements, if there are some,
/// and the slices of the result.
void stack_appended(Node& owner, Node& parameter, Node& result, Node& insert, int input, int output) {
  Graph& body = parameter.graph();
  result.in(0).connect(insert.source(1));
  body.remove(insert);
  body.remove(parameter);
  const OutPort initial = behind_identities(owner.source(input));
  owner.delete_in_port(input);
  const std::vector<InPort> readers = owner.out(output).destinations();
  OutPort sequence = Builder(owner).op("SequenceOfSlices", {owner.out(output)},
                                       {{"axis", int64_t{0}}, {"keep_dims", false}, {"appended", true}});
  if (initial.node().op() != "SequenceEmpty") sequence = Builder(owner).op("SequenceJoin", {initial, sequence});
  for (const InPort& reader : readers) reader.connect(sequence);
  scan_output(result, output, 0, false);
}

/// Makes what `input` reads a condition, or with "Single" a trip count, as IR wants it.
void set_single(InPort input, const char* op = "Truth") {
  const bool truth = op == std::string_view("Truth");
  Builder b(input.node());
  input.connect(b.op(op, {input.source()}, truth ? Attributes{{"lone", true}} : Attributes()));
}

}  // namespace

// If: condition, then the inputs that the branches capture.
void extract_if(Node& node) {
  require_input(node, 0);
  set_single(node.in(0));
  for (const auto& [from, to] : {std::pair("then_branch", "then_graph"), std::pair("else_branch", "else_graph")}) {
    Graph& branch = required_body(node, from, node.out_count());
    formal_parameters(branch, 0);
    const std::vector<Node*> results = branch.results;
    for (size_t i = 0; i < results.size(); ++i) {
      if (static_cast<int>(i) < node.out_count()) {
        results[i]->set("external_port_id", static_cast<int64_t>(i));
      } else {
        branch.remove(*results[i]);
      }
    }
    Attribute body = *node.attributes.find(from);
    node.attributes.erase(from);
    node.set(to, std::move(body));
  }
}

// Loop: trip count, condition (both optional), carried values, then the inputs that the body captures. The body's
// inputs are iteration number, condition and carried values; its outputs are condition, carried values and parts of
// scan outputs.
void extract_loop(Node& node) {
  const int formal = formal_count(node), carried = formal - 2;
  Graph& body = required_body(node, "body", std::max(carried, node.out_count()) + 1);
  const std::vector<Node*> parameters = formal_parameters(body, std::max(formal, 2)), results = body.results;
  Builder b(node);
  // With fewer inputs, one that the body captures would be taken for the condition.
  if (formal < 2 && node.in_count() > formal) throw Error(Code::MissingInput, "input 1");
  node.add_in_ports(2);
  if (!node.has_in(0)) node.in(0).connect(b.i64_scalar(-1));
  if (!node.has_in(1)) node.in(1).connect(b.constant(make_scalar(ElementType::Bool, 1)));
  node.add_out_ports(static_cast<int>(results.size()) - 1);

  parameters[0]->set("purpose", std::string("current_iteration"));
  results[0]->set("purpose", std::string("execution_condition"));
  carry(*parameters[1], *results[0], 1);
  set_single(node.in(0), "Single");
  set_single(node.in(1));
  set_single(results[0]->in(0));
  for (int i = 0; i < carried; ++i) {
    require_input(node, i + 2);
    Node &parameter = *parameters[static_cast<size_t>(i) + 2], &result = *results[static_cast<size_t>(i) + 1];
    if (Node* insert = appends(node.source(i + 2), parameter, result)) {
      stack_appended(node, parameter, result, *insert, i + 2, i);
      continue;
    }
    if (carry(parameter, result, i + 2)) {
      result.set("external_port_id", int64_t{i});
      continue;
    }
    // Whatever the number of iterations, the output equals the input.
    node.out(i).connection().set_source(node.source(i + 2), TensorNames::Merge);
    body.remove(result);
    node.delete_out_port(i);
  }
  for (int i = std::max(carried, 0); i + 1 < static_cast<int>(results.size()); ++i)
    scan_output(*results[static_cast<size_t>(i) + 1], i, 0, false);
}

// Before operator set 9 all tensors had a leading batch dimension, and the attribute a shorter name.
void extract_scan(Node& node) {
  const bool batched = opset(node) < 9;
  if (batched && node.has("directions")) node.set("scan_input_directions", node.get_ints("directions"));
  node.set("batched", batched);
  node.set("has_lengths", batched);
  node.set_op("Scan");
}

}  // namespace mo::onnx
