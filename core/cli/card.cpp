#include "core/cli/card.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cli/columns.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

constexpr size_t kCardColumns = 80, kCardIndent = 16, kMostNodes = 20;

/// "14.2 MB". Only whole numbers, so that each host rounds alike.
std::string bytes_text(uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"KB", "MB", "GB", "TB"};
  if (bytes < 1000) return cat(bytes, " bytes");
  size_t power = 0;
  uint64_t unit = 1000;
  for (; power + 1 < std::size(kUnits) && bytes / unit >= 1000; ++power) unit *= 1000;
  if (bytes / unit >= 100) return cat((bytes + unit / 2) / unit, " ", kUnits[power]);
  const uint64_t tenths = (bytes + unit / 20) / (unit / 10);
  return cat(tenths / 10, ".", tenths % 10, " ", kUnits[power]);
}

std::string text_of(const Json& facts, const char* name) { return printable(facts[name].get<std::string>()); }

/// `items` behind a label, separated by commas, in lines that are not too long.
void append(std::string& out, std::string_view label, const Texts& items) {
  if (items.empty()) return;
  out += label;
  out.append(kCardIndent - label.size(), ' ');
  size_t at = kCardIndent;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string item = i + 1 < items.size() ? items[i] + "," : items[i];
    const size_t columns = columns_of(item);
    if (i > 0 && at + 1 + columns > kCardColumns) {
      out += "\n" + std::string(kCardIndent, ' ');
      at = kCardIndent;
    } else if (i > 0) {
      out += ' ';
      ++at;
    }
    out += item;
    at += columns;
  }
  out += '\n';
}

void append(std::string& out, std::string_view label, const std::string& text) {
  if (!text.empty()) append(out, label, Texts{text});
}

/// A line for each input or output.
void append_ports(std::string& out, std::string_view label, const Json& ports) {
  for (const Json& port : ports) {
    std::string text = text_of(port, "name");
    for (const char* fact : {"shape", "type"})
      if (port.contains(fact)) text += " " + text_of(port, fact);
    append(out, label, text);
    label = "";
  }
}

/// How pictures are prepared, as a file beside the model says; values of options as they are written.
Texts preparation_of(const Json& facts) {
  Texts out;
  if (!facts.contains("preparation")) return out;
  constexpr const char* kParts[][2] = {{"file", ""},
                                       {"model", ""},
                                       {"mean_values", "--mean_values "},
                                       {"scale_values", "--scale_values "},
                                       {"colours", ""},
                                       {"order", "order "},
                                       {"size", "size "},
                                       {"dictionary", "dictionary "}};
  for (const auto& [name, label] : kParts)
    if (const std::string text = text_of(facts["preparation"], name); !text.empty()) out.push_back(label + text);
  return out;
}

/// Of the .bin with each --weight_format, if they were asked for.
void append_sizes(std::string& out, const Json& facts, bool fp16) {
  const auto text = [](const Json& size) { return bytes_text(size.get<uint64_t>()); };
  if (!facts.contains("weight_sizes")) {
    const std::string half = text(facts["bin_bytes"]["fp16"]), full = text(facts["bin_bytes"]["f32"]);
    return append(out, ".bin, about:", fp16 ? Texts{half, full + " without FP16"} : Texts{full, half + " as FP16"});
  }
  Texts sizes;
  for (const auto& [format, size] : facts["weight_sizes"].items()) sizes.push_back(text(size) + " as " + format);
  append(out, ".bin:", sizes);
}

/// "Conv 53", the most frequent first.
Texts counts(const Json& operations) {
  std::vector<std::pair<std::string, uint64_t>> rows;
  for (const auto& [type, count] : operations.items()) rows.emplace_back(type, count.get<uint64_t>());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  Texts out;
  for (const auto& [type, count] : rows) out.push_back(cat(printable(type), " ", count));
  return out;
}

/// Messages of one operation that is not supported, or of one code.
struct Kind {
  std::string name;
  std::vector<const Message*> messages;
};

template <typename Takes, typename Name>
std::vector<Kind> kinds(const std::vector<Message>& messages, Takes takes, Name name) {
  std::vector<Kind> out;
  for (const Message& message : messages) {
    if (!takes(message)) continue;
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const Kind& kind) { return kind.name == name(message); });
    (known == out.end() ? out.emplace_back(Kind{name(message), {}}) : *known).messages.push_back(&message);
  }
  return out;
}

