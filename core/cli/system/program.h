// This program as a process of the operating system; each system has a file that does it. Texts are UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mo::os {

/// The words of the command line, the program first, from what main() gets. What is printed from then on arrives
/// unchanged, as UTF-8.
std::vector<std::string> arguments_of_main(int argc, char** argv);
std::optional<std::string> environment(const char* name);
int64_t process_id();
int64_t parent_id();
/// Whether the standard error is a terminal.
bool errors_are_seen();
/// The most memory that this process has had, in MB.
int64_t peak_memory();

}  // namespace mo::os
