// Any lines as the arguments of the command, with a small network: an IR, a help text or messages, never a crash, a hang or
// a sanitizer report.

#include "tests/fuzz/bytes_file.h"
#include "tests/fuzz/tf_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::string> arguments(1);
  for (size_t i = 0; i < size; ++i)
    if (data[i] == '\n')
      arguments.emplace_back();
    else
      arguments.back() += static_cast<char>(data[i]);
  const mo::CommandLine line = mo::parse_command_line("mo", arguments);
  mo::fuzz::BytesFiles files;
  files.put("net.pbtxt", reinterpret_cast<const uint8_t*>(mo::fuzz::kNetwork.data()), mo::fuzz::kNetwork.size());
  if (line.action == mo::CommandLine::Action::Convert) mo::fuzz::convert(files, "net.pbtxt", line.options);
  if (line.action == mo::CommandLine::Action::ListTransforms) mo::list_transforms(line.options);
  return 0;
}
