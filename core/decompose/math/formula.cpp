#include "core/decompose/math/formula.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/build/attribute_rows.h"
#include "core/decompose/control/truth.h"
#include "core/decompose/detection/suppression.h"
#include "core/decompose/math/constants.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

struct FormulaRow {
  std::string_view op, text;
};
constexpr FormulaRow kFormulas[] = {
#define TF_FORMULA(op, text) {#op, text},
#define TF_TERM TF_FORMULA
#include "core/decompose/math/formulas.def"
};

/// Reads one formula. The rows are ours, so there is nothing to check.
class Formula {
 public:
  Formula(Builder& b, const Node& node, std::string_view text, List<OutPort> inputs) : b_(b), node_(node), left_(text) {
    constexpr std::string_view kInputs = "xyzwvuts";
    for (size_t i = 0; i < std::min(inputs.size(), kInputs.size()); ++i) variable(kInputs[i]) = inputs[i];
  }

  std::vector<OutPort> results() {
    std::vector<OutPort> out;
    for (; !left_.empty(); skip(';')) {
      if (left_.size() > 1 && left_[1] == '=') {
        OutPort& place = variable(left_[0]);
        left_.remove_prefix(2);
        place = term().port;
      } else {
        out.push_back(term().port);
      }
    }
    return out;
  }

 private:
  struct Term {
    OutPort port;       ///< empty: a number
    double number = 0;  ///< gets the type of the term beside it
  };

  OutPort& variable(char name) { return variables_[name - 'a']; }
  bool skip(char c) {
    const bool found = !left_.empty() && left_[0] == c;
    if (found) left_.remove_prefix(1);
    return found;
  }
  std::string_view until(std::string_view ends) {
    const std::string_view word = left_.substr(0, left_.find_first_of(ends));
    left_.remove_prefix(word.size());
    return word;
  }

  Term term() {
    if (skip('[') || left_[0] == '<') {
      const bool scalar = skip('<');
      Ints numbers;
      for (const std::string& word : split(until("]>"), ' ')) numbers.push_back(parse_int(word).value_or(0));
      left_.remove_prefix(1);
      return {scalar ? b_.i64_scalar(numbers[0]) : b_.i64(numbers)};
    }
    const bool attribute = skip('@');
    std::string word(until("({,);"));
    const Attributes given = attributes();
    if (!skip('(')) {
      if (attribute)
        return {
            {},
            node_.attributes.get_if<int64_t>(word) ? static_cast<double>(node_.get_int(word)) : node_.get_float(word)};
      if (word.size() == 1 && word[0] >= 'a') return {variable(word[0])};
      return {{}, parse_double(word).value_or(0)};
    }
    std::vector<Term> terms;
    do terms.push_back(term());
    while (skip(','));
    skip(')');
    return {call(attribute ? node_.get_string(word) : word, terms, given)};
  }

  /// What stands in braces.
  Attributes attributes() {
    Attributes given;
    if (!skip('{')) return given;
    for (const std::string& row : split(until("}"), ' ')) {
      const size_t equals = row.find('=');
      const std::string key = row.substr(0, equals), value = row.substr(equals + 1);
      const Attribute* of_node = value[0] == '@' ? node_.attributes.find(value.substr(1)) : nullptr;
      given.set(key, of_node ? *of_node : literal(value));
    }
    skip('}');
    return given;
  }

  /// The first output of a node that a formula has made. An operation that IR does not have is decomposed.
  OutPort result_of(Node& made) {
    if (made.definition()) return made.out(0);
    Node& reader = b_.node("Identity", {made.out(0)});
    infer_or_decompose(made);
    const OutPort result = reader.source(0);
    b_.graph().remove(reader);
    return result;
  }

