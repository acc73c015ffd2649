#include "core/front/tf/load/kind.h"

#include "core/base/proto/text_lexer.h"
#include "core/front/message_head.h"

namespace mo::tf {
namespace {

/// Whether the message is an input of a Core ML model, which begins like a SavedModel: a name (1), perhaps a text about
/// it (2), and a type (3). A MetaInfoDef has a list of operations behind its version.
bool is_core_ml_port(std::string_view message) {
  MessageHead port(message);
  HeadField name, next;
  if (!port.next(name) || name.number != 1 || !name.is_bytes || !port.next(next) || !next.is_bytes) return false;
  return next.number == 3 || (next.number == 2 && !next.payload.empty() && is_name(next.payload));
}

/// MetaGraphDef: begins with its meta_info_def (1), or with its graph_def (2), both messages.
bool is_meta_graph(std::string_view message) {
  const HeadField field = first_field(message);
  return field.is_bytes && (field.number == 2 || (field.number == 1 && !is_core_ml_port(field.payload)));
}

/// NodeDef: name (1) and op (2) are texts.
bool is_node_def(std::string_view message) {
  const HeadField field = first_field(message);
  return field.is_bytes && (field.number == 1 || field.number == 2) && is_name(field.payload);
}

/// MetaInfoDef with its list of operations (2): an OpList of OpDefs (1) with names (1).
bool is_meta_info(std::string_view message) {
  const HeadField ops = first_field(message), op = first_field(ops.payload), name = first_field(op.payload);
  return ops.is_bytes && ops.number == 2 && op.is_bytes && op.number == 1 && name.is_bytes && name.number == 1 &&
         is_name(name.payload);
}

struct Row {
  std::string_view field;
  Kind kind;
};
constexpr Row kTextFields[] = {
    {"node", Kind::Graph},
    {"library", Kind::Graph},
    {"versions", Kind::Graph},
    {"meta_info_def", Kind::MetaGraph},
    {"graph_def", Kind::MetaGraph},
    {"saver_def", Kind::MetaGraph},
    {"collection_def", Kind::MetaGraph},
    {"signature_def", Kind::MetaGraph},
    {"asset_file_def", Kind::MetaGraph},
    {"object_graph_def", Kind::MetaGraph},
    {"saved_model_schema_version", Kind::SavedModel},
    {"meta_graphs", Kind::SavedModel},
};

}  // namespace

Kind kind_of(std::string_view head) {
  MessageHead message(head);
  HeadField field;
  for (bool has_version = false; message.next(field);) {
    // SavedModel: saved_model_schema_version (1), meta_graphs (2).
    if (has_version) return field.number == 2 && is_meta_graph(field.payload) ? Kind::SavedModel : Kind::None;
    has_version = field.number == 1 && field.is_number;
    if (field.number == 1 && field.is_bytes)
      return is_node_def(field.payload) ? Kind::Graph : is_meta_info(field.payload) ? Kind::MetaGraph : Kind::None;
    // GraphDef: node (1); before it may come library (2), version (3), versions (4).
    if (field.number > 4) return Kind::None;
  }
  return Kind::None;
}

Kind kind_of_text(std::string_view head) {
  const proto::Lexer lexer(head, {});
  std::string_view name;
  int depth = 0;
  try {
    for (proto::Token token = lexer.next(head.starts_with("\xEF\xBB\xBF") ? 3 : 0); token.kind != proto::Token::End;
         token = lexer.next(token.end)) {
      const char mark = token.kind == proto::Token::Mark ? head[token.begin] : '\0';
      if (mark == '<' && name.empty() && depth == 0) return Kind::None;  // a text of Kaldi, whose nodes have any names
      if (depth == 0 && (mark == ':' || mark == '{' || mark == '<'))
        for (const Row& row : kTextFields)
          if (row.field == name) return row.kind;
      name = token.kind == proto::Token::Word ? lexer.text(token) : std::string_view();
      depth += mark == '{' || mark == '<' ? 1 : mark == '}' || mark == '>' ? -1 : 0;
    }
  } catch (const Error&) {
    // Text of another format, or a string that the end of the head cuts off.
  }
  return Kind::None;
}

Kind kind_of(const ModelFile& file) { return file.is_text_with("") ? kind_of_text(file.head()) : kind_of(file.head()); }

}  // namespace mo::tf
