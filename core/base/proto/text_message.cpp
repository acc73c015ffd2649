#include "core/base/proto/text_message.h"

#include <algorithm>
#include <cmath>

#include "core/base/proto/text_lexer.h"
#include "core/base/text.h"

namespace mo::proto {
namespace {

constexpr size_t kMaxText = 1 << 30;

// How an Entry describes a text: `start` and `number` are offset and length of the field's name. `offset` and `size`
// are those of the literal, of a run from its first literal to its last, or of a message with its braces. A message has
// type Group and its index in `value`.
class TextSource final : public Source, public std::enable_shared_from_this<TextSource> {
 public:
  TextSource(std::string text, const TextOptions& options)
      : text_(std::move(text)),
        file_(options.file),
        lexer_(text_, file_),
        schema_(options.schema),
        open_enum_(options.open_enum),
        merge_(options.merge) {}

  std::shared_ptr<const Entries> read(int type) {
    next_ = lexer_.next(text_.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    return share(fields(type, '\0', 0));
  }

  std::string unknown_name(const Entry& entry) const override {
    return text_.substr(static_cast<size_t>(entry.field.start), entry.field.number);
  }
  bool is_message(const Entry& entry) const override { return entry.field.type == WireField::Group; }
  std::shared_ptr<const Entries> children(const Entry& entry, int) const override { return share(entry.field.value); }
  void scalars(const Entry& entry, const TakeScalar& take) const override;
  Error error(Code code, const Entry& entry, const Detail& what) const override {
    return lexer_.error(code, static_cast<size_t>(entry.field.offset), what);
  }

 private:
  std::shared_ptr<const Entries> share(uint64_t message) const {
    return {shared_from_this(), &messages_[static_cast<size_t>(message)]};
  }

  // The parser: next_ is the next token.
  Token take() { return std::exchange(next_, lexer_.next(next_.end)); }
  bool is_mark(const Token& token, std::string_view marks) const {
    return token.kind == Token::Mark && marks.find(text_[token.begin]) != std::string_view::npos;
  }
  bool is_mark(std::string_view marks) const { return is_mark(next_, marks); }
  bool take_mark(std::string_view marks) {
    const bool there = is_mark(marks);
    if (there) take();
    return there;
  }
  [[noreturn]] void expected(const Detail& what) const {
    const Detail found = next_.kind == Token::End ? msg("the end") : msg(printable(lexer_.text(next_).substr(0, 40)));
    throw lexer_.error(Code::BadText, next_.begin, msg("expected ", what, ", not ", found));
  }

  size_t fields(int type, char close, int depth);
  void field(Entries& out, int type, int depth);
  void name(Entry& entry, int type);
  void value(Entries& out, Entry entry, int depth);
  void literal(Entry& entry);
  void check_required(const Entries& found, int type, size_t end) const;

  Scalar decode(const Entry& entry) const;
  std::string text_of(Token token, size_t end) const;
  std::optional<Scalar> of_type(const FieldRow& row, bool negative, const Token& token) const;
  std::optional<Scalar> of_enum(const FieldRow& row, bool negative, const Token& token) const;

  std::string text_, file_;
  Lexer lexer_;
  const Schema* schema_;
  std::string_view open_enum_;
  bool merge_;
  Token next_;
  std::deque<Entries> messages_;
};

size_t TextSource::fields(int type, char close, int depth) {
  if (depth > Message::kMaxDepth)
    throw lexer_.error(Code::TooDeep, next_.begin, msg("more than ", Message::kMaxDepth, " messages in each other"));
  const size_t index = messages_.size();
  Entries& out = messages_.emplace_back();
  while (close ? !is_mark({&close, 1}) : next_.kind != Token::End) field(out, type, depth);
  check_required(out, type, next_.begin);
  return index;
}

void TextSource::check_required(const Entries& found, int type, size_t end) const {
  if (merge_ || !schema_) return;
  for (const FieldRow& row : schema_->fields_of(type))
    if (row.is_required() && std::none_of(found.begin(), found.end(), [&](const Entry& e) { return e.row == &row; }))
      throw lexer_.error(Code::MissingField, end, msg(schema_->name(row), " of ", schema_->message_name(type)));
}

void TextSource::name(Entry& entry, int type) {
  const Token first = next_;
  size_t end = first.end;
  if (take_mark("[")) {
    // An extension, or the type of an Any.
    while (next_.kind == Token::Word || is_mark("./-")) take();
    if (!is_mark("]")) expected("] behind a type's name");
    end = take().end;
  } else if (next_.kind == Token::Word) {
    take();
  } else {
    expected("a field's name");
  }
  entry.field.start = first.begin;
  entry.field.number = static_cast<uint32_t>(end - first.begin);
  if (!schema_) return;
  for (const FieldRow& row : schema_->fields_of(type))
    if (schema_->text_name(row) == lexer_.text({Token::Word, first.begin, end})) entry.row = &row;
}

void TextSource::field(Entries& out, int type, int depth) {
  Entry entry;
  name(entry, type);
  const bool singular = entry.row && !entry.row->is_repeated();
  if (singular && !merge_ &&
      std::any_of(out.begin(), out.end(), [&](const Entry& before) { return before.row == entry.row; }))
    throw lexer_.error(Code::DuplicateField, static_cast<size_t>(entry.field.start), schema_->name(*entry.row));
  if (!take_mark(":") && !is_mark("{<[")) expected(": or a message");
  if (!is_mark("[")) {
    value(out, entry, depth);
  } else {
    if (singular) throw lexer_.error(Code::BadFieldValue, next_.begin, "a list for a singular field");
    take();
    for (bool more = !is_mark("]"); more; more = take_mark(",")) value(out, entry, depth);
    if (!is_mark("]")) expected(", or ]");
    take();
  }
  take_mark(",;");
}

void TextSource::value(Entries& out, Entry entry, int depth) {
  entry.field.offset = next_.begin;
  if (is_mark("{<")) {
    if (entry.row && !entry.row->is_message())
      throw error(Code::BadFieldValue, entry, "a message for a field that is none");
    const char close = text_[take().begin] == '{' ? '}' : '>';
    entry.field.type = WireField::Group;
    const bool known = entry.row != nullptr;
    entry.field.value = fields(known ? entry.row->type_index : Schema::kNone, close, depth + 1);
    entry.field.size = take().end - entry.field.offset;
  } else {
    entry.field.type = WireField::Bytes;
    literal(entry);
    decode(entry);
  }
  if (!out.empty() && out.back().row == entry.row && entry.may_be_run())
    out.back().field.size = entry.field.end() - out.back().field.offset;
  else
    out.push_back(entry);
}

void TextSource::literal(Entry& entry) {
  size_t end = next_.end;
  if (next_.kind == Token::Text) {
    while (next_.kind == Token::Text) end = take().end;
  } else {
    take_mark("-");
    if (next_.kind != Token::Number && next_.kind != Token::Word) expected("a value");
    end = take().end;
  }
  entry.field.size = end - entry.field.offset;
}

void TextSource::scalars(const Entry& entry, const TakeScalar& take) const {
  if (!entry.may_be_run()) return take(decode(entry));
  for (Token token = lexer_.next(entry.field.offset); token.begin < entry.field.end();) {
    const Token after = lexer_.next(token.end);
    const bool is_name = token.kind == Token::Word && is_mark(after, ":[");
    if (is_name || is_mark(token, ":[],;")) {
      token = after;
      continue;
    }
    const size_t end = is_mark(token, "-") ? after.end : token.end;
    Entry one = entry;
    one.field.offset = token.begin;
    one.field.size = end - token.begin;
    take(decode(one));
    token = lexer_.next(end);
  }
}

std::string TextSource::text_of(Token token, size_t end) const {
  std::string out;
  for (; token.kind == Token::Text && token.begin < end; token = lexer_.next(token.end)) lexer_.append_text(token, out);
  return out;
}

std::optional<Scalar> whole(FieldType type, bool negative, uint64_t size) {
  const bool narrow = type == FieldType::Int32 || type == FieldType::SInt32 || type == FieldType::SFixed32 ||
                      type == FieldType::UInt32 || type == FieldType::Fixed32 || type == FieldType::Enum;
  const bool unsigned_ = type == FieldType::UInt32 || type == FieldType::Fixed32 || type == FieldType::UInt64 ||
                         type == FieldType::Fixed64;
  const uint64_t largest = (narrow ? UINT32_MAX : UINT64_MAX) >> (unsigned_ ? 0 : 1);
  if (size > largest + (negative && !unsigned_) || (negative && unsigned_ && size != 0)) return std::nullopt;
  if (unsigned_) return size;
  return static_cast<int64_t>(negative ? ~size + 1 : size);
}

std::optional<double> real(bool negative, const Token& token, std::string_view text) {
  std::optional<double> value = literal_float(text);
  if (token.kind == Token::Word) {
    const std::string word = lower(text);
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (word == "inf" || word == "infinity") value = HUGE_VAL;
  }
  return value && negative ? -*value : value;
}

std::optional<bool> truth(std::string_view word) {
  if (word == "true" || word == "True" || word == "t") return true;
  if (word == "false" || word == "False" || word == "f") return false;
  return std::nullopt;
}

std::optional<Scalar> TextSource::of_enum(const FieldRow& row, bool negative, const Token& token) const {
  const std::string_view text = lexer_.text(token);
  if (token.kind == Token::Word) {
    if (negative) return std::nullopt;
    if (const auto number = schema_->enum_number(row, text)) return int64_t{*number};
    const bool is_open = schema_->text(schema_->enums[row.type_index].name) == open_enum_;
    return is_open ? std::optional<Scalar>(std::string(text)) : std::nullopt;
  }
  const auto size = literal_integer(text);
  const auto number = size ? whole(row.type, negative, *size) : std::nullopt;
  const bool known = number && !schema_->enum_name(row, static_cast<int64_t>(number->bits)).empty();
  return known || schema_->open_enums ? number : std::nullopt;
}

std::optional<Scalar> TextSource::of_type(const FieldRow& row, bool negative, const Token& token) const {
  const std::string_view text = lexer_.text(token);
  const auto size = token.kind == Token::Number ? literal_integer(text) : std::nullopt;
  switch (row.type) {
    case FieldType::String:
    case FieldType::Bytes: return std::nullopt;
    case FieldType::Enum: return of_enum(row, negative, token);
    case FieldType::Float:
    case FieldType::Double: {
      const auto value = real(negative, token, text);
      if (value && row.type == FieldType::Float) return static_cast<double>(static_cast<float>(*value));
      return value ? std::optional<Scalar>(*value) : std::nullopt;
    }
    case FieldType::Bool: {
      if (negative) return std::nullopt;
      if (size && *size < 2) return *size == 1;
      const auto value = truth(text);
      return value ? std::optional<Scalar>(*value) : std::nullopt;
    }
    default: return size ? whole(row.type, negative, *size) : std::nullopt;
  }
}

Scalar TextSource::decode(const Entry& entry) const {
  Token token = lexer_.next(static_cast<size_t>(entry.field.offset));
  const bool negative = token.kind == Token::Mark;
  if (negative) token = lexer_.next(token.end);
  const std::string_view text = lexer_.text(token);
  const FieldRow* row = entry.row;
  if (token.kind == Token::Text) {
    if (!row || row->type == FieldType::String || row->type == FieldType::Bytes)
      return text_of(token, static_cast<size_t>(entry.field.end()));
  } else if (row) {
    if (auto value = row->is_message() ? std::nullopt : of_type(*row, negative, token)) return *std::move(value);
  } else {
    if (const auto size = token.kind == Token::Number ? literal_integer(text) : std::nullopt) {
      if (auto number = whole(FieldType::Int64, negative, *size)) return *std::move(number);
      if (!negative) return *size;
    }
    if (const auto number = real(negative, token, text)) return *number;
    if (!negative) {
      const auto flag = text.size() > 1 ? truth(text) : std::nullopt;
      return flag ? Scalar(*flag) : Scalar(std::string(text));
    }
  }
  const std::string_view field = row ? schema_->name(*row) : std::string_view();
  const std::string_view found =
      lexer_.text({Token::End, static_cast<size_t>(entry.field.offset), static_cast<size_t>(entry.field.end())});
  const std::string shown = printable(found.substr(0, 40));
  throw error(Code::BadFieldValue, entry, row ? msg(field, " cannot be ", shown) : msg("no value: ", shown));
}

}  // namespace

Message read_text(Files& files, FileId file, TextOptions options) {
  options.file = files.name(file);
  const uint64_t size = files.source(file).size();
  if (size > kMaxText) throw Error(Code::BadText, msg("more than ", kMaxText, " bytes"), {.file = options.file});
  std::string text(static_cast<size_t>(size), '\0');
  if (!text.empty()) files.read(file, 0, std::as_writable_bytes(std::span(text)));
  return read_text(std::move(text), options);
}

Message read_text(std::string text, const TextOptions& options) {
  auto source = std::make_shared<TextSource>(std::move(text), options);
  auto entries = source->read(options.type);
  return {std::move(source), options.schema, options.type, std::move(entries)};
}

}  // namespace mo::proto
