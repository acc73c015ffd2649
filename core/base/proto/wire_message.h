// Messages of binary files: the places of their fields are read when the message is asked for; payloads are not read.
#pragma once

#include <string>

#include "core/base/files.h"
#include "core/base/proto/message.h"

namespace mo::proto {

/// Whether a field can occur in a file with that wire type. Repeated numbers may also be packed.
bool fits(const FieldRow& row, WireField::Type type);

/// The message of type `type` whose fields are the payload of `place`. Fields whose wire type differs from the schema's
/// count as unknown. Throws what WireReader throws, and TooDeep for more than Message::kMaxValues fields.
Message read_wire(Files& files, FileId file, const Schema& schema, int type, const WireField& place);
/// The file as a whole.
Message read_wire(Files& files, FileId file, const Schema& schema, int type);
/// A message in memory, such as a field of bytes in another message. Offsets of errors count from its begin.
Message read_wire(std::string bytes, const Schema& schema, int type);

}  // namespace mo::proto
