#include "core/base/error.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo {
namespace {

constexpr CodeInfo kCodes[] = {
#define MO_ERROR(name, number, text, hint, faq) {Code::name, #name, text, hint, faq},
#include "core/base/errors.def"
};

std::string number(Code code) { return "MO" + std::to_string(static_cast<int>(code)); }

struct OptionsOfCode {
  Code code;
  std::string_view about, besides;
};
constexpr OptionsOfCode kOptions[] = {
#define MO_ERROR_ABOUT(name, about, besides) {Code::name, about, besides},
#include "core/base/error_options.def"
};

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

Error::Error(Code code, Detail detail) : Error(code, std::move(detail), Place{}) {}

Error::Error(Code code, Detail detail, Place place, Detail hint)
    : code_(code), detail_(std::move(detail)), hint_(std::move(hint)), place_(std::move(place)) {
  if (detail_.empty()) detail_ = Detail::words(info(code).text);
  text_ = detail_.text();
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

Error& Error::about(std::string_view option) {
  if (!is_one_of(option, options_)) options_.emplace_back(option);
  return *this;
}

void Error::name_option(std::string_view options) {
  for (const std::string& word : split(options, ' '))
    if (word.starts_with("--")) about(std::string_view(word).substr(2));
  const std::string_view sentence = info(code_).text;
  if (text_.find(options) != std::string::npos || sentence.find(options) != std::string_view::npos) return;
  detail_ = text_ == sentence ? Detail(options) : msg(options, ": ", detail_);
  text_ = detail_.text();
}

Message Error::message() const {
  const CodeInfo& row = info(code_);
  const Detail sentence = Detail::words(row.text);
  Message m;
  m.code = number(code_);
  m.detail = text_ == row.text ? sentence : msg(sentence, ": ", detail_);
  m.text = m.detail.text();
  m.advice = hint_.empty() ? Detail::words(row.hint) : hint_;
  m.hint = m.advice.text();
  m.options = options_;
  for (const OptionsOfCode& of : kOptions)
    if (of.code == code_)
      for (const std::string_view options : {options_.empty() ? of.about : std::string_view(), of.besides})
        for (std::string& option : split(options, ' '))
          if (!option.empty() && !is_one_of(option, m.options)) m.options.push_back(std::move(option));
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

void Diagnostics::take_back(size_t first) {
  for (size_t i = first; i < messages_.size(); ++i) errors_ -= messages_[i].severity == Message::Severity::Error;
  messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(std::min(first, messages_.size())), messages_.end());
}

void Diagnostics::amend_errors(size_t first, const Detail& text, const Detail& hint) {
  for (size_t i = first; i < messages_.size(); ++i) {
    Message& m = messages_[i];
    if (m.severity != Message::Severity::Error) continue;
    m.detail = m.detail.with(text);
    m.text = m.detail.text();
    if (m.hint.find(hint.text()) != std::string::npos) continue;
    m.advice = m.advice.with(hint);
    m.hint = m.advice.text();
  }
}

void Diagnostics::blame_option(std::string_view option, const Detail& given, const Detail& hint,
                               std::initializer_list<Code> codes) {
  for (Message& m : messages_) {
    const auto is_its = [&](Code code) { return number(code) == m.code; };
    if (m.severity != Message::Severity::Error || std::none_of(codes.begin(), codes.end(), is_its)) continue;
    m.detail = m.detail.with(given);
    m.text = m.detail.text();
    if (!is_one_of(option, m.options)) m.options.emplace_back(option);
    if (m.hint.find(cat("--", option)) != std::string::npos) continue;
    m.advice = m.advice.with(hint);
    m.hint = m.advice.text();
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
  // A hint may name another question than that of the code.
  const bool is_named = m.hint.find("(Model Optimizer FAQ, question #") != std::string::npos;
  if (const int faq = is_named ? 0 : faq_of(m.code)) out += cat(" (Model Optimizer FAQ, question #", faq, ")");
  return out;
}

}  // namespace mo
