// Reads everything in a message, in all possible ways.
#pragma once

#include "core/base/proto/field_path.h"

namespace mo::fuzz {

template <typename Read>
void attempt(Read read) {
  try {
    read();
  } catch (const Error&) {
    // The field has no value of this kind.
  }
}

inline void visit(const proto::Message& message, int budget = 6) {
  if (budget == 0) return;
  (void)message.missing();
  int left = 40;
  for (const std::string& name : message.names()) {
    if (left-- == 0) return;
    attempt([&] { (void)message.get_int(name); });
    attempt([&] { (void)message.get_float(name); });
    attempt([&] { (void)message.get_bool(name); });
    attempt([&] { (void)message.get_string(name); });
    attempt([&] { (void)message.get_enum(name); });
    attempt([&] { (void)message.all(name); });
    attempt([&] { (void)proto::find_field(message, name + ".0"); });
    attempt([&] { visit(message.get_message(name), budget - 1); });
    attempt([&] {
      for (const proto::Message& inner : message.messages(name))
        if (left-- > 0) visit(inner, budget - 2 > 0 ? budget - 2 : 0);
    });
  }
}

}  // namespace mo::fuzz
