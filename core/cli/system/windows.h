// What the files for Windows share: texts in its form, and its errors as those of C.
#pragma once

#include <string>
#include <string_view>

namespace mo::os {

std::wstring wide(std::string_view utf8);
std::string utf8(std::wstring_view wide);
/// Sets errno to what GetLastError() means.
void set_errno();

}  // namespace mo::os
