#include "core/cli/write_ir_pair.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace mo {
namespace {

namespace fs = std::filesystem;
constexpr size_t kPiece = 256 << 10;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw Error(Code::HostWriteFailed, std::strerror(error), {.file = path.string()});
}

/// A temporary file next to its target; deleted unless published.
class Draft {
 public:
  explicit Draft(fs::path target) : target_(std::move(target)), path_(draft_path(target_, ::getpid())) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(target_, errno);
  }
  ~Draft() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!published_) ::unlink(path_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void write(const std::byte* data, size_t size) {
    while (size > 0) {
      const ssize_t put = ::write(descriptor_, data, size);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail(target_, errno);
      data += put;
      size -= static_cast<size_t>(put);
    }
  }

  /// Copies a range of a file. Pieces that fit a processor's cache take less time than copy_file_range, because weights
  /// begin at any byte, so that no page of the .bin is one of the model.
  void copy(DiskFile& source, uint64_t offset, uint64_t size, std::vector<std::byte>& buffer) {
    buffer.resize(kPiece);
    while (size > 0) {
      const std::span<std::byte> piece(buffer.data(), static_cast<size_t>(std::min<uint64_t>(size, buffer.size())));
      source.read(offset, piece);
      write(piece.data(), piece.size());
      offset += piece.size();
      size -= piece.size();
    }
  }

  void close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (::close(descriptor) != 0) fail(target_, errno);
  }
  void publish() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail(target_, errno);
    published_ = true;
  }

 private:
  fs::path target_, path_;
  int descriptor_ = -1;
  bool published_ = false;
};

void write_segments(Conversion& conversion, const std::vector<Segment>& segments, DiskFiles& files, Draft& draft) {
  std::vector<std::byte> buffer;
  for (const Segment& segment : segments) {
    switch (segment.kind) {
      case Segment::Kind::Bytes: draft.write(segment.bytes.data(), segment.bytes.size()); break;
      case Segment::Kind::File:
        draft.copy(*files.open(conversion.files()[segment.file]), segment.offset, segment.size, buffer);
        break;
      case Segment::Kind::Recipe:
        buffer.resize(static_cast<size_t>(std::min(segment.size, segment.piece)));
        for (uint64_t done = 0; done < segment.size;) {
          const std::span<std::byte> piece(buffer.data(),
                                           static_cast<size_t>(std::min<uint64_t>(segment.size - done, buffer.size())));
          conversion.read_recipe(segment.recipe, done, piece);
          draft.write(piece.data(), piece.size());
          done += piece.size();
        }
        break;
    }
  }
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw Error(Code::HostWriteFailed, error ? error.message() : "not a directory", {.file = folder.string()});
}

}  // namespace

fs::path draft_path(const fs::path& target, int process) { return target.string() + ".part" + std::to_string(process); }

void write_text_file(const fs::path& path, std::string_view text) {
  Draft draft(path);
  draft.write(reinterpret_cast<const std::byte*>(text.data()), text.size());
  draft.close();
  draft.publish();
}

IrPair ir_pair(const fs::path& folder, const std::string& name) {
  const fs::path absolute = fs::absolute(folder).lexically_normal();
  return {absolute / (name + ".xml"), absolute / (name + ".bin")};
}

fs::path write_event_file(Conversion& conversion, DiskFiles& files, const fs::path& folder) {
  make_folder(folder);
  const fs::path path = fs::absolute(folder).lexically_normal() / kEventFile;
  Draft draft(path);
  write_segments(conversion, conversion.event_file(), files, draft);
  draft.close();
  draft.publish();
  return path;
}

IrPair write_ir_pair(Conversion& conversion, DiskFiles& files, const fs::path& folder, const std::string& name) {
  make_folder(folder);
  std::error_code error;
  IrPair pair = ir_pair(folder, name);
  for (const std::string& source : conversion.files())
    for (const fs::path& target : {pair.xml, pair.bin})
      if (fs::equivalent(files.path(source), target, error))
        throw Error(Code::HostWriteFailed, "it is a file of the model", {.file = target.string()},
                    "choose another --model_name or --output_dir");
  Draft bin(pair.bin), xml(pair.xml);
  write_segments(conversion, conversion.segments(), files, bin);
  xml.write(reinterpret_cast<const std::byte*>(conversion.xml().data()), conversion.xml().size());
  bin.close();
  xml.close();
  bin.publish();
  try {
    xml.publish();
  } catch (...) {
    ::unlink(pair.bin.c_str());
    throw;
  }
  return pair;
}

}  // namespace mo
