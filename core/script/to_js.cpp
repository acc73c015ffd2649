#include "core/script/to_js.h"

#include <new>

#include "core/base/error.h"

namespace mo::js {

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
    return Error(Code::Unexpected, error.what()).message();
  }
}

}  // namespace mo::js
