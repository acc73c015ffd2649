#include "core/cli/ir_pair_writer.h"

#include <cerrno>
#include <cstring>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/scratch.h"

namespace mo {
namespace {

/// The .xml of an older pair, out of the way while the .bin of a new one takes its place: whenever the process ends, no
/// .xml has the .bin of another pair beside it. It is put back unless dropped.
class OlderXml {
 public:
  OlderXml(std::string path, Fsync fsync)
      : path_(std::move(path)), aside_(draft_path(os::folder_of(path_), kAsideEnding)) {
    if (os::is_folder(path_)) return;  // publish() then fails, and says why
    lock_ = os::File::open_locked(path_);
    there_ = os::rename(path_, aside_);
    if (!there_ && errno != ENOENT) fail_to_write(path_, errno);
    if (there_) sync_name(path_, fsync);
  }
  ~OlderXml() {
    if (there_) os::rename(aside_, path_);
  }
  OlderXml(const OlderXml&) = delete;
  OlderXml& operator=(const OlderXml&) = delete;

  void drop() {
    lock_.close();
    if (there_) os::remove(aside_);
    there_ = false;
  }

 private:
  std::string path_, aside_;
  os::File lock_{-1};
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
          // A piece of a size of its own would take the recipe more work in two parts than copying it does.
          const bool apart = size > draft.most_room() && segment.piece != Draft::kBuffer;
          const auto piece = apart ? buffer.get(static_cast<size_t>(size)) : draft.room(size);
          conversion.read_recipe(segment.recipe, done, piece);
          if (apart) draft.write(piece);
          done += piece.size();
        }
        break;
    }
  }
}

}  // namespace

FolderForFiles::FolderForFiles(const std::string& folder, Fsync fsync) {
  std::string there = os::absolute(folder);
  for (; !os::exists(there) && os::folder_of(there) != there; there = os::folder_of(there)) made_.push_back(there);
  const os::Uninterrupted section;
  for (auto above = made_.rbegin(); above != made_.rend(); ++above) leftovers_.emplace_back(*above);
  const bool made = os::make_folders(folder);
  const int error = errno;
  if (!os::is_folder(folder))
    throw Error(Code::HostWriteFailed, made ? Detail("not a directory") : msg(std::strerror(error)), {.file = folder});
  for (const std::string& made_folder : made_) sync_name(made_folder, fsync);
}

FolderForFiles::~FolderForFiles() {
  for (const std::string& folder : made_) os::remove(folder);  // fails for a folder that has files
}

IrPairWriter::IrPairWriter(std::string folder, std::string name, Fsync fsync)
    : folder_(std::move(folder)), name_(std::move(name)), fsync_(fsync) {}

void IrPairWriter::write_xml(std::string_view piece) {
  if (!xml_) {
    made_.emplace(folder_, fsync_);
    xml_.emplace(ir_pair(folder_, name_).xml, fsync_);
  }
  xml_->write(piece);
}

IrPair IrPairWriter::finish(Conversion& conversion, DiskFiles& files) {
  IrPair pair = ir_pair(folder_, name_);
  for (const std::string& target : {pair.xml, pair.bin}) files.refuse_own(target);
  Draft bin(pair.bin, fsync_);
  write_segments(conversion, conversion.segments(), files, bin);
  bin.close();
  xml_->close();
  files.refuse_changed();
  // Of two processes that write the same pair, the later one replaces both files of the other one.
  const os::File alone = os::File::lock_folder(folder_);
  const os::Uninterrupted section;
  OlderXml older(pair.xml, fsync_);
  bin.publish();
  older.drop();
  try {
    bin.sync_name();
    xml_->publish();
    xml_->sync_name();
  } catch (...) {
    if (xml_->is_published()) os::remove(pair.xml);
    os::remove(pair.bin);
    throw;
  }
  return pair;
}

IrPair ir_pair(const std::string& folder, const std::string& name) {
  const std::string absolute = os::absolute(folder);
  return {os::join(absolute, name + ".xml"), os::join(absolute, name + ".bin")};
}

std::string write_side_file(Conversion& conversion, const SideFile& file, DiskFiles& files, const std::string& folder,
                            Fsync fsync) {
  const FolderForFiles made(folder, fsync);
  std::string path = os::join(os::absolute(folder), file.name);
  Draft draft(path, fsync);
  write_segments(conversion, file.segments, files, draft);
  draft.close();
  files.refuse_changed();
  draft.publish();
  draft.sync_name();
  return path;
}

}  // namespace mo
