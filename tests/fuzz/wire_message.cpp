// Any bytes as a binary message: values or errors, never a crash, a hang or a sanitizer report.

#include "core/base/proto/wire_message.h"

#include <cstring>

#include "kinds_messages.h"
#include "tests/fuzz/visit_message.h"

namespace {

class BytesFile final : public mo::ByteSource, public mo::FileSet {
 public:
  BytesFile(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint64_t size() const override { return size_; }
  void read(uint64_t offset, std::span<std::byte> out) override { std::memcpy(out.data(), data_ + offset, out.size()); }
  mo::ByteSource* open(std::string_view) override { return this; }

 private:
  const uint8_t* data_;
  size_t size_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  BytesFile set(data, size);
  mo::Files files(set);
  const mo::proto::Schema& schema = mo::test::pb::kSchema;
  try {
    mo::fuzz::visit(mo::proto::read_wire(files, files.open("m"), schema, schema.message("Kinds")));
  } catch (const mo::Error&) {
    // Errors in the message are expected.
  }
  return 0;
}
