// The weights of PyTorch 2.6 to 2.8: a zip of torch.save in the file, whose pickle says which tensor views which
// storage.

#include "core/base/text.h"
#include "core/front/expansion.h"
#include "core/front/pytorch/load/archive.h"
#include "core/front/pytorch/load/pickle.h"

namespace mo::pytorch {
namespace {

struct PickledType {
  std::string_view storage, name;
  ElementType type;  ///< of complex numbers that of their parts
  bool is_complex = false;
};

constexpr PickledType kPickledTypes[] = {
    {"torch DoubleStorage", "torch float64", ElementType::F64},
    {"torch FloatStorage", "torch float32", ElementType::F32},
    {"torch HalfStorage", "torch float16", ElementType::F16},
    {"torch BFloat16Storage", "torch bfloat16", ElementType::BF16},
    {"torch LongStorage", "torch int64", ElementType::I64},
    {"torch IntStorage", "torch int32", ElementType::I32},
    {"torch ShortStorage", "torch int16", ElementType::I16},
    {"torch CharStorage", "torch int8", ElementType::I8},
    {"torch ByteStorage", "torch uint8", ElementType::U8},
    {"torch BoolStorage", "torch bool", ElementType::Bool},
    {"torch ComplexFloatStorage", "torch complex64", ElementType::F32, true},
    {"torch ComplexDoubleStorage", "torch complex128", ElementType::F64, true},
    {{}, "torch uint16", ElementType::U16},
    {{}, "torch uint32", ElementType::U32},
    {{}, "torch uint64", ElementType::U64},
    {{}, "torch float8_e4m3fn", ElementType::F8E4M3},
    {{}, "torch float8_e5m2", ElementType::F8E5M2},
};

constexpr std::string_view kRebuild2 = "torch._utils _rebuild_tensor_v2", kRebuild3 = "torch._utils _rebuild_tensor_v3",
                           kParameter = "torch._utils _rebuild_parameter",
                           kParameterWithState = "torch._utils _rebuild_parameter_with_state";

const PickledType* pickled_type(std::string_view global) {
  for (const PickledType& row : kPickledTypes)
    if (!global.empty() && (global == row.name || global == row.storage)) return &row;
  return nullptr;
}

bool is_of_weights(std::string_view global) {
  return pickled_type(global) || is_one_of(global, {"collections OrderedDict", "torch.storage UntypedStorage",
                                                    kRebuild2, kRebuild3, kParameter, kParameterWithState});
}

class PickledWeights {
 public:
  PickledWeights(Files& files, const Part& zip) : window_(files, zip.file) {
    for (auto& [path, entry] : read_zip_directory(window_, zip.offset, zip.offset + zip.size))
      if (const size_t slash = path.find('/'); slash != path.npos)
        entries_.insert_or_assign(path.substr(slash + 1), entry);
  }

  void add_to(Weights& out) {
    const Part data = stored("data.pkl");
    const Pickle pickle(window_, data.offset, data.offset + data.size, is_of_weights);
    const Pickle::Value& root = pickle.root();
    if (root.kind != Pickle::Kind::Dict)
      throw Error(Code::CorruptFile, "weights that are no dictionary", window_.place(data.offset));
    const Pickle::Items entries = pickle.items(root);
    for (size_t i = 0; i + 1 < entries.size(); i += 2) {
      const Pickle::Value& key = pickle[entries[i]];
      const std::string name(pickle.text(key));
      const auto where = [&] {
        Place place = window_.place(pickle.offset(key));
        place.tensor = name;
        return place;
      };
      with_place(where, [&] {
        if (key.kind != Pickle::Kind::Text) throw Error(Code::CorruptFile, "a name is missing");
        require_short_name(name);
        add_tensor(pickle, name, pickle[entries[i + 1]], out);
      });
    }
  }

 private:
  Part stored(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) throw Error(Code::CorruptFile, msg(printable(name), " is not in the archive"));
    if (!found->second.is_stored)
      throw Error(Code::UnsupportedForm, msg(printable(name), " is compressed"), window_.place(found->second.record));
    return {window_.file(), found->second.offset, found->second.size};
  }

  static int64_t size_at(const Pickle::Value& value) {
    if (value.kind != Pickle::Kind::Int || value.number < 0)
      throw Error(Code::CorruptFile, "a size of a weight is no number");
    return value.number;
  }
  static Shape sizes_at(const Pickle& pickle, const Pickle::Value& list) {
    Shape out;
    for (const uint32_t item : pickle.items(list)) out.push_back(size_at(pickle[item]));
    require_dimensions(out.size());
    return out;
  }

  /// Others than plain tensors are left out: an error only where they are read.
  void add_tensor(const Pickle& pickle, const std::string& name, const Pickle::Value& made, Weights& out) {
    const bool is_parameter =
        made.kind == Pickle::Kind::Call && is_one_of(pickle.text(made), {kParameter, kParameterWithState});
    const Pickle::Value& tensor = is_parameter ? pickle.item(made, 0) : made;
    if (tensor.kind != Pickle::Kind::Call || !is_one_of(pickle.text(tensor), {kRebuild2, kRebuild3})) return;
    const Pickle::Value& id = pickle.item(pickle.item(tensor, 0), 0);  // "storage", type, key, device, elements
    // Storages of newer types have none: the tensor says it then.
    const bool has_type = pickle.text(tensor) == kRebuild3;
    const PickledType* type = pickled_type(pickle.text(has_type ? pickle.item(tensor, 6) : pickle.item(id, 1)));
    if (!type) return;
    const Part file = stored(cat("data/", pickle.text(pickle.item(id, 2))));
    const Shape sizes = sizes_at(pickle, pickle.item(tensor, 2)), strides = sizes_at(pickle, pickle.item(tensor, 3));
    const int64_t offset = size_at(pickle.item(tensor, 1));
    out.insert_or_assign(name, type->is_complex ? stored_pairs(file, type->type, sizes, strides, offset)
                                                : stored_tensor(file, type->type, sizes, strides, offset));
  }

  Window window_;
  std::map<std::string, ZipEntry> entries_;
};

}  // namespace

void add_pickled(Files& files, const Part& zip, Weights& out) { PickledWeights(files, zip).add_to(out); }

}  // namespace mo::pytorch
