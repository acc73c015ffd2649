#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/cli/system/files.h"
#include "core/cli/system/windows.h"

namespace mo::os {
namespace {

HANDLE handle_of(intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

bool is_separator(char c) { return c == '/' || c == '\\'; }

/// How much of a path is the drive or the share, with the separator behind it: "C:\", "\\server\share\".
size_t root_size(std::string_view path) {
  if (path.size() >= 2 && is_separator(path[0]) && is_separator(path[1])) {
    const size_t share = path.find_first_of("/\\", std::min(path.find_first_of("/\\", 2), path.size() - 1) + 1);
    return share == std::string_view::npos ? path.size() : share + 1;
  }
  const size_t drive = path.size() >= 2 && path[1] == ':' ? 2 : 0;
  return drive < path.size() && is_separator(path[drive]) ? drive + 1 : drive;
}

std::wstring full_path(const std::string& path) {
  const std::wstring given = wide(path);
  std::wstring full(MAX_PATH, L'\0');
  for (;;) {
    const DWORD size = ::GetFullPathNameW(given.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr);
    if (size == 0) return given;
    const bool fits = size < full.size();
    full.resize(size);
    if (fits) return full;
  }
}

/// In the form in which a path may have more than 260 characters, and no name is that of a device.
std::wstring long_path(const std::string& path) {
  std::wstring full = full_path(path);
  if (full.starts_with(LR"(\\?\)") || full.starts_with(LR"(\\.\)")) return full;
  return full.starts_with(LR"(\\)") ? LR"(\\?\UNC)" + full.substr(1) : LR"(\\?\)" + full;
}

FileState::Kind kind_from(DWORD attributes) {
  return attributes & FILE_ATTRIBUTE_DIRECTORY ? FileState::Kind::Folder : FileState::Kind::File;
}

/// A handle of CreateFile(), or -1.
intptr_t opened(const std::string& path, DWORD access, DWORD sharing, DWORD creation) {
  const HANDLE handle = ::CreateFileW(long_path(path).c_str(), access, sharing, nullptr, creation,
                                      FILE_FLAG_BACKUP_SEMANTICS, nullptr);  // opens folders, too
  if (handle == INVALID_HANDLE_VALUE) set_errno();
  return reinterpret_cast<intptr_t>(handle);
}

File duplicate_of(HANDLE handle) {
  HANDLE own = INVALID_HANDLE_VALUE;
  const HANDLE process = ::GetCurrentProcess();
  if (!::DuplicateHandle(process, handle, process, &own, 0, FALSE, DUPLICATE_SAME_ACCESS))
    set_errno(), own = INVALID_HANDLE_VALUE;
  return File(reinterpret_cast<intptr_t>(own));
}

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

bool succeeded(BOOL result) {
  if (!result) set_errno();
  return result;
}

OVERLAPPED place_of(uint64_t offset) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

}  // namespace

std::string join(const std::string& folder, std::string_view name) {
  if (folder.empty() || is_absolute(name) || root_size(name) > 0) return std::string(name);
  return folder + (is_separator(folder.back()) ? "" : "\\") + std::string(name);
}

std::string absolute(const std::string& path) { return utf8(full_path(path)); }

std::string real(const std::string& path) {
  const File file = File::open(path);
  return file.is_open() ? absolute(path) : std::string();
}

bool is_absolute(std::string_view path) {
  const size_t root = root_size(path);
  return root > 2 || (root > 0 && is_separator(path[root - 1]));
}

std::string folder_of(const std::string& path) {
  const size_t root = root_size(path), last = path.find_last_of("/\\");
  if (last == std::string::npos || last < root) return path.substr(0, root);
  return path.substr(0, last);
}

std::string name_of(const std::string& path) {
  const size_t last = path.find_last_of("/\\");
  return path.substr(std::max(root_size(path), last == std::string::npos ? 0 : last + 1));
}

File File::open(const std::string& path) { return File(opened(path, GENERIC_READ, kShareAll, OPEN_EXISTING)); }

// Shared for deleting, so that it can be renamed while it is open: nobody else can open it alone until then.
File File::create_new(const std::string& path) {
  return File(opened(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, CREATE_NEW));
}

File File::create_unnamed(const std::string&) {
  errno = ENOSYS;
  return File(-1);
}

File File::open_locked(const std::string& path) { return open(path); }

// Folders have no locks. A file that nobody else may open, and that disappears with its process, is one. While it
// disappears, the system denies access to it, as it does for good in a folder into which nothing can be written.
File File::lock_folder(const std::string& folder) {
  const std::wstring path = long_path(join(folder, "mo-lock"));
  const DWORD flags = FILE_ATTRIBUTE_TEMPORARY | FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE;
  for (int denied = 0; denied < 1000;) {
    const HANDLE handle = ::CreateFileW(path.c_str(), DELETE, 0, nullptr, OPEN_ALWAYS, flags, nullptr);
    if (handle != INVALID_HANDLE_VALUE) return File(reinterpret_cast<intptr_t>(handle));
    const DWORD error = ::GetLastError();
    if (error == ERROR_ACCESS_DENIED) ++denied;
    if (error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION) break;
    ::Sleep(1);
  }
  return File(-1);
}

File File::temporary() {
  wchar_t folder[MAX_PATH + 1];
  if (::GetTempPathW(MAX_PATH + 1, folder) == 0) return set_errno(), File(-1);
  const std::string path = join(utf8(folder), "mo-" + random_digits());
  const DWORD access = GENERIC_READ | GENERIC_WRITE | DELETE;
  const DWORD flags = FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE;
  const HANDLE handle = ::CreateFileW(long_path(path).c_str(), access, kShareAll, nullptr, CREATE_NEW, flags, nullptr);
  if (handle == INVALID_HANDLE_VALUE) set_errno();
  return File(reinterpret_cast<intptr_t>(handle));
}

File File::standard_input() { return duplicate_of(::GetStdHandle(STD_INPUT_HANDLE)); }
File File::duplicate() const { return duplicate_of(handle_of(handle_)); }
std::string File::path_to_open() const { return real_path(); }

std::optional<FileState> File::state() const {
  const HANDLE file = handle_of(handle_);
  if (::GetFileType(file) != FILE_TYPE_DISK) return FileState{.kind = FileState::Kind::Other};
  BY_HANDLE_FILE_INFORMATION found;
  FILE_BASIC_INFO times;
  if (!::GetFileInformationByHandle(file, &found) ||
      !::GetFileInformationByHandleEx(file, FileBasicInfo, &times, sizeof times)) {
    set_errno();
    return std::nullopt;
  }
  return FileState{.kind = kind_from(found.dwFileAttributes),
                   .size = uint64_t{found.nFileSizeHigh} << 32 | found.nFileSizeLow,
                   .device = found.dwVolumeSerialNumber,
                   .id = uint64_t{found.nFileIndexHigh} << 32 | found.nFileIndexLow,
                   .changed = times.ChangeTime.QuadPart};
}

ptrdiff_t File::read_at(uint64_t offset, std::span<std::byte> out) const {
  OVERLAPPED place = place_of(offset);
  DWORD got = 0;
  const auto size = static_cast<DWORD>(std::min<size_t>(out.size(), 1 << 30));
  if (::ReadFile(handle_of(handle_), out.data(), size, &got, &place)) return got;
  return ::GetLastError() == ERROR_HANDLE_EOF ? 0 : (set_errno(), -1);
}

ptrdiff_t File::read(std::span<std::byte> out) const {
  DWORD got = 0;
  const auto size = static_cast<DWORD>(std::min<size_t>(out.size(), 1 << 30));
  if (::ReadFile(handle_of(handle_), out.data(), size, &got, nullptr)) return got;
  return ::GetLastError() == ERROR_BROKEN_PIPE ? 0 : (set_errno(), -1);  // the pipe's writer has ended
}

bool File::write_at(uint64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    OVERLAPPED place = place_of(offset);
    DWORD put = 0;
    const auto size = static_cast<DWORD>(std::min<size_t>(bytes.size(), 1 << 30));
    if (!succeeded(::WriteFile(handle_of(handle_), bytes.data(), size, &put, &place))) return false;
    offset += put;
    bytes = bytes.subspan(put);
  }
  return true;
}

bool File::write(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    DWORD put = 0;
    const auto size = static_cast<DWORD>(std::min<size_t>(bytes.size(), 1 << 30));
    if (!succeeded(::WriteFile(handle_of(handle_), bytes.data(), size, &put, nullptr))) return false;
    bytes = bytes.subspan(put);
  }
  return true;
}

