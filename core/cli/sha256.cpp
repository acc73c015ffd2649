#include "core/cli/sha256.h"

#include <sha2.h>

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "core/cli/disk_files.h"

namespace mo {

std::string sha256_of_file(const std::string& path) {
  DiskFiles files({});
  ByteSource* file = files.open(path);
  if (!file) throw Error(Code::HostReadFailed, "there is no such file", {.file = path});
  SHA2_CTX state;
  SHA256Init(&state);
  std::vector<std::byte> piece(256 << 10);
  for (uint64_t done = 0; done < file->size();) {
    const std::span<std::byte> part(piece.data(), std::min<uint64_t>(piece.size(), file->size() - done));
    file->read(done, part);
    SHA256Update(&state, reinterpret_cast<const uint8_t*>(part.data()), part.size());
    done += part.size();
  }
  uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256Final(digest, &state);
  std::string text;
  for (const uint8_t byte : digest) text += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
  return text;
}

}  // namespace mo
