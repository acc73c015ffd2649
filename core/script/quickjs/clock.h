// How long the current call of an extension may still take.
#pragma once

#include <chrono>

namespace mo::js {

struct Clock {
  using Time = std::chrono::steady_clock;

  /// A call by the core. A call inside of another has what is left of that one's time.
  struct Call {
    Call();
    ~Call();
  };

  /// Asked by QuickJS from time to time; it ends the call if that is true.
  bool over() {
    stopped = stopped || (calls > 0 && Time::now() > end);
    return stopped;
  }

  std::chrono::milliseconds limit;
  Time::time_point end = {};
  int calls = 0;
  bool stopped = false;
};

Clock& clock();

inline Clock::Call::Call() {
  if (clock().calls++ == 0) clock().end = Time::now() + clock().limit;
}
inline Clock::Call::~Call() { --clock().calls; }

}  // namespace mo::js