  OutPort call(const std::string& op, const std::vector<Term>& terms, const Attributes& given) {
    OutPort like = node_.in_count() > 0 ? node_.source(0) : OutPort();
    for (const Term& term : terms)
      if (term.port) like = term.port;
    std::vector<OutPort> ports;
    for (const Term& term : terms)
      ports.push_back(term.port                   ? term.port
                      : op.starts_with("Uniform") ? b_.f32_scalar(static_cast<float>(term.number))
                                                  : b_.scalar_like(like, term.number));
    if (const std::string_view formula = formula_of(op); !formula.empty())
      return evaluate(b_, node_, formula, ports)[0];
    if (given.begin() != given.end()) return result_of(b_.node(op.c_str(), ports, given));
    if (op == "Poly") {  // of ports[0], the highest coefficient first
      OutPort y = ports[1];
      for (size_t i = 2; i < ports.size(); ++i) y = b_.op("Add", {b_.op("Mul", {y, ports[0]}), ports[i]});
      return y;
    }
    if (op.starts_with("Total")) return reduced_to_scalar(b_, ("Reduce" + op.substr(5)).c_str(), ports[0]);
    if (op == "I64") return b_.convert(ports[0], ElementType::I64);
    if (op == "I32") return b_.convert(ports[0], ElementType::I32);
    if (op == "U8") return b_.convert(ports[0], ElementType::U8);
    if (op == "F32") return b_.convert(ports[0], ElementType::F32);
    if (op == "Typed") return b_.convert(ports[0], node_.get_type("dtype"));
    if (op == "Truth") return truth_of(b_, ports[0], false);
    if (op == "Out1") return ports[0].node().out(1);
    if (op == "Suppress") {
      ports[3] = suppression_threshold(b_, ports[3]);
      return suppressed(b_, ports).out(0);
    }
    if (op.starts_with("Uniform")) return uniform(op, ports);
    if (op == "Round") return b_.op("Round", ports, {{"mode", "half_to_even"}});
    if (op == "Reshape") return b_.op("Reshape", ports, {{"special_zero", false}});
    if (op == "Range") return b_.op("Range", ports, {{"output_type", ElementType::I64}});
    if (op == "FakeQuantize") return b_.op("FakeQuantize", ports, {{"levels", node_.get_int("levels")}});
    if (op == "Least" || op == "Largest")
      return b_
          .node("TopK", ports,
                {{"axis", int64_t{-1}},
                 {"mode", op == "Least" ? "min" : "max"},
                 {"sort", "value"},
                 {"index_element_type", ElementType::I64}},
                2)
          .out(0);
    if (op == "Concat" || op == "GatherElements" || op == "SoftMax" || op == "LogSoftmax" || op == "OneHot")
      return b_.op(op.c_str(), ports, {{"axis", int64_t{-1}}});
    if (op == "NonZero") return b_.op("NonZero", ports, {{"output_type", ElementType::I64}});
    if (op == "Broadcast") return b_.op("Broadcast", ports, {{"mode", "numpy"}});
    if (op.starts_with("Reduce")) return b_.op(op.c_str(), ports, {{"keep_dims", true}});
    return result_of(b_.node(op.c_str(), ports));
  }

  /// Numbers in the shape ports[0], from ports[1] to below ports[2]. UniformToo gives other numbers than Uniform.
  OutPort uniform(const std::string& op, const std::vector<OutPort>& ports) {
    const bool integers = op == "UniformInt";
    const auto limit = [&](size_t i) { return integers ? ports[i] : b_.convert(ports[i], ElementType::F32); };
    const OutPort shape = b_.convert(ports[0], ElementType::I64), low = limit(1), high = limit(2);
    return b_.op("RandomUniform", {shape, low, high},
                 {{"output_type", integers ? node_.get_type("dtype") : ElementType::F32},
                  {"global_seed", node_.get_int("seed")},
                  {"op_seed", node_.get_int("seed2") + (op == "UniformToo")}});
  }

  Builder& b_;
  const Node& node_;
  std::string_view left_;
  OutPort variables_[26];
};

}  // namespace

std::string_view formula_of(std::string_view op) {
  for (const FormulaRow& row : kFormulas)
    if (row.op == op) return row.text;
  return {};
}

std::vector<OutPort> evaluate(Builder& b, const Node& node, std::string_view formula, List<OutPort> inputs) {
  return Formula(b, node, formula, inputs).results();
}

}  // namespace mo
