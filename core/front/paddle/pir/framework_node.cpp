#include "core/front/paddle/pir/framework_node.h"

#include "core/base/proto/text_message.h"
#include "core/base/text.h"
#include "core/front/paddle/pir/operations.h"
#include "core/front/paddle/pir/text.h"
#include "core/graph/framework_node.h"
#include "paddle_messages.h"

namespace mo::paddle::pir {
namespace {

Attributes attributes_of(const Node& node) {
  Window window(node.graph().files(), node.pb->file);
  Operation from = read_head(window, node.pb->offset, node.pb->size);
  constexpr std::string_view kDialect = "pd_op.";
  if (from.name.starts_with(kDialect))
    if (const OperationRow* row = find_row(std::string_view(from.name).substr(kDialect.size())))
      row->adapt(from.attributes);
  if (node.pb->elsewhere) from.attributes.update(*node.pb->elsewhere);
  return std::move(from.attributes);
}

FrameworkMessage read_again(const Node& node) { return {node.name(), attributes_of(node)}; }

/// A text of protobuf: all bytes but plain ones are escapes.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 127 && c != '"' && c != '\\') {
      out += c;
      continue;
    }
    out += '\\';
    for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + (byte >> shift & 7));
  }
  return out += '"';
}

template <typename List, typename Format>
std::string repeated(const char* field, const List& list, Format format) {
  std::string out;
  for (const auto& value : list) out += cat(field, ": ", format(value), " ");
  return out;
}

/// The fields of OpDesc.Attr with AttrType of framework.proto.
std::string value_text(const Attribute& value) {
  const auto number = [](double x) { return format_double(x); };
  const auto integer = [](int64_t x) { return cat(x); };
  if (const auto* flag = std::get_if<bool>(&value)) return cat("type: 6 b: ", *flag ? "true" : "false");
  if (const auto* whole = std::get_if<int64_t>(&value)) return cat("type: 9 l: ", *whole);
  if (const auto* real = std::get_if<double>(&value)) return cat("type: 15 float64: ", number(*real));
  if (const auto* text = std::get_if<std::string>(&value)) return cat("type: 2 s: ", in_quotes(*text));
  if (const auto* ints = std::get_if<Ints>(&value)) return cat("type: 11 ", repeated("longs", *ints, integer));
  if (const auto* reals = std::get_if<Doubles>(&value)) return cat("type: 12 ", repeated("float64s", *reals, number));
  if (const auto* texts = std::get_if<Strings>(&value)) return cat("type: 5 ", repeated("strings", *texts, in_quotes));
  return {};
}

/// The slots of a node that is not extracted yet, with the nodes that its inputs come from.
std::string inputs_text(const Node& node) {
  const auto* slots = node.attributes.get_if<Strings>("input_slots");
  std::string out;
  for (size_t i = 0; slots && i < slots->size(); ++i) {
    const bool is_first = i == 0 || (*slots)[i] != (*slots)[i - 1];
    if (is_first) out += cat(i == 0 ? "" : "}\n", "inputs { parameter: ", in_quotes((*slots)[i]));
    const OutPort source = static_cast<int>(i) < node.in_count() ? node.source(static_cast<int>(i)) : OutPort();
    if (source) out += cat(" arguments: ", in_quotes(source.node().name()));
  }
  return out.empty() ? out : out + "}\n";
}

/// An OpDesc with the attributes.
proto::Message message_of(const Node& node) {
  std::string text = cat("type: ", in_quotes(node.pb->op), "\n", inputs_text(node));
  for (const auto& [name, value] : attributes_of(node))
    text += cat("attrs { name: ", in_quotes(name), " ", value_text(value), "}\n");
  const int type = program::kSchema.message("OpDesc");
  return proto::read_text(
      std::move(text),
      {.file = node.graph().files().name(node.pb->file), .schema = &program::kSchema, .type = type, .merge = true});
}

}  // namespace

const NodeFormat kNodeFormat{"paddle", read_again, message_of};

}  // namespace mo::paddle::pir
