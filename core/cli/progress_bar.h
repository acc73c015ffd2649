// How far the command has come, on the standard error.
#pragma once

#include <string>
#include <string_view>

namespace mo {

class ProgressBar {
 public:
  /// One line that is drawn over the last one; a line for each tenth; a line for each step.
  enum class Kind { None, Drawn, Tenths, Steps };
  explicit ProgressBar(Kind kind) : kind_(kind) {}

  /// `part` is from 0 to 1; `what` stands behind it.
  void show(double part, std::string_view what = {});
  /// Shows it as a line of its own if it is not drawn.
  void show_line(double part, std::string_view what);
  /// The next model begins.
  void begin() { tenths_ = 0; }
  /// Removes a line that is drawn and not complete: other lines come in its place.
  static void erase();

 private:
  Kind kind_;
  int tenths_ = 0;
};

}  // namespace mo
