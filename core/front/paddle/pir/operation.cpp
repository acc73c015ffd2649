// One operation of a PIR program: its operands, results and attributes.

#include "core/base/text.h"
#include "core/front/paddle/pir/attributes.h"

namespace mo::paddle::pir {
namespace {

constexpr std::string_view kDialects[] = {"builtin", "pd_op", "cf", "custom_op", "dist"};

/// A flag that may be alone in a list.
bool flag_of(const JsonValue& value, bool otherwise) {
  const JsonValue one = value.is(JsonValues::Kind::List) ? value.at(0) : value;
  return one.boolean().value_or(otherwise);
}

/// OA: [persistable, stop_gradient, trainable] of a parameter, a list of attributes of others.
bool is_persistable(const JsonValue& operation, bool otherwise) {
  const JsonValue attributes = operation["OA"];
  if (!attributes.at(0).is(JsonValues::Kind::Object)) return flag_of(attributes.at(0), otherwise);
  bool out = otherwise;
  attributes.each([&](const JsonValue& entry) {
    if (entry["N"].text() != "persistable") return;
    const JsonValue value = entry["AT"]["D"];
    const JsonValue first = value.is(JsonValues::Kind::List) ? value.at(0) : value;
    out = flag_of(first.is(JsonValues::Kind::Object) ? first["D"] : first, otherwise);
  });
  return out;
}

std::string own_name(const JsonValue& operation, const Operation& made) {
  if (made.name == "builtin.parameter") {
    if (const auto name = operation["A"].at(3).text()) return std::string(*name);
    if (const auto* name = made.attributes.get_if<std::string>("parameter_name")) return *name;
    throw broken(Code::CorruptFile, operation, "a parameter without a name");
  }
  if (!is_one_of(made.name, {"pd_op.data", "pd_op.feed"})) return {};
  const auto* name = made.attributes.get_if<std::string>("name");
  if (!name || name->empty()) throw broken(Code::CorruptFile, operation, "an input without a name");
  return *name;
}

}  // namespace

std::string full_name(std::string_view name) {
  if (name == "p") return "builtin.parameter";
  if (name.size() > 1 && name[1] == '.' && name[0] >= '0' && name[0] < '0' + static_cast<char>(std::size(kDialects)))
    return cat(kDialects[static_cast<size_t>(name[0] - '0')], name.substr(1));
  return std::string(name);
}

Operation read_operation(const JsonValue& value) {
  Operation out;
  const auto name = value["#"].text();
  if (!name || name->empty()) throw broken(Code::CorruptFile, value, "an operation without a name");
  out.name = full_name(*name);
  value["I"].each([&](const JsonValue& operand) {
    const JsonValue id = operand["%"] ? operand["%"] : operand["#"];
    if (!id.integer()) throw broken(Code::CorruptFile, operand, "an operand without an id");
    out.operands.push_back(*id.integer());
  });
  const JsonValue results = value["O"];
  if (results.is(JsonValues::Kind::Object)) out.results.push_back(read_value(results));
  if (results.is(JsonValues::Kind::List))
    results.each([&](const JsonValue& result) { out.results.push_back(read_value(result)); });
  const bool is_short = value["A"].at(0) && !value["A"].at(0).is(JsonValues::Kind::Object);
  if (!is_short) out.attributes = read_attributes(value["A"]);
  std::string own = own_name(value, out);
  if (own.empty()) return out;
  const bool is_parameter = out.name == "builtin.parameter";
  if (out.results.size() != 1 || out.results[0].is_list)
    throw broken(Code::CorruptFile, value, msg(printable(own), " is not one tensor"));
  out.results[0].parts[0].is_persistable = is_persistable(value, is_parameter);
  out.results[0].name = std::move(own);
  return out;
}

}  // namespace mo::paddle::pir
