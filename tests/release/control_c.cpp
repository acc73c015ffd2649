// control_c.exe FOLDER PROGRAM ARGUMENT…: runs a program in its own console, and sends it Ctrl+C once it has an
// unfinished file in the folder. Its exit code is that of the program.
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

BOOL WINAPI ignore(DWORD) { return TRUE; }

}  // namespace

int wmain(int count, wchar_t** words) {
  const std::wstring folder = words[1];
  std::wstring line;
  for (int i = 2; i < count; ++i) line += quoted(words[i]);
  STARTUPINFOW start{};
  start.cb = sizeof start;
  PROCESS_INFORMATION process;
  if (!CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &start, &process)) return 99;
  while (runs(process, 0) && !has_draft(folder)) Sleep(1);
  if (!runs(process, 0)) return 98;
  // The event reaches all that have the console, and this program too.
  SetConsoleCtrlHandler(ignore, TRUE);
  if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) return 97;
  if (runs(process, 60000)) return 96;
  DWORD code = 94;
  GetExitCodeProcess(process.hProcess, &code);
  return static_cast<int>(code);
}
