#include "core/cli/write_ir_pair.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/scratch.h"
#include "core/cli/system/program.h"

namespace mo {
namespace {

/// The buffer of a file that is written: it fits a processor's cache. With larger ones the kernel now and then takes
/// twice the time.
constexpr size_t kBuffer = 256 << 10;

[[noreturn]] void fail(const std::string& path, int error) {
  throw Error(Code::HostWriteFailed, std::strerror(error), {.file = path});
}

/// A temporary file next to its target; deleted unless published.
class Draft {
 public:
  explicit Draft(std::string target)
      : target_(std::move(target)), path_(draft_path(target_, os::process_id())), file_(os::File::create(path_)) {
    if (!file_.is_open()) fail(target_, errno);
  }
  ~Draft() {
    file_.close();
    if (!published_) os::remove(path_);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Up to `n` bytes at the end of the file, at least one, for the caller to fill.
  std::span<std::byte> room(uint64_t n) {
    if (used_ == kBuffer) flush();
    const auto size = static_cast<size_t>(std::min<uint64_t>(n, kBuffer - used_));
    return buffer_.get(kBuffer).subspan(std::exchange(used_, used_ + size), size);
  }

  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const std::span<std::byte> room = this->room(bytes.size());
      std::copy_n(bytes.data(), room.size(), room.data());
      bytes = bytes.subspan(room.size());
    }
  }

  /// Copies a range of a file, from buffer to buffer. copy_file_range takes more time, because weights begin at any
  /// byte, so that no page of the .bin is one of the model.
  void copy(DiskFile& source, uint64_t offset, uint64_t size) {
    while (size > 0) {
      const std::span<std::byte> room = this->room(size);
      ahead_.read(source, offset, room);
      offset += room.size();
      size -= room.size();
    }
  }

  void close() {
    flush();
    if (!file_.close()) fail(target_, errno);
  }
  void publish() {
    if (!os::rename(path_, target_)) fail(target_, errno);
    published_ = true;
  }

 private:
  /// Only whole buffers are written, but for the last: so they begin at pages of the file.
  void flush() {
    if (!file_.write(buffer_.get(kBuffer).first(std::exchange(used_, 0)))) fail(target_, errno);
  }

  std::string target_, path_;
  os::File file_;
  Scratch buffer_;
  size_t used_ = 0;
  ReadAhead ahead_;
  bool published_ = false;
};

/// The .xml of an older pair, out of the way while the .bin of a new one takes its place: never has an .xml the .bin of
/// another pair beside it, whenever the process ends. Comes back unless dropped.
class OlderXml {
 public:
  explicit OlderXml(std::string path) : path_(std::move(path)), aside_(aside_path(path_, os::process_id())) {
    if (os::is_folder(path_)) return;  // renaming onto it says so
    there_ = os::rename(path_, aside_);
    if (!there_ && errno != ENOENT) fail(path_, errno);
  }
  ~OlderXml() {
    if (there_) os::rename(aside_, path_);
  }
  OlderXml(const OlderXml&) = delete;
  OlderXml& operator=(const OlderXml&) = delete;

  void drop() {
    if (there_) os::remove(aside_);
    there_ = false;
  }

 private:
  std::string path_, aside_;
  bool there_ = false;
};

void write_segments(Conversion& conversion, const std::vector<Segment>& segments, DiskFiles& files, Draft& draft) {
  Scratch buffer;
  for (const Segment& segment : segments) {
    switch (segment.kind) {
      case Segment::Kind::Bytes: draft.write(segment.bytes); break;
      case Segment::Kind::File:
        draft.copy(*files.open(conversion.files()[segment.file]), segment.offset, segment.size);
        break;
      case Segment::Kind::Recipe:
        for (uint64_t done = 0; done < segment.size;) {
          const uint64_t size = std::min(segment.size - done, segment.piece);
          const bool large = size > kBuffer;
          const auto piece = large ? buffer.get(static_cast<size_t>(size)) : draft.room(size);
          conversion.read_recipe(segment.recipe, done, piece);
          if (large) draft.write(piece);
          done += piece.size();
        }
        break;
    }
  }
}

void make_folder(const std::string& folder) {
  const bool made = os::make_folders(folder);
  const int error = errno;
  if (!os::is_folder(folder))
    throw Error(Code::HostWriteFailed, made ? "not a directory" : std::strerror(error), {.file = folder});
}

}  // namespace

std::string draft_path(const std::string& target, int64_t process) { return cat(target, ".part", process); }

std::string aside_path(const std::string& target, int64_t process) { return cat(target, ".old", process); }

void write_text_file(const std::string& path, std::string_view text) {
  Draft draft(path);
  draft.write(std::as_bytes(std::span(text)));
  draft.close();
  draft.publish();
}

IrPair ir_pair(const std::string& folder, const std::string& name) {
  const std::string absolute = os::absolute(folder);
  return {os::join(absolute, name + ".xml"), os::join(absolute, name + ".bin")};
}

std::string write_event_file(Conversion& conversion, DiskFiles& files, const std::string& folder) {
  make_folder(folder);
  const std::string path = os::join(os::absolute(folder), kEventFile);
  Draft draft(path);
  write_segments(conversion, conversion.event_file(), files, draft);
  draft.close();
  draft.publish();
  return path;
}

IrPair write_ir_pair(Conversion& conversion, DiskFiles& files, const std::string& folder, const std::string& name) {
  make_folder(folder);
  IrPair pair = ir_pair(folder, name);
  for (const std::string& source : conversion.files())
    for (const std::string& target : {pair.xml, pair.bin})
      if (os::same_file(files.path(source), target))
        throw Error(Code::HostWriteFailed, "it is a file of the model", {.file = target},
                    "choose another --model_name or --output_dir");
  Draft bin(pair.bin), xml(pair.xml);
  write_segments(conversion, conversion.segments(), files, bin);
  xml.write(std::as_bytes(std::span(conversion.xml())));
  bin.close();
  xml.close();
  OlderXml older(pair.xml);
  bin.publish();
  older.drop();
  try {
    xml.publish();
  } catch (...) {
    os::remove(pair.bin);
    throw;
  }
  return pair;
}

}  // namespace mo
