// Files and folders of the operating system; each system has a file that does it. Paths are UTF-8, as the user writes
// them on that system. What fails leaves its reason in errno, so that messages are the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mo::os {

/// `name` if it is absolute, else its path in `folder`.
std::string join(const std::string& folder, std::string_view name);
/// Absolute, without "." and "..", which are resolved as texts.
std::string absolute(const std::string& path);
/// Without links, "." and "..". Empty with errno if there is no such file.
std::string real(const std::string& path);
bool is_absolute(std::string_view path);
/// The folder of a path, without a separator behind it; "" if it names none.
std::string folder_of(const std::string& path);
/// The last part of a path, which folder_of() leaves out; "" if the path ends with a separator.
std::string name_of(const std::string& path);

/// Sizes are in bytes. States that differ only in `size` and `changed` are those of one file.
struct FileState {
  enum class Kind { File, Folder, Other };
  Kind kind;
  uint64_t size;
  uint64_t device, id;
  int64_t changed;  ///< when the content or the state last changed, in the system's smallest unit of time
  friend bool operator==(const FileState&, const FileState&) = default;
};

/// A file that is open, of any size; closed at the end.
class File {
 public:
  /// Opens a file, or a folder, to read it. is_open() is false after a failure.
  static File open(const std::string& path);
  /// Creates a file to write it, and locks it until it is closed. Fails with EEXIST for a name that is there, even as a
  /// link, and with EAGAIN if somebody has removed the file at once.
  static File create_new(const std::string& path);
  /// Creates a locked file without a name in a folder, to write it. Not every system and file system can.
  static File create_unnamed(const std::string& folder);
  /// Opens a file, not through a link, and locks it until it is closed.
  static File open_locked(const std::string& path);
  /// Locks a folder against others who call this, in any process, until the file is closed; waits while it is locked.
  /// Not open where the system cannot do that: nothing is locked then.
  static File lock_folder(const std::string& folder);
  /// A new file, to write and read it, that disappears with this process, however that ends.
  static File temporary();
  static File standard_input();
  /// Takes an open file of the system, or -1.
  explicit File(intptr_t handle) : handle_(handle) {}
  File(File&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  File& operator=(File&& other) noexcept;
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return handle_ != -1; }
  std::optional<FileState> state() const;
  /// The same file, open once more.
  File duplicate() const;
  /// A path that opens it again while it is open.
  std::string path_to_open() const;
  /// How many bytes from `offset` on have been read: 0 at the end, -1 with errno.
  ptrdiff_t read_at(uint64_t offset, std::span<std::byte> out) const;
  /// As read_at(), from where the last read has ended.
  ptrdiff_t read(std::span<std::byte> out) const;
  /// Writes all of it, from `offset` on.
  bool write_at(uint64_t offset, std::span<const std::byte> bytes) const;
  /// As write_at(), from where the last write has ended.
  bool write(std::span<const std::byte> bytes) const;
  /// Where the system has the file that is open: absolute, behind links. "" if it does not say.
  std::string real_path() const;
  /// Gives a file of create_unnamed() a name that is free.
  bool give_name(const std::string& path) const;
  /// False with errno if something that was written has not arrived, as far as closing the file would tell.
  bool has_arrived() const;
  /// Waits until all that was written is on the disk. False with errno.
  bool sync() const;
  bool close();

 private:
  intptr_t handle_;
};

/// Whether the standard input is a file, which can be read at any offset.
bool standard_input_is_file();
/// The state of what a path leads to, behind links; nullopt with errno.
std::optional<FileState> state_of(const std::string& path);
bool exists(const std::string& path);
bool is_folder(const std::string& path);
/// Whether both paths lead to the same file.
bool same_file(const std::string& a, const std::string& b);
/// Whether files can be created in an existing folder.
bool can_write_into(const std::string& folder);

/// An entry of a folder. Links count as their targets.
struct Entry {
  std::string name;
  FileState::Kind kind;
  bool is_link;
};
/// The entries of a folder in any order, without "." and ".."; nullopt with errno.
std::optional<std::vector<Entry>> entries_of(const std::string& folder);

/// The names of the entries, without asking what they are; nullopt with errno.
std::optional<std::vector<std::string>> names_in(const std::string& folder);
/// Whether a device, a pipe or the like has this path, which is no link.
bool is_special(const std::string& path);

/// Replaces a file that is at `to`.
bool rename(const std::string& from, const std::string& to);
/// Removes a file or an empty folder.
bool remove(const std::string& path);
/// Removes a file of this user that nobody has locked or, on Windows, open.
void remove_unlocked(const std::string& path);
/// Creates a folder and those above it that are missing.
bool make_folders(const std::string& path);
/// Waits until the names in a folder are on the disk. False with errno; true where a system or a file system cannot do
/// that, or does it with each name.
bool sync_folder(const std::string& folder);
/// 32 hexadecimal digits that nobody can guess.
std::string random_digits();

}  // namespace mo::os
