#include "core/front/mxnet/load/arrays.h"

#include <algorithm>
#include <iterator>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/front/model_file.h"
#include "core/front/mxnet/load/kind.h"

namespace mo::mxnet {
namespace {

constexpr std::string_view kArgument = "arg:", kAuxiliary = "aux:";

Constant as_read(const Constant& value) {
  return is_float(value.type) && value.type != ElementType::F32 ? convert(value, ElementType::F32) : value;
}

/// "features.0.weight", "0.bias": parts of names, and numbers of children, with points between.
bool is_attribute_path(std::string_view name) {
  const size_t point = name.rfind('.');
  if (point == name.npos || point == 0) return false;
  return is_one_of(name.substr(point + 1),
                   {"weight", "bias", "gamma", "beta", "alpha", "running_mean", "running_var"}) ||
         name.substr(point + 1).find_first_of("0123456789") == 1;  // l0_i2h_weight of recurrent layers
}

constexpr ElementType kNumbered[] = {ElementType::F32, ElementType::F64, ElementType::F16, ElementType::U8,
                                     ElementType::I32, ElementType::I8,  ElementType::I64, ElementType::Bool,
                                     ElementType::I16, ElementType::U16, ElementType::U32, ElementType::U64,
                                     ElementType::BF16};

}  // namespace

ElementType required_type(int64_t number) {
  if (number < 0 || static_cast<size_t>(number) >= std::size(kNumbered))
    throw Error(Code::UnsupportedType, msg("MXNet's type ", number));
  return kNumbered[number];
}

int32_t number_of(ElementType type) {
  const auto* const found = std::find(std::begin(kNumbered), std::end(kNumbered), type);
  if (found == std::end(kNumbered)) throw Error(Code::UnsupportedType, msg(ir_name(type), " has no number in MXNet"));
  return static_cast<int32_t>(found - std::begin(kNumbered));
}

std::string_view name_without_kind(std::string_view name) {
  const bool has_kind = name.starts_with(kArgument) || name.starts_with(kAuxiliary);
  return has_kind ? name.substr(kArgument.size()) : name;
}

std::vector<StoredArray> read_arrays(Files& files, FileId file) {
  const ModelFile head(files, files.name(file));
  return kind_of(head) == Kind::Npz ? read_npz(files, file) : read_array_list(files, file);
}

void Parameters::add(const std::vector<StoredArray>& arrays) {
  for (const bool auxiliary : {true, false})
    for (const StoredArray& array : arrays) {
      const bool is_auxiliary = array.name.starts_with(kAuxiliary);
      if (is_auxiliary != auxiliary) continue;
      const std::string_view name = name_without_kind(array.name);
      has_prefixes_ |= name.size() < array.name.size();
      values_.insert_or_assign(std::string(name), as_read(array.value));
    }
}

const Constant* Parameters::find(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

bool Parameters::are_attribute_paths() const {
  if (has_prefixes_ || values_.empty()) return false;
  size_t paths = 0;
  for (const auto& [name, value] : values_) paths += is_attribute_path(name);
  return 2 * paths > values_.size();
}

}  // namespace mo::mxnet