bool is_of(const Message& message, Code code) { return message.code == cat("MO", static_cast<int>(code)); }

std::vector<Kind> unsupported(const std::vector<Message>& messages) {
  return kinds(
      messages, [](const Message& m) { return is_of(m, Code::UnsupportedOp); }, [](const Message& m) { return m.op; });
}

std::vector<Kind> other_errors(const std::vector<Message>& messages) {
  return kinds(
      messages, [](const Message& m) { return m.severity == Message::Severity::Error && !is_in_card(m); },
      [](const Message& m) { return m.code; });
}

std::string count_of(const Kind& kind) { return cat(printable(kind.name), " ", kind.messages.size()); }

Texts names_of(const Kind& kind) {
  Texts out;
  for (const Message* message : kind.messages)
    if (out.size() < kMostNodes && !message->node.empty()) out.push_back(cat("\"", printable(message->node), "\""));
  if (kind.messages.size() > out.size() && !out.empty())
    out.push_back(cat("and ", kind.messages.size() - out.size(), " more"));
  return out;
}

Texts names_in(const Json& list) {
  Texts out;
  for (const Json& name : list) out.push_back(printable(name.get<std::string>()));
  return out;
}

}  // namespace

std::string card(const std::string& path, const Json& facts, const std::vector<Message>& messages, bool fp16) {
  std::string out;
  append(out, "Model:", printable(path));
  append(out, "Format:", text_of(facts, "format"));
  append(out, "Producer:", std::string(trim(cat(text_of(facts, "producer"), " ", text_of(facts, "producer_version")))));
  Texts sets;
  for (const Json& set : facts["operator_sets"])
    sets.push_back(cat(text_of(set, "domain"), " ", set["version"].get<int64_t>()));
  append(out, "Operator sets:", sets);
  append(out, "Signature:", text_of(facts, "signature"));
  append(out, "Tags:", names_in(facts["tags"]));
  append_ports(out, "Inputs:", facts["inputs"]);
  append_ports(out, "Outputs:", facts["outputs"]);
  append(out, "Preparation:", preparation_of(facts));
  const Json& operations = facts["operations"];
  append(out, "Operations:",
         cat(facts["nodes"].get<uint64_t>(), " of ", operations.size(), operations.size() == 1 ? " type" : " types"));
  append(out, "", counts(operations));
  // Without the files that are missing, sizes say nothing.
  if (facts["missing_files"].empty()) {
    append(out, "Constants:",
           Texts{cat(facts["constants"].get<uint64_t>()), bytes_text(facts["constant_bytes"].get<uint64_t>())});
    append_sizes(out, facts, fp16);
  }
  append(out, "Missing files:", names_in(facts["missing_files"]));
  std::string_view label = "Not supported:";
  for (const Kind& kind : unsupported(messages)) {
    append(out, label, cat(count_of(kind), names_of(kind).empty() ? "" : ":"));
    append(out, "", names_of(kind));
    label = "";
  }
  return out;
}

std::string card_line(const std::string& path, const Json& facts, const std::vector<Message>& messages) {
  const std::string head = printable(path) + ": ";
  if (facts.empty()) {
    const auto error = std::find_if(messages.begin(), messages.end(),
                                    [](const Message& m) { return m.severity == Message::Severity::Error; });
    return head + (error == messages.end() ? "" : cat(error->code, " ", printable(error->text))) + "\n";
  }
  const uint64_t nodes = facts["nodes"].get<uint64_t>();
  std::string out = cat(head, text_of(facts, "format"), ", ", nodes, nodes == 1 ? " operation" : " operations", ", ",
                        bytes_text(facts["constant_bytes"].get<uint64_t>()), " of constants");
  const auto add = [&](std::string_view label, const Texts& items) {
    if (!items.empty()) out += cat("; ", label, " ", join(items, [](const std::string& item) { return item; }));
  };
  const auto named = [](const std::vector<Kind>& all) {
    Texts texts;
    for (const Kind& kind : all) texts.push_back(count_of(kind));
    return texts;
  };
  add("missing:", names_in(facts["missing_files"]));
  add("not supported:", named(unsupported(messages)));
  add("errors:", named(other_errors(messages)));
  return out + "\n";
}

bool is_in_card(const Message& message) {
  return is_of(message, Code::UnsupportedOp) || is_of(message, Code::MissingDataFile);
}

}  // namespace mo
