#include "core/script/to_js.h"

#include <new>

#include "core/base/error.h"

namespace mo::js {

namespace {

val arguments_of(const Detail& detail) {
  val out = val::array();
  for (const Detail::Argument& argument : detail.arguments()) {
    if (argument.detail)
      out.call<void>("push", to_js(*argument.detail));
    else
      out.call<void>("push", argument.text);
  }
  return out;
}

}  // namespace

val to_js(const Detail& detail) {
  val out = val::object();
  out.set("template", detail.template_text());
  out.set("arguments", arguments_of(detail));
  return out;
}

val to_js(const Message& message) {
  val out = val::object();
  out.set("severity", std::string(message.severity == Message::Severity::Error ? "error" : "warning"));
  out.set("code", message.code);
  out.set("text", message.text);
  out.set("hint", message.hint);
  out.set("node", message.node);
  out.set("op", message.op);
  out.set("tensor", message.tensor);
  out.set("file", message.file);
  out.set("offset", static_cast<double>(message.offset));
  out.set("line", message.line);
  out.set("column", message.column);
  out.set("template", message.detail.template_text());
  out.set("arguments", arguments_of(message.detail));
  out.set("advice", to_js(message.advice));
  out.set("option", message.options.empty() ? std::string() : message.options[0]);
  out.set("options", to_js(message.options));
  return out;
}

val to_js(const std::vector<OptionText>& options) {
  val out = val::array();
  for (const OptionText& option : options) {
    val row = val::array();
    row.call<void>("push", option.name, option.value);
    out.call<void>("push", row);
  }
  return out;
}

val to_js(const std::vector<std::string>& texts) {
  val out = val::array();
  for (const std::string& text : texts) out.call<void>("push", text);
  return out;
}

Message caught() {
  try {
    throw;
  } catch (const Error& error) {
    return error.message();
  } catch (const std::bad_alloc&) {
    return Error(Code::OutOfMemory).message();
  } catch (const std::exception& error) {
    return Error(Code::Unexpected, msg(error.what())).message();
  }
}

}  // namespace mo::js
