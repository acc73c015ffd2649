#include <windows.h>

#include <array>
#include <cstring>
#include <mutex>

#include "core/cli/system/files.h"
#include "core/cli/system/leftovers.h"

namespace mo::os {
namespace {

constexpr size_t kPlaces = 64, kNone = kPlaces;

// Handlers run in threads of their own. Whoever has this writes no file that the other one does not know.
std::recursive_mutex& turn() {
  static std::recursive_mutex& mutex = *new std::recursive_mutex;  // it outlives everything
  return mutex;
}
std::array<std::string, kPlaces> unfinished;

/// Ctrl+C, Ctrl+Break, and the end of the console, of the session or of the system.
BOOL WINAPI obey(DWORD) {
  turn().lock();  // for good: the system's handler, which is next, ends this process
  remove_leftovers();
  return FALSE;
}

size_t take_place(const std::string& path) {
  const Uninterrupted section;
  static const BOOL set = ::SetConsoleCtrlHandler(obey, TRUE);
  static_cast<void>(set);
  for (size_t place = 0; place < kPlaces; ++place) {
    if (!unfinished[place].empty()) continue;
    unfinished[place] = path;
    return place;
  }
  return kNone;
}

}  // namespace

Leftover::Leftover(const std::string& path) : place_(take_place(path)) {}
Leftover::~Leftover() {
  const Uninterrupted section;
  if (place_ != kNone) unfinished[place_].clear();
}

Uninterrupted::Uninterrupted() { turn().lock(); }
Uninterrupted::~Uninterrupted() { turn().unlock(); }

void remove_leftovers() {
  for (size_t place = kPlaces; place-- > 0;)
    if (!unfinished[place].empty()) remove(unfinished[place]);
}

void end_at_once(const char* message, int code) {
  DWORD put = 0;
  ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), message, static_cast<DWORD>(std::strlen(message)), &put, nullptr);
  try {
    remove_leftovers();
  } catch (...) {
    // There is no memory for a path.
  }
  ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(code));
  for (;;) ::Sleep(INFINITE);
}

}  // namespace mo::os
