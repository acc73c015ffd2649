// Any bytes as the text of a message, with and without a schema: values or errors, never a crash, a hang or a sanitizer
// report.

#include "core/base/proto/text_message.h"

#include "kinds_messages.h"
#include "tests/fuzz/visit_message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const mo::proto::Schema& schema = mo::test::pb::kSchema;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const mo::proto::TextOptions& options :
       {mo::proto::TextOptions{"k.txt", &schema, schema.message("Kinds"), size % 2 == 0}, mo::proto::TextOptions{}}) {
    try {
      mo::fuzz::visit(mo::proto::read_text(text, options));
    } catch (const mo::Error&) {
      // Errors in the message are expected.
    }
  }
  return 0;
}
