// Any bytes as a pickle: its values or an error, never a crash, a hang or a sanitizer report. All that a value holds is
// there, too.

#include "core/front/pytorch/load/pickle.h"
#include "tests/fuzz/bytes_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using mo::pytorch::Pickle;
  mo::fuzz::BytesFiles set;
  set.put("data.pkl", data, size);
  try {
    mo::Files files(set);
    mo::Window window(files, files.open("data.pkl"));
    const Pickle pickle(window, 0, window.size(), [](std::string_view global) { return !global.empty(); });
    size_t seen = pickle.text(pickle.root()).size();
    for (const uint32_t index : pickle.items(pickle.root()))
      seen += pickle.text(pickle[index]).size() + pickle.items(pickle[index]).size() + pickle.offset(pickle[index]);
    if (seen == SIZE_MAX) return 1;
  } catch (const mo::Error&) {
  }
  return 0;
}
