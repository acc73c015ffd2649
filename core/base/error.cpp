#include "core/base/error.h"

#include "core/base/text.h"

namespace mo {
namespace {

constexpr CodeInfo kCodes[] = {
#define MO_ERROR(name, number, text, hint, faq) {Code::name, #name, text, hint, faq},
#include "core/base/errors.def"
};

std::string number(Code code) { return "MO" + std::to_string(static_cast<int>(code)); }

/// The question of Model Optimizer's FAQ, or 0.
int faq_of(std::string_view code) {
  for (const CodeInfo& row : kCodes)
    if (number(row.code) == code) return row.faq;
  return 0;
}

}  // namespace

const CodeInfo& info(Code code) {
  for (const CodeInfo& row : kCodes)
    if (row.code == code) return row;
  return info(Code::Unexpected);
}

void Piece::append_to(std::string& text) const {
  if (const auto* part = std::get_if<std::string_view>(&value_)) text += *part;
  if (const auto* character = std::get_if<char>(&value_)) text += *character;
  if (const auto* number = std::get_if<int64_t>(&value_)) text += std::to_string(*number);
  if (const auto* number = std::get_if<uint64_t>(&value_)) text += std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value_)) text += format_double(*number);
}

std::string cat_pieces(const std::initializer_list<Piece>& pieces) {
  std::string out;
  for (const Piece& piece : pieces) piece.append_to(out);
  return out;
}

Error::Error(Code code, std::string detail) : Error(code, std::move(detail), Place{}) {}

Error::Error(Code code, std::string detail, Place place, std::string hint)
    : code_(code), detail_(std::move(detail)), hint_(std::move(hint)), place_(std::move(place)) {
  if (detail_.empty()) detail_ = info(code).text;
}

Error Error::reported() {
  Error error(Code::Unexpected);
  error.reported_ = true;
  return error;
}

Error& Error::placed(const Place& around) {
  Place& own = place_;
  if (!own.node.empty() && !around.node.empty() && own.node != around.node) return *this;
  if (own.node.empty()) own.node = around.node;
  if (own.op.empty()) own.op = around.op;
  if (own.tensor.empty()) own.tensor = around.tensor;
  if (!own.file.empty()) return *this;
  own.file = around.file;
  if (own.offset < 0 && own.line == 0) own.offset = around.offset, own.line = around.line, own.column = around.column;
  return *this;
}

void Error::name_option(std::string_view option) {
  const std::string_view text = info(code_).text;
  const bool plain = detail_ == text;
  if (detail_.find(option) == std::string::npos && text.find(option) == std::string_view::npos)
    detail_ = plain ? std::string(option) : cat(option, ": ", detail_);
}

Message Error::message() const {
  const CodeInfo& row = info(code_);
  Message m;
  m.code = number(code_);
  m.text = detail_ == row.text ? detail_ : cat(row.text, ": ", detail_);
  m.hint = hint_.empty() ? std::string(row.hint) : hint_;
  m.node = place_.node;
  m.op = place_.op;
  m.tensor = place_.tensor;
  m.file = place_.file;
  m.offset = place_.offset;
  m.line = place_.line;
  m.column = place_.column;
  return m;
}

void Diagnostics::add(const Error& error) {
  if (!error.is_reported()) messages_.push_back(error.message()), ++errors_;
}

void Diagnostics::warn(const Error& error) {
  Message m = error.message();
  m.severity = Message::Severity::Warning;
  messages_.push_back(std::move(m));
}

void Diagnostics::amend_errors(size_t first, std::string_view text, std::string_view hint) {
  for (size_t i = first; i < messages_.size(); ++i) {
    Message& m = messages_[i];
    if (m.severity != Message::Severity::Error) continue;
    m.text += text;
    if (m.hint.find(hint) == std::string::npos) m.hint += hint;
  }
}

std::string format(const Message& m) {
  std::string out = m.severity == Message::Severity::Error ? "[ ERROR ]  " : "[ WARNING ]  ";
  out += printable(m.code) + " " + printable(m.text);
  if (m.node.empty() && !m.op.empty())
    out += cat(" (", printable(m.op), ")");
  else if (!m.node.empty())
    out += cat(" (node \"", printable(m.node), "\"", m.op.empty() ? "" : ", ", printable(m.op), ")");
  if (!m.tensor.empty()) out += cat(" (tensor \"", printable(m.tensor), "\")");
  const std::string where = m.line > 0      ? cat(", line ", m.line, ", column ", m.column)
                            : m.offset >= 0 ? cat(", byte ", m.offset)
                                            : std::string();
  if (!m.file.empty()) out += cat(" (file \"", printable(m.file), "\"", where, ")");
  if (!m.hint.empty()) out += ". " + printable(m.hint);
  if (const int faq = faq_of(m.code)) out += cat(" (Model Optimizer FAQ, question #", faq, ")");
  return out;
}

}  // namespace mo