std::string File::real_path() const {
  std::wstring path(32768, L'\0');
  const DWORD size = ::GetFinalPathNameByHandleW(handle_of(handle_), path.data(), static_cast<DWORD>(path.size()), 0);
  path.resize(size < path.size() ? size : 0);
  return utf8(path);
}

bool File::give_name(const std::string&) const {
  errno = ENOSYS;
  return false;
}

bool File::has_arrived() const { return true; }
bool File::sync() const { return succeeded(::FlushFileBuffers(handle_of(handle_))); }

bool File::close() {
  const intptr_t handle = std::exchange(handle_, -1);
  return handle == -1 || succeeded(::CloseHandle(handle_of(handle)));
}

std::optional<FileState> state_of(const std::string& path) {
  const File file(opened(path, FILE_READ_ATTRIBUTES, kShareAll, OPEN_EXISTING));
  return file.is_open() ? file.state() : std::nullopt;
}

bool standard_input_is_file() { return false; }

bool can_write_into(const std::string& folder) {
  return File(opened(folder, FILE_ADD_FILE, kShareAll, OPEN_EXISTING)).is_open();
}

std::optional<std::vector<Entry>> entries_of(const std::string& folder) {
  WIN32_FIND_DATAW found;
  const std::wstring pattern = long_path(join(folder.empty() ? "." : folder, "*"));
  const HANDLE search = ::FindFirstFileExW(pattern.c_str(), FindExInfoBasic, &found, FindExSearchNameMatch, nullptr, 0);
  if (search == INVALID_HANDLE_VALUE) {
    set_errno();
    return std::nullopt;
  }
  std::vector<Entry> entries;
  do {
    const std::wstring_view name = found.cFileName;
    if (name != L"." && name != L"..")
      entries.push_back({utf8(name), kind_from(found.dwFileAttributes),
                         (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0});
  } while (::FindNextFileW(search, &found));
  const bool all = ::GetLastError() == ERROR_NO_MORE_FILES;
  if (!all) set_errno();
  ::FindClose(search);
  if (!all) return std::nullopt;
  return entries;
}

std::optional<std::vector<std::string>> names_in(const std::string& folder) {
  const std::optional<std::vector<Entry>> entries = entries_of(folder);
  if (!entries) return std::nullopt;
  std::vector<std::string> names;
  for (const Entry& entry : *entries) names.push_back(entry.name);
  return names;
}

bool is_special(const std::string&) { return false; }  // files have names of their own

bool rename(const std::string& from, const std::string& to) {
  return succeeded(::MoveFileExW(long_path(from).c_str(), long_path(to).c_str(), MOVEFILE_REPLACE_EXISTING));
}

bool remove(const std::string& path) {
  const std::wstring name = long_path(path);
  return ::DeleteFileW(name.c_str()) || succeeded(::RemoveDirectoryW(name.c_str()));
}

// It can be opened alone only if nobody has it open.
void remove_unlocked(const std::string& path) {
  const std::wstring name = long_path(path);
  const DWORD flags = FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_DELETE_ON_CLOSE;  // no folder, and no link's target
  const HANDLE handle = ::CreateFileW(name.c_str(), GENERIC_READ | DELETE, 0, nullptr, OPEN_EXISTING, flags, nullptr);
  if (handle != INVALID_HANDLE_VALUE) ::CloseHandle(handle);
}

bool sync_folder(const std::string&) { return true; }  // names are in the file system's journal, in their order

bool make_folders(const std::string& path) {
  if (is_folder(path)) return true;
  const std::string full = absolute(path), above = folder_of(full);
  if (above.size() > root_size(full) && !make_folders(above)) return false;
  return ::CreateDirectoryW(long_path(full).c_str(), nullptr) || ::GetLastError() == ERROR_ALREADY_EXISTS ||
         succeeded(FALSE);
}

}  // namespace mo::os
