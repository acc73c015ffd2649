#include <windows.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <list>
#include <mutex>
#include <thread>

#include "core/cli/system/children.h"
#include "core/cli/system/windows.h"

namespace mo::os {
namespace {

constexpr DWORD kStopped = 0xC000013A;  ///< the exit code after Ctrl+C

// What the threads that read share with the one that waits.
std::mutex lock;
std::condition_variable changed;
bool interrupted = false;

BOOL WINAPI note_interruption(DWORD event) {
  {
    const std::lock_guard guard(lock);
    interrupted = true;
    changed.notify_all();
  }
  // After the end of the console the system ends this process as soon as this returns. obey() is earlier.
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) ::Sleep(INFINITE);
  return TRUE;
}

/// A process and the threads that read its standard output and standard error.
struct Child {
  HANDLE process = nullptr;
  DWORD id = 0;
  std::array<std::string, 2> texts = {};
  std::array<std::thread, 2> readers = {};
  int reading = 2;

  void read(HANDLE pipe, std::string& text) {
    char piece[1 << 16];
    for (DWORD got = 0; ::ReadFile(pipe, piece, sizeof piece, &got, nullptr) && got > 0;) text.append(piece, got);
    ::CloseHandle(pipe);
    const std::lock_guard guard(lock);
    --reading;
    changed.notify_all();
  }

  Children::Ended end() {
    for (std::thread& reader : readers) reader.join();
    ::WaitForSingleObject(process, INFINITE);
    DWORD code = 0;
    ::GetExitCodeProcess(process, &code);
    ::CloseHandle(process);
    const std::string reason = code > DWORD{kLastCode} ? "exit code " + std::to_string(code) : std::string();
    return {id, static_cast<int>(code), reason, std::move(texts[0]), std::move(texts[1])};
  }
};

/// A pipe whose one end a child gets.
struct Pipe {
  HANDLE ours = nullptr, childs = nullptr;

  bool create() {
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    return ::CreatePipe(&ours, &childs, &inherited, 0) && ::SetHandleInformation(ours, HANDLE_FLAG_INHERIT, 0);
  }
};

std::wstring own_file() {
  std::wstring path(32768, L'\0');
  path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

}  // namespace

struct Children::Impl {
  HANDLE job = ::CreateJobObjectW(nullptr, nullptr);  ///< its processes end when it is closed, with this process
  std::list<Child> running;

  Impl() {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  }
  ~Impl() { ::CloseHandle(job); }

  bool launch(Child& child, HANDLE out, HANDLE err) {
    STARTUPINFOW start{};
    start.cb = sizeof start;
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = ::GetStdHandle(STD_INPUT_HANDLE);
    start.hStdOutput = out;
    start.hStdError = err;
    PROCESS_INFORMATION started;
    std::wstring line = ::GetCommandLineW();
    if (!::CreateProcessW(own_file().c_str(), line.data(), nullptr, nullptr, TRUE, CREATE_SUSPENDED, nullptr, nullptr,
                          &start, &started))
      return false;
    ::AssignProcessToJobObject(job, started.hProcess);
    ::ResumeThread(started.hThread);
    ::CloseHandle(started.hThread);
    child.process = started.hProcess;
    child.id = started.dwProcessId;
    return true;
  }
};

Children::Children() : impl_(std::make_unique<Impl>()) { ::SetConsoleCtrlHandler(note_interruption, TRUE); }

Children::~Children() { stop(); }

int64_t Children::start(const std::string& variable, const std::string& value) {
  Pipe out, err;
  Child& child = impl_->running.emplace_back();
  ::SetEnvironmentVariableW(wide(variable).c_str(), wide(value).c_str());
  const bool started = out.create() && err.create() && impl_->launch(child, out.childs, err.childs);
  if (!started) set_errno();
  ::SetEnvironmentVariableW(wide(variable).c_str(), nullptr);
  for (const HANDLE end : {out.childs, err.childs})
    if (end) ::CloseHandle(end);
  if (started) {
    child.readers[0] = std::thread([&child, pipe = out.ours] { child.read(pipe, child.texts[0]); });
    child.readers[1] = std::thread([&child, pipe = err.ours] { child.read(pipe, child.texts[1]); });
    return child.id;
  }
  for (const HANDLE end : {out.ours, err.ours})
    if (end) ::CloseHandle(end);
  impl_->running.pop_back();
  return -1;
}

std::optional<Children::Ended> Children::wait() {
  std::unique_lock guard(lock);
  for (;;) {
    const auto silent = std::find_if(impl_->running.begin(), impl_->running.end(),
                                     [](const Child& child) { return child.reading == 0; });
    if (silent != impl_->running.end()) {
      guard.unlock();
      Ended ended = silent->end();
      impl_->running.erase(silent);
      return ended;
    }
    if (interrupted) return std::nullopt;
    changed.wait(guard);
  }
}

void Children::stop() {
  for (const Child& child : impl_->running) ::TerminateProcess(child.process, kStopped);
  for (Child& child : impl_->running) child.end();
  impl_->running.clear();
}

void Children::obey() { ::ExitProcess(kStopped); }

}  // namespace mo::os
