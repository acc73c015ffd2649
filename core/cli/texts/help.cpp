#include "core/base/error.h"
#include "core/base/text.h"
#include "core/cli/texts/texts.h"

namespace mo {
namespace {

constexpr size_t kColumns = 80, kIndent = 24;
constexpr std::string_view kMargin = "                        ";
static_assert(kMargin.size() == kIndent);

/// Appends words from column kIndent on, and begins a new line there where one does not fit.
class Wrapped {
 public:
  explicit Wrapped(std::string& out) : out_(out) {}
  void add(std::string_view word) {
    if (at_ > kIndent && at_ + 1 + word.size() > kColumns) {
      out_ += cat("\n", kMargin);
      at_ = kIndent;
    } else if (at_ > kIndent) {
      out_ += ' ';
      ++at_;
    }
    out_ += word;
    at_ += word.size();
  }

 private:
  std::string& out_;
  size_t at_ = kIndent;
};

void append_option(std::string& out, std::string head, std::string_view text, std::string_view default_text = {}) {
  head = "  " + head;
  if (head.size() + 2 <= kIndent)
    head += kMargin.substr(head.size());
  else
    head += cat("\n", kMargin);
  out += head;
  Wrapped lines(out);
  for (const std::string& word : split(text, ' ')) lines.add(word);
  if (!default_text.empty()) lines.add(cat("(default: ", default_text, ")"));
  out += '\n';
}

void append_option(std::string& out, const OptionRow& row) {
  std::string head;
  for (const std::string& name : split(row.short_names, ' '))
    if (!name.empty()) head += cat("-", name, ", ");
  head += cat("--", row.name);
  const auto [value, text] = describe(row);
  if (!value.empty()) head += cat(" ", value);
  append_option(out, head, text, row.kind == OptionKind::Switch ? "" : row.default_text);
}

constexpr struct {
  OptionGroup group;
  std::string_view title;
} kGroups[] = {{OptionGroup::Agnostic, "Framework-agnostic parameters"},
               {OptionGroup::Tf, "TensorFlow*-specific parameters"},
               {OptionGroup::Caffe, "Caffe*-specific parameters"},
               {OptionGroup::Mxnet, "MXNet-specific parameters"},
               {OptionGroup::Kaldi, "Kaldi-specific parameters"},
               {OptionGroup::Former, "Parameters of earlier releases of Model Optimizer"},
               {OptionGroup::Own, "Not in Model Optimizer"}};

}  // namespace

std::string help(const Program& program, bool native) {
  std::string out = cat(program.usage(), "\n\nConverts trained models to OpenVINO IR: NAME.xml and NAME.bin.\n");
  for (const auto& [group, title] : kGroups) {
    std::string options;
    for (const OptionRow& row : all_options())
      if (row.group == group && is_carried_out(row, native) && program.has(row)) append_option(options, row);
    if (!options.empty()) out += cat("\n", title, ":\n", options);
    if (group != OptionGroup::Agnostic) continue;
    append_option(out, "-h, --help", "Show this text.");
    append_option(out, "-V, --version", "Show the version.");
  }
  const std::string& mo = program.name();
  out += cat("\nexamples:\n  ", mo, " model.onnx\n  ", mo,
             " --input_model model.onnx --output_dir ir --compress_to_fp16=False\n  ", mo,
             " model.onnx --input \"image[1,3,224,224],scale->0.5\" --output prob\n  ", mo,
             " a.onnx b.onnx --output_dir ir --json\n  ", mo, " models --output_dir ir --jobs 4\n  ", mo,
             " --info model.onnx\n");
  return out;
}

}  // namespace mo
