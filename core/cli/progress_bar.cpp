#include "core/cli/progress_bar.h"

#include <cstdio>

#include "core/cli/columns.h"

namespace mo {
namespace {

/// A longer line would be two, which are not drawn over.
constexpr size_t kBarColumns = 79;

/// Of the line that is drawn now; 0 if there is none.
size_t drawn_columns = 0;

/// The end of `text`, with dots in place of what does not fit.
std::string fitting(std::string_view text, size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  constexpr std::string_view dots = "...";
  while (!text.empty() && (columns_of(text) > columns - dots.size() || (text[0] & 0xC0) == 0x80)) text.remove_prefix(1);
  return std::string(dots).append(text);
}

std::string bar_of(double part) {
  char text[80];
  const std::string bar(static_cast<size_t>(part * 20), '.');
  std::snprintf(text, sizeof text, "Progress: [%-20s]%7.2f%% done", bar.c_str(), part * 100);
  return text;
}

void draw(double part, std::string_view what) {
  std::string text = bar_of(part);
  if (!what.empty()) text += ", ", text += fitting(what, kBarColumns - text.size());
  const size_t columns = columns_of(text);
  std::fprintf(stderr, "\r%s%*s", text.c_str(), drawn_columns > columns ? static_cast<int>(drawn_columns - columns) : 0,
               "");
  drawn_columns = columns;
  if (part == 1 && what.empty()) std::fputc('\n', stderr), drawn_columns = 0;
  std::fflush(stderr);
}

void write_line(double part, std::string_view what) {
  std::fprintf(stderr, "%s%s%.*s\n", bar_of(part).c_str(), what.empty() ? "" : ", ", static_cast<int>(what.size()),
               what.data());
}

}  // namespace

void ProgressBar::show(double part, std::string_view what) {
  if (kind_ == Kind::Drawn) return draw(part, what);
  const int tenths = static_cast<int>(part * 10);
  if (kind_ == Kind::Steps) return write_line(part, what);
  if (tenths > tenths_) write_line((tenths_ = tenths) / 10.0, what);
}

void ProgressBar::show_line(double part, std::string_view what) {
  kind_ == Kind::Drawn ? draw(part, what) : write_line(part, what);
}

void ProgressBar::erase() {
  if (drawn_columns == 0) return;
  std::fprintf(stderr, "\r%*s\r", static_cast<int>(drawn_columns), "");
  std::fflush(stderr);
  drawn_columns = 0;
}

}  // namespace mo
