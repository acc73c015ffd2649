#include "core/front/onnx/load/schema.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/text.h"
#include "core/decompose/control/positional_body.h"
#include "core/graph/framework_node.h"

namespace mo::onnx {
namespace {

struct Domain {
  std::string_view name;
  int64_t newest;
};
/// Bytes [begin, begin + size) of kBodies.
struct Definition {
  std::string_view name;
  int64_t since;
  size_t begin, size;
};
#include "onnx_schemas.inc"

/// Returns the text before the first `mark`, and removes it and the mark from `text`.
std::string_view cut(std::string_view& text, char mark) {
  const size_t at = std::min(text.find(mark), text.size());
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return head;
}

/// The versions of an operator, oldest first, from a row "since:inputs>outputs;since:…"; at least one.
std::vector<Schema> read_versions(std::string_view row) {
  std::vector<Schema> versions;
  Schema next;
  while (!row.empty()) {
    std::string_view signature = cut(row, ';'), since = cut(signature, ':');
    next.deprecated = since[0] == '!';
    next.since = parse_int(since.substr(next.deprecated)).value_or(0);
    if (!signature.empty()) {  // else the same as in the previous version
      next.inputs = cut(signature, '>');
      next.most_outputs = parse_int(signature).value_or(-1);
    }
    versions.push_back(next);
  }
  return versions;
}

std::unordered_map<std::string_view, std::vector<Schema>> read_schemas() {
  std::unordered_map<std::string_view, std::vector<Schema>> schemas;
  for (std::string_view row : kOperators) {
    const std::string_view op = cut(row, ';');
    schemas.emplace(op, read_versions(row));
  }
  return schemas;
}

}  // namespace

std::optional<Schema> find_schema(std::string_view name, std::string_view domain, int64_t opset) {
  static const auto by_op = read_schemas();  // models have very many nodes of few operators
  const auto found = domain.empty() ? by_op.find(name) : by_op.find(function_op(name, domain));
  if (found == by_op.end()) return std::nullopt;
  const std::vector<Schema>& versions = found->second;
  const auto newer =
      std::find_if(versions.begin() + 1, versions.end(), [&](const Schema& one) { return one.since > opset; });
  return *(newer - 1);
}

int64_t newest_opset(std::string_view domain) {
  for (const Domain& row : kDomains)
    if (row.name == domain) return row.newest;
  return 0;
}

void check_ports(Node& node) {
  const auto schema = find_schema(node.pb->op, node.pb->domain, node.pb->since);
  if (!schema) return;
  std::string_view inputs = schema->inputs;
  int known = 0, given = formal_count(node), outputs = node.out_count();
  bool any_number = false;
  for (; !inputs.empty(); ++known) {
    std::string_view name = cut(inputs, ' ');
    const char kind = name.back();
    any_number = kind == '*' || kind == '+';
    if (any_number || kind == '?') name.remove_suffix(1);
    if (kind != '?' && kind != '*' && (known >= given || !node.has_in(known)))
      throw Error(Code::MissingInput, msg("input ", known, ", ", name));
  }
  while (given > 0 && !node.has_in(given - 1)) --given;
  while (outputs > 0 && node.out(outputs - 1).tensor().names.empty()) --outputs;
  if (!any_number && given > known) throw Error(Code::ExtraPort, msg(given, " inputs, at most ", known));
  if (schema->most_outputs >= 0 && outputs > schema->most_outputs)
    throw Error(Code::ExtraPort, msg(outputs, " outputs, at most ", schema->most_outputs));
}

std::string function_op(std::string_view name, std::string_view domain) {
  return domain.empty() ? std::string(name) : cat(domain, '.', name);
}

std::span<const std::byte> function_body(std::string_view op, int64_t opset) {
  const Definition* found = nullptr;
  for (const Definition& row : kDefinitions)
    if (row.name == op && (!found || row.since <= opset)) found = &row;
  if (!found) return {};
  return std::as_bytes(std::span(kBodies).subspan(found->begin, found->size));
}

std::vector<std::string_view> function_ops() {
  std::vector<std::string_view> names;
  for (const Definition& row : kDefinitions)
    if (!row.name.empty() && (names.empty() || names.back() != row.name)) names.push_back(row.name);
  return names;
}

}  // namespace mo::onnx
