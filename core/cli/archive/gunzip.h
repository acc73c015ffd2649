// Unpacks gzip.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "core/mo.h"

namespace mo {

/// Gives what is packed in `archive`, which has this name, to `sink`, in pieces. Throws HostReadFailed for damaged or
/// cut off bytes, and for too many.
void gunzip(ByteSource& archive, const std::string& name, const std::function<void(std::span<const std::byte>)>& sink);

/// The beginning of what is packed in a file that begins with `head`: as much as there is room for in `out`, or less.
size_t gunzip_head(std::span<const std::byte> head, std::span<std::byte> out);

}  // namespace mo
