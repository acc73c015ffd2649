// The memory of the engine: counted, and limited.
#pragma once

#include <quickjs.h>

#include <cstddef>

namespace mo::js {

class Memory {
 public:
  explicit Memory(size_t limit) : limit_(limit) {}

  /// The functions for a runtime whose opaque is a Memory.
  static const JSMallocFunctions& functions();

  /// Whether more than the limit was asked for.
  bool exhausted() const { return exhausted_; }
  /// Counts text that goes to the converter, which may keep it, for the rest of the conversion. False beyond the limit.
  bool hand_over(size_t size);
  /// Raises the limit, so that the message can be made.
  void go_on() {
    limit_ += kReserve;
    exhausted_ = false;
  }

 private:
  /// What is still given beyond the limit, until QuickJS asks whether it has to stop.
  static constexpr size_t kReserve = size_t{16} << 20;

  bool admit(size_t size);
  /// Counts what malloc and its relatives have given.
  void* counted(void* block);
  void forget(void* block);

  size_t limit_;
  size_t used_ = 0;
  bool exhausted_ = false;
};

}  // namespace mo::js
