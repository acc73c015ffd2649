#include "core/ir/read/ir_files.h"

#include <set>

#include "core/base/content.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/ir/read/ir_facts.h"
#include "core/ir/read/ir_graph_json.h"
#include "core/ir/read/ir_reader.h"
#include "core/ir/read/spoiled_weights.h"
#include "core/ir/verify/verify.h"
#include "core/ops/op_def.h"

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
  void spoiled(const IrDocument& document, const IrLayer* layer, const Detail& what) {
    if (++warnings_ <= kMostFindings) diagnostics_.warn(Error(Code::SpoiledWeights, what, place(document, layer)));
  }
  void fail(const Error& error) { diagnostics_.add(error); }
  std::vector<Message> messages() {
    if (findings_ > kMostFindings)
      diagnostics_.add(Error(Code::InvalidIr, msg(findings_ - kMostFindings, " findings more")));
    if (warnings_ > kMostFindings)
      diagnostics_.warn(Error(Code::SpoiledWeights, msg(warnings_ - kMostFindings, " findings more")));
    return diagnostics_.messages();
  }

 private:
  static Place place(const IrDocument& document, const IrLayer* layer) {
    return layer ? document.place(*layer) : document.text->place(0);
  }

  Diagnostics diagnostics_;
  int findings_ = 0, warnings_ = 0;
  std::set<std::string> unknown_;
};

/// Reads the integers of small constants: shapes, axes, indices. Without them nothing is known of a Reshape.
class SmallConstants {
 public:
  SmallConstants(Files& files, FileId bin) : files_(files), bin_(bin), size_(files.source(bin).size()) {}

  void read(IrGraph& graph) {
    for (IrLayer& layer : graph.layers) {
      if (layer.type == "Const" && layer.outputs.size() == 1) read(layer);
      for (IrBody& body : layer.bodies) read(body.graph);
    }
  }

 private:
  static constexpr uint64_t kMost = 2 * kMostDimensions;

  void read(IrLayer& layer) {
    const auto text = [&](std::string_view name) {
      const std::string* found = attribute_of(layer, name);
      return found ? std::string_view(*found) : std::string_view();
    };
    const auto place = place_of(layer);
    const auto type = type_of_precision(text("element_type"));
    const auto shape = shape_of_ir(text("shape"));
    if (!type || !is_integer(*type) || bits(*type) < 8 || !shape || !shape->is_static() || !place) return;
    const Interval elements = shape->elements();
    if (elements.min < 1 || elements.min > static_cast<int64_t>(kMost)) return;
    if (place->size != byte_size(*type, static_cast<uint64_t>(elements.min)) || place->offset + place->size > size_)
      return;
    const Constant constant{*type, shape->to_shape(), std::make_shared<SliceContent>(bin_, place->offset, place->size)};
    if (const auto numbers = read_ints(constant, files_, kMost))
      layer.outputs[0].ints = IntTensor{constant.shape, {numbers->begin(), numbers->end()}};
  }

  Files& files_;
  FileId bin_;
  uint64_t size_;
};

IrVerdict verdict_of(Files& files, const std::string& main_file, bool with_graph, Verdict& verdict) {
  IrVerdict out;
  IrDocument document = read_ir(
      files, main_file,
      [&](const IrDocument& read, const IrLayer* layer, const Detail& what) { verdict.wrong(read, layer, what); });
  out.is_readable = true;
  std::optional<uint64_t> bin_size;
  if (const std::string name = bin_of(main_file); files.has(name)) {
    const FileId bin = files.open_given(name);
    bin_size = files.source(bin).size();
    SmallConstants(files, bin).read(document.graph);
  }
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
  find_spoiled_weights(document.graph, net,
                       [&](const IrLayer* layer, const Detail& what) { verdict.spoiled(document, layer, what); });
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
