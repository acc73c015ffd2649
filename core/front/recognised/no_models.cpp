// Files that come in the place of a model: what stands for it, what was saved by mistake, what it is packed in.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/model_file.h"

namespace mo {
namespace {

struct StrayStart {
  size_t offset;
  std::string_view bytes, title, hint;
};

constexpr std::string_view kUnpack = "unpack it, and choose the model's file in it";
constexpr std::string_view kChooseModel = "choose the model's file";
constexpr std::string_view kPicture = "image file";
constexpr std::string_view kPacked = "file that is compressed";
constexpr std::string_view kWebPage = "web page";
constexpr std::string_view kWideText = "text in UTF-16", kSaveAsUtf8 = "save it as UTF-8";
constexpr std::string_view kFetchFile = "the page was saved in place of the file: download the file itself";

using namespace std::string_view_literals;

constexpr StrayStart kStrayStarts[] = {
    {0,
     "version "
     "https://git-lfs",
     "Git LFS pointer, which stands for the file", "run git lfs pull, or download the file itself"},
    {0, "\x89PNG\r\n\x1a\n", kPicture, kChooseModel},
    {0, "\xff\xd8\xff", kPicture, kChooseModel},
    {0, "GIF8", kPicture, kChooseModel},
    {8, "WEBPVP8", kPicture, kChooseModel},
    {0, "II*\0"sv, kPicture, kChooseModel},
    {0, "MM\0*"sv, kPicture, kChooseModel},
    {0, "<svg", kPicture, kChooseModel},
    {0, "%PDF-", "PDF document", kChooseModel},
    {0, "\xff\xfe", kWideText, kSaveAsUtf8},
    {0, "\xfe\xff", kWideText, kSaveAsUtf8},
    {0, "\x93NUMPY", "NumPy array, no model", kChooseModel},
    {0, "PK\x03\x04", "zip archive", kUnpack},
    {0, "\x1f\x8b", kPacked, kUnpack},
    {0,
     "\xfd"
     "7zXZ",
     kPacked, kUnpack},
    {0, "BZh", kPacked, kUnpack},
    {0, "\x28\xb5\x2f\xfd", kPacked, kUnpack},
    {0, "7z\xbc\xaf\x27\x1c", kPacked, kUnpack},
    {0, "Rar!\x1a", kPacked, kUnpack},
};

/// Whether the file begins with one of the words, behind blanks and the mark of UTF-8, in letters of any case.
bool begins_like_page(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  const std::string begin = lower(head.substr(0, 16));
  return begin.starts_with("<!doctype html") || begin.starts_with("<html");
}

}  // namespace

Recognised recognise_no_models(const ModelFile& model) {
  const auto found = std::find_if(std::begin(kStrayStarts), std::end(kStrayStarts),
                                  [&](const StrayStart& row) { return model.has(row.bytes, row.offset); });
  if (found != std::end(kStrayStarts)) return Recognised(found->title, found->hint).no_model();
  const std::string_view head = model.head();
  if (begins_like_page(head)) return Recognised(kWebPage, kFetchFile).no_model();
  if (!model.has("<?xml")) return {};
  if (head.find("<html") != head.npos) return Recognised(kWebPage, kFetchFile).no_model();
  return Recognised(head.find("<svg") != head.npos ? kPicture : "text in XML", kChooseModel).no_model();
}

}  // namespace mo
