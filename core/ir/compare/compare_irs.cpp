#include "core/ir/compare/compare_irs.h"

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/ir/compare/compare.h"
#include "core/ir/read/ir_files.h"
#include "core/ir/read/ir_reader.h"

namespace mo {
namespace {

using IrJson = nlohmann::ordered_json;

struct DifferenceRow {
  IrDifferenceKind kind;
  const char *json, *title;
};
constexpr DifferenceRow kDifferenceRows[] = {
#define MO_IR_DIFFERENCE(name, json, title) {IrDifferenceKind::name, json, title},
#include "core/ir/compare/ir_differences.def"
};

/// Differences of a kind in the text.
constexpr size_t kShown = 10;
constexpr uint64_t kComparedPiece = 1 << 20;

IrDocument read_whole(Files& files, const std::string& name) {
  return read_ir(files, name, [](const IrDocument& read, const IrLayer* layer, const Detail& what) {
    throw Error(Code::UnreadableIr, what, layer ? read.place(*layer) : read.text->place(0),
                "verify it: --verify names all that is wrong with it");
  });
}

/// Compares ranges of two .bin.
class BinComparer {
 public:
  BinComparer(Files& files, const IrFile& a, const IrFile& b)
      : files_(files), a_(files.open_given(bin_of(a.name))), b_(files.open_given(bin_of(b.name))) {
    left_ = kInAnyCase + 4 * (files.source(a_).size() + files.source(b_).size());
  }

  bool same(const IrRange& a, const IrRange& b) {
    for (uint64_t at = 0; at < a.size; at += kComparedPiece) {
      const uint64_t size = std::min(kComparedPiece, a.size - at);
      // Constants that overlap may ask for the same bytes again and again.
      if (size > left_)
        throw Error(Code::UnreadableIr, "its constants overlap, so that their contents are much larger than the .bin",
                    {.file = files_.name(a_)});
      left_ -= size;
      in_a_.resize(size), in_b_.resize(size);
      files_.read(a_, a.offset + at, in_a_);
      files_.read(b_, b.offset + at, in_b_);
      if (in_a_ != in_b_) return false;
    }
    return true;
  }

 private:
  static constexpr uint64_t kInAnyCase = 1 << 28;
  Files& files_;
  FileId a_, b_;
  uint64_t left_;  ///< bytes that may be read of each
  std::vector<std::byte> in_a_, in_b_;
};

std::string shown_name(const std::string& file, const IrFile& a, const IrFile& b) {
  for (const IrFile* ir : {&a, &b}) {
    if (file == ir->name) return ir->shown;
    if (file == bin_of(ir->name)) return bin_of(ir->shown);
  }
  return file;
}

std::string of_value(const std::string& text) { return text.empty() ? "-" : text; }

std::string line_of(const IrDifference& difference) {
  const bool is_one = difference.in_a.empty() || difference.in_b.empty() || difference.in_a == difference.in_b;
  std::string out = cat("  ", difference.in_a.empty() ? difference.in_b : difference.in_a);
  if (!is_one) out += cat(" | ", difference.in_b);
  if (difference.kind != IrDifferenceKind::Order) out += cat(" (", difference.type, ")");
  if (!difference.body.empty()) out += cat(" in ", difference.body);
  if (!difference.what.empty()) out += cat(difference.kind == IrDifferenceKind::Order ? "" : " ", difference.what);
  if (difference.kind == IrDifferenceKind::OnlyInA || difference.kind == IrDifferenceKind::OnlyInB) return out;
  return out + cat(": ", of_value(difference.a), " | ", of_value(difference.b));
}

std::string text_of(const IrCompared& compared, const IrFile& a, const IrFile& b, bool contents) {
  const uint64_t common = compared.by_name + compared.by_structure;
  const IrDifferences& differences = compared.differences;
  std::string others;
  if (compared.by_structure > 0) others = cat(", ", compared.by_structure, " of them under other names");
  if (differences.empty())
    return cat(printable(a.shown), " and ", printable(b.shown), ": the same ", common, " operations", others,
               compared.constants == 0
                   ? ""
                   : cat("; ", compared.constants, " constants by ", contents ? "contents" : "place and size"),
               "\n");
  std::string out = cat("A ", printable(a.shown), ": ", compared.operations_a, " operations\nB ", printable(b.shown),
                        ": ", compared.operations_b, " operations\n", common, " are in both", others, "\n");
  for (const DifferenceRow& row : kDifferenceRows) {
    const uint64_t count = differences.count(row.kind);
    if (count == 0) continue;
    out += cat(row.title, ": ", count, "\n");
    const std::vector<IrDifference>& kept = differences.of(row.kind);
    for (size_t i = 0; i < std::min(kept.size(), kShown); ++i) out += cat(printable(line_of(kept[i])), "\n");
    if (count > kShown) out += cat("  and ", count - kShown, " more\n");
  }
  return out;
}

std::string json_of_comparison(const IrCompared& compared, bool contents) {
  IrJson counts = IrJson::object(), list = IrJson::array();
  for (const DifferenceRow& row : kDifferenceRows) {
    if (const uint64_t count = compared.differences.count(row.kind); count > 0) counts[row.json] = count;
    for (const IrDifference& difference : compared.differences.of(row.kind))
      list.push_back({{"kind", row.json},
                      {"names", {difference.in_a, difference.in_b}},
                      {"type", difference.type},
                      {"body", difference.body},
                      {"what", difference.what},
                      {"values", {difference.a, difference.b}}});
  }
  return json_of(IrJson{{"same", compared.differences.empty()},
                        {"contents", contents},
                        {"operations", {compared.operations_a, compared.operations_b}},
                        {"matched", {{"by_name", compared.by_name}, {"by_structure", compared.by_structure}}},
                        {"constants", compared.constants},
                        {"counts", counts},
                        {"differences", list}});
}

}  // namespace

ComparedIrs compare_irs(FileSet& set, const IrFile& a, const IrFile& b, bool contents) {
  ComparedIrs out;
  Diagnostics diagnostics;
  try {
    Files files(set);
    const IrDocument in_a = read_whole(files, a.name), in_b = read_whole(files, b.name);
    IrComparing how;
    std::optional<BinComparer> bins;
    if (contents)
      how.same_bytes = [&](const IrRange& x, const IrRange& y) {
        if (!bins) bins.emplace(files, a, b);
        return bins->same(x, y);
      };
    IrCompared compared = compare(in_a.graph, in_b.graph, how);
    if (in_a.version != in_b.version)
      compared.differences.add({.kind = IrDifferenceKind::Version,
                                .type = "IR",
                                .a = std::to_string(in_a.version),
                                .b = std::to_string(in_b.version)});
    out.is_same = compared.differences.empty();
    out.text = text_of(compared, a, b, contents);
    out.facts = json_of_comparison(compared, contents);
    out.is_readable = true;
  } catch (const Error& error) {
    diagnostics.add(error);
  } catch (const std::bad_alloc&) {
    diagnostics.add(Error(Code::OutOfMemory));
  }
  out.messages = diagnostics.messages();
  for (Message& message : out.messages) message.file = shown_name(message.file, a, b);
  return out;
}

}  // namespace mo
