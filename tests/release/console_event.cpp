// console_event.exe EVENT FOLDER PROGRAM ARGUMENT…: runs a program, and sends it `c` (Ctrl+C) or `break` (Ctrl+Break), or
// closes its console (`close`), once it has an unfinished file in the folder. Its exit code is that of the program.
#include <windows.h>

#include <string>

namespace {

/// As programs take apart: no argument here has a quotation mark or ends with a backslash.
std::wstring quoted(const wchar_t* word) { return L"\"" + std::wstring(word) + L"\" "; }

bool has_draft(const std::wstring& folder) {
  WIN32_FIND_DATAW found;
  const HANDLE search = FindFirstFileW((folder + L"\\*.part").c_str(), &found);
  if (search == INVALID_HANDLE_VALUE) return false;
  FindClose(search);
  return true;
}

bool runs(const PROCESS_INFORMATION& process, DWORD milliseconds) {
  return WaitForSingleObject(process.hProcess, milliseconds) == WAIT_TIMEOUT;
}

}  // namespace

int wmain(int count, wchar_t** words) {
  const std::wstring event = words[1], folder = words[2];
  std::wstring line;
  for (int i = 3; i < count; ++i) line += quoted(words[i]);
  STARTUPINFOW start{};
  start.cb = sizeof start;
  PROCESS_INFORMATION process;
  const DWORD flags = event == L"break" ? CREATE_NEW_PROCESS_GROUP : 0;
  if (!CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr, &start, &process)) return 99;
  while (runs(process, 0) && !has_draft(folder)) Sleep(1);
  if (!runs(process, 0)) return 98;
  // Ctrl+C reaches all that have the console, and this program too.
  SetConsoleCtrlHandler(nullptr, TRUE);
  const BOOL sent = event == L"c" ? GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)
                                  : GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, process.dwProcessId);
  if (!sent) return 97;
  if (runs(process, 60000)) return 96;
  DWORD code = 95;
  GetExitCodeProcess(process.hProcess, &code);
  return static_cast<int>(code);
}
