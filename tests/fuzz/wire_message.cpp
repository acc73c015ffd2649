// Any bytes as a binary message: values or errors, never a crash, a hang or a sanitizer report.

#include "core/base/proto/wire_message.h"

#include "kinds_messages.h"
#include "tests/fuzz/bytes_file.h"
#include "tests/fuzz/visit_message.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mo::fuzz::BytesFiles set;
  set.put("m", data, size);
  mo::Files files(set);
  const mo::proto::Schema& schema = mo::test::pb::kSchema;
  try {
    mo::fuzz::visit(mo::proto::read_wire(files, files.open("m"), schema, schema.message("Kinds")));
  } catch (const mo::Error&) {
    // Errors in the message are expected.
  }
  return 0;
}
