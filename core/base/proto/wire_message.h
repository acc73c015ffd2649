// Messages of binary files: their fields' places are read when the message is asked for, payloads never.
#pragma once

#include "core/base/files.h"
#include "core/base/proto/message.h"

namespace mo::proto {

/// Whether a field can stand in a file as that wire type; a repeated number also packed.
bool fits(const FieldRow& row, WireField::Type type);

/// The message of type `type` whose fields are the payload of `place`; fields of another wire type than the schema's
/// are unknown ones. Throws what WireReader throws, and TooDeep for more than Message::kMaxValues fields.
Message read_wire(Files& files, FileId file, const Schema& schema, int type, const WireField& place);
/// The file as a whole.
Message read_wire(Files& files, FileId file, const Schema& schema, int type);

}  // namespace mo::proto
