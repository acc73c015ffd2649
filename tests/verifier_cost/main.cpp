// mo_verifier_cost MODEL: how long a conversion takes without its .bin, and how long the check of what it writes does:
// the least of seven turns, in seconds.

#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>

#include "core/base/memory_file.h"
#include "core/cli/disk_files.h"
#include "core/cli/system/files.h"
#include "core/ir/read/ir_reader.h"

namespace {

template <typename Work>
double seconds_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace mo;
  if (argc != 2) return std::fprintf(stderr, "usage: mo_verifier_cost MODEL\n"), 2;
  const std::string path = os::absolute(argv[1]);
  double converting = std::numeric_limits<double>::max(), verifying = converting;
  int findings = 0;
  for (int turn = 0; turn < 7; ++turn) {
    DiskFiles files(os::folder_of(path));
    std::unique_ptr<Conversion> conversion;
    const std::vector<OptionText> options = {{"compress_to_fp16", "False"}};
    converting = std::min(converting, seconds_of([&] { conversion = convert(files, os::name_of(path), options); }));
    if (!conversion->ok()) return std::fprintf(stderr, "%s does not convert\n", argv[1]), 1;
    const std::string& xml = conversion->xml();
    MemoryFile text(std::as_bytes(std::span(xml.data(), xml.size())));
    Files written(text);
    const IrDocument ir = read_ir(written, "m.xml", [](const IrDocument&, const IrLayer*, const Detail&) {});
    const IrChecks checks{.wrong = [&](const IrLayer*, const Detail&) { ++findings; }};
    verifying = std::min(verifying, seconds_of([&] {
                           IrVerifier verifier(checks);
                           for (const IrLayer& layer : ir.graph.layers) verifier.add(layer);
                           for (const IrEdge& edge : ir.graph.edges) verifier.add(edge);
                           verifier.finish();
                         }));
  }
  std::printf("{\"convert\": %.6f, \"verify\": %.6f, \"findings\": %d}\n", converting, verifying, findings);
  return findings == 0 ? 0 : 1;
}
