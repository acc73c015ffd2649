#include "core/ir/read/ir_files.h"

#include <set>

#include "core/base/json_text.h"
#include "core/ir/read/ir_facts.h"
#include "core/ir/read/ir_graph_json.h"
#include "core/ir/read/ir_reader.h"

namespace mo {
namespace {

constexpr int kMostFindings = 100;

/// Collects messages; further findings are counted.
class Verdict {
 public:
  void wrong(const IrDocument& document, const IrLayer* layer, const Detail& what) {
    if (++findings_ <= kMostFindings) diagnostics_.add(Error(Code::InvalidIr, what, place(document, layer)));
  }
  void unknown(const IrDocument& document, const IrLayer* layer, const Detail& what) {
    if (unknown_.insert(what.text()).second)
      diagnostics_.warn(Error(Code::UnknownIrOperation, what, place(document, layer)));
  }
  void fail(const Error& error) { diagnostics_.add(error); }
  std::vector<Message> messages() {
    if (findings_ > kMostFindings)
      diagnostics_.add(Error(Code::InvalidIr, msg(findings_ - kMostFindings, " findings more")));
    return diagnostics_.messages();
  }

 private:
  static Place place(const IrDocument& document, const IrLayer* layer) {
    return layer ? document.place(*layer) : document.text->place(0);
  }

  Diagnostics diagnostics_;
  int findings_ = 0;
  std::set<std::string> unknown_;
};

IrVerdict verdict_of(Files& files, const std::string& main_file, bool with_graph, Verdict& verdict) {
  IrVerdict out;
  const IrDocument document = read_ir(
      files, main_file,
      [&](const IrDocument& read, const IrLayer* layer, const Detail& what) { verdict.wrong(read, layer, what); });
  out.is_readable = true;
  std::optional<uint64_t> bin_size;
  if (const std::string bin = bin_of(main_file); files.has(bin)) bin_size = files.source(files.open_given(bin)).size();
  IrTypeNumbers types;
  const IrNet net(document.graph, types);
  const auto facts = ir_facts(document, net, bin_size);
  out.facts = json_of(facts);
  if (with_graph) out.graph = ir_graph_json(document, net);
  if (!bin_size && facts["constants"] > 0)
    verdict.wrong(document, nullptr, msg("its constants are in ", bin_of(main_file), ", which is not there"));
  verify(document.graph,
         {.bin_size = bin_size,
          .wrong = [&](const IrLayer* layer, const Detail& what) { verdict.wrong(document, layer, what); },
          .unknown = [&](const IrLayer* layer, const Detail& what) { verdict.unknown(document, layer, what); },
          .ignored = [&](const IrLayer* layer, const Detail& what) { verdict.wrong(document, layer, what); }});
  return out;
}

}  // namespace

std::string bin_of(std::string_view xml) {
  const std::string_view stem = xml.ends_with(".xml") ? xml.substr(0, xml.size() - 4) : xml;
  return cat(stem, ".bin");
}

std::vector<std::string> list_irs(FileSet& set) {
  std::vector<std::string> out;
  try {
    for (std::string& name : Files(set).list("", 1'000'000))
      if (name.ends_with(".xml")) out.push_back(std::move(name));
  } catch (const Error&) {
    return {};
  }
  return out;
}

IrVerdict verify_ir(FileSet& set, const std::string& main_file, bool with_graph) {
  IrVerdict out;
  Verdict verdict;
  try {
    Files files(set);
    out = verdict_of(files, main_file, with_graph, verdict);
  } catch (const Error& error) {
    verdict.fail(error);
  } catch (const std::bad_alloc&) {
    verdict.fail(Error(Code::OutOfMemory));
  }
  out.messages = verdict.messages();
  return out;
}

}  // namespace mo
