#include "core/front/pytorch/load/archive.h"

#include <algorithm>

#include "core/base/json/json_values.h"
#include "core/base/text.h"
#include "core/front/expansion.h"
#include "core/front/pytorch/load/program.h"

namespace mo::pytorch {
namespace {

constexpr JsonLimits kConfigurationLimits{.bytes = 256 << 20, .token = 1 << 20, .depth = 32};
constexpr size_t kMostValues = 1 << 25;
constexpr int64_t kStrided = 7;
constexpr std::string_view kModels = "models/", kJson = ".json";
const std::string kFlatProgram = "serialized_exported_program.json";
constexpr std::string_view kSaveAgain =
    "write it with torch.export.save(torch.export.export(model, args), 'model.pt2') of PyTorch 2.6 or newer";

int64_t symbolic(const JsonValue& value) {
  const auto number = value["as_int"].integer();
  if (!number || *number < 0) throw Error(Code::CorruptFile, "a size of a weight is no number");
  return *number;
}

Shape sizes_of(const JsonValue& list) {
  Shape out;
  list.each([&](const JsonValue& size) { out.push_back(symbolic(size)); });
  require_dimensions(out.size());
  return out;
}

}  // namespace

Archive::Archive(Files& files, FileId file) : window_(files, file) {
  std::map<std::string, ZipEntry> all = read_zip_directory(window_, 0, window_.size());
  is_flat_ = all.count(kFlatProgram) > 0;
  if (is_flat_) {
    entries_ = std::move(all);
    programs_ = {"model"};
    return;
  }
  for (auto& [path, entry] : all) {
    const size_t slash = path.find('/');
    if (slash != path.npos) entries_.insert_or_assign(path.substr(slash + 1), entry);
  }
  for (const auto& [path, entry] : entries_)
    if (path.starts_with(kModels) && path.ends_with(kJson) && path.size() > kModels.size() + kJson.size())
      programs_.push_back(path.substr(kModels.size(), path.size() - kModels.size() - kJson.size()));
  if (programs_.empty()) {
    const auto is_compiled = [](const auto& entry) { return entry.first.starts_with("data/aotinductor/"); };
    if (std::any_of(entries_.begin(), entries_.end(), is_compiled))
      throw Error(Code::NoGraph, "an AOTInductor package, which has machine code in place of a program",
                  window_.place(0), Detail::words(kSaveAgain));
    throw Error(Code::NoGraph, "an archive of PyTorch without a program", window_.place(0));
  }
  if (const std::string number = find("archive_version") ? text(stored("archive_version")) : "0"; trim(number) != "0")
    throw Error(Code::UnsupportedForm, msg("version ", printable(number), " of the archive"), window_.place(0));
  if (const ZipEntry* order = find("byteorder"); order && trim(text(stored("byteorder"))) == "big")
    throw Error(Code::UnsupportedForm, "weights of a machine with big-endian numbers", window_.place(order->offset));
}

const ZipEntry* Archive::find(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

const ZipEntry& Archive::stored(const std::string& name) const {
  const ZipEntry* entry = find(name);
  if (!entry)
    throw Error(Code::CorruptFile, msg(printable(name), " is not in the archive"),
                {.tensor = name, .file = window_.files().name(window_.file())});
  if (!entry->is_stored)
    throw Error(Code::UnsupportedForm, msg(printable(name), " is compressed"), window_.place(entry->record),
                "pack the archive again without compression: zip -0");
  return *entry;
}

std::string Archive::text(const ZipEntry& entry) {
  constexpr uint64_t kShort = 256;
  const auto view = window_.view(entry.offset, static_cast<size_t>(std::min(entry.size, kShort)));
  return {reinterpret_cast<const char*>(view.data()), view.size()};
}

const ZipEntry& Archive::program(const std::string& name) const {
  return stored(is_flat_ ? kFlatProgram : cat(kModels, name, kJson));
}

Weights Archive::weights(const std::string& program) {
  Weights out;
  // Constants come second: a name is either of them.
  add("data/weights/", cat(program, "_weights_config.json"), out);
  add("data/constants/", cat(program, "_constants_config.json"), out);
  // Before 2.9 they are pickled.
  add_pickled_file(is_flat_ ? "serialized_state_dict.pt" : cat("data/weights/", program, ".pt"), out);
  add_pickled_file(is_flat_ ? "serialized_constants.pt" : cat("data/constants/", program, ".pt"), out);
  return out;
}

void Archive::add_pickled_file(const std::string& name, Weights& out) {
  if (find(name)) add_pickled(window_, stored(name), out);
}

void Archive::add(const std::string& folder, const std::string& configuration, Weights& out) {
  if (!find(cat(folder, configuration))) return;
  const ZipEntry& entry = stored(cat(folder, configuration));
  const JsonValues values =
      read_json_values(window_, entry.offset, entry.offset + entry.size, kConfigurationLimits, kMostValues);
  if (values.size() == 0) throw Error(Code::CorruptFile, "no JSON", window_.place(entry.offset));
  JsonValue(values, 0)["config"].each([&](const JsonValue& weight) {
    const std::string name(weight.key());
    const auto where = [&] {
      Place place = window_.place(entry.offset);
      place.tensor = name;
      return place;
    };
    with_place(where, [&] {
      if (weight["use_pickle"].boolean().value_or(false)) return;  // an error only where it is read
      const JsonValue meta = weight["tensor_meta"];
      const std::string path(weight["path_name"].text().value_or(""));
      if (path.empty() || path.find('/') != path.npos || path.find("..") != path.npos)
        throw Error(Code::CorruptFile, msg("path_name is '", printable(path), "'"));
      const ZipEntry& file = stored(cat(folder, path));
      const int64_t code = meta["dtype"].integer().value_or(0), layout = meta["layout"].integer().value_or(kStrided);
      const ElementType type = type_of_code(code);
      if (type == ElementType::Unknown) return;  // complex: an error only where it is read
      if (layout != kStrided) throw Error(Code::UnsupportedForm, msg("layout ", layout, " of a weight"));
      const Shape sizes = sizes_of(meta["sizes"]), strides = sizes_of(meta["strides"]);
      out.insert_or_assign(name, stored_tensor(window_, file, type, sizes, strides, symbolic(meta["storage_offset"])));
    });
  });
}

Constant stored_tensor(const Window& window, const ZipEntry& storage, ElementType type, const Shape& sizes,
                       const Shape& strides, int64_t offset) {
  if (sizes.size() != strides.size())
    throw Error(Code::CorruptFile, msg(strides.size(), " strides of ", sizes.size(), " dimensions"));
  const uint64_t width = byte_size(type, 1);
  if (storage.size == 0 && element_count(sizes) > 0)
    throw Error(Code::NoWeights, "the program was exported with fake tensors", {},
                "export it with the real weights of the model");
  const auto elements = static_cast<int64_t>(storage.size / width);
  const Constant whole{
      type,
      {elements},
      std::make_shared<SliceContent>(window.file(), storage.offset, static_cast<uint64_t>(elements) * width)};
  return view_of_storage(whole, sizes, strides, offset);
}

}  // namespace mo::pytorch
