// clang-format off: the others need this one.
#include <windows.h>
// clang-format on

#include <fcntl.h>
#include <io.h>
#include <psapi.h>
#include <shellapi.h>
#include <tlhelp32.h>

#include <cstdio>
#include <cstdlib>

#include "core/cli/system/program.h"
#include "core/cli/system/windows.h"

namespace mo::os {
namespace {

UINT console_before = 0;

/// The console takes UTF-8 while this program runs.
void show_utf8() {
  console_before = ::GetConsoleOutputCP();
  if (console_before == 0) return;  // there is no console
  ::SetConsoleOutputCP(CP_UTF8);
  std::atexit([] { ::SetConsoleOutputCP(console_before); });
}

}  // namespace

std::vector<std::string> arguments_of_main(int, char**) {
  ::_setmode(::_fileno(stdout), _O_BINARY);  // a line ends with "\n", as on other systems
  ::_setmode(::_fileno(stderr), _O_BINARY);
  show_utf8();
  int count = 0;
  LPWSTR* words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  std::vector<std::string> arguments;
  for (int i = 0; i < count; ++i) arguments.push_back(utf8(words[i]));
  ::LocalFree(words);
  if (arguments.empty()) arguments = {"mo"};
  return arguments;
}

std::optional<std::string> environment(const char* name) {
  const std::wstring variable = wide(name);
  ::SetLastError(ERROR_SUCCESS);
  std::wstring value(::GetEnvironmentVariableW(variable.c_str(), nullptr, 0), L'\0');
  if (value.empty() && ::GetLastError() == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
  value.resize(::GetEnvironmentVariableW(variable.c_str(), value.data(), static_cast<DWORD>(value.size())));
  return utf8(value);
}

int64_t process_id() { return ::GetCurrentProcessId(); }

int64_t parent_id() {
  const HANDLE processes = ::CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  if (processes == INVALID_HANDLE_VALUE) return -1;
  PROCESSENTRY32W entry{};
  entry.dwSize = sizeof entry;
  int64_t parent = -1;
  for (BOOL there = ::Process32FirstW(processes, &entry); there; there = ::Process32NextW(processes, &entry))
    if (entry.th32ProcessID == ::GetCurrentProcessId()) parent = entry.th32ParentProcessID;
  ::CloseHandle(processes);
  return parent;
}

bool errors_are_seen() { return ::_isatty(::_fileno(stderr)) != 0; }

int64_t peak_memory() {
  PROCESS_MEMORY_COUNTERS used{};
  ::K32GetProcessMemoryInfo(::GetCurrentProcess(), &used, sizeof used);
  return static_cast<int64_t>(used.PeakWorkingSetSize >> 20);
}

}  // namespace mo::os
