#include "core/front/paddle/load/types.h"

#include "core/base/error.h"

namespace mo::paddle {

std::optional<ElementType> element_type(int64_t data_type) {
  switch (data_type) {
    case 0: return ElementType::Bool;
    case 1: return ElementType::I16;
    case 2: return ElementType::I32;
    case 3: return ElementType::I64;
    case 4: return ElementType::F16;
    case 5: return ElementType::F32;
    case 6: return ElementType::F64;
    case 19: return ElementType::U64;
    case 20: return ElementType::U8;
    case 21: return ElementType::I8;
    case 22: return ElementType::BF16;
    case 32: return ElementType::F8E4M3;
    case 33: return ElementType::F8E5M2;
    case 36: return ElementType::U16;
    case 37: return ElementType::U32;
    case 38: return ElementType::U64;
    default: return std::nullopt;
  }
}

bool is_complex_type(int64_t data_type) { return data_type == 23 || data_type == 24; }

ElementType required_type(int64_t data_type) {
  if (const auto type = element_type(data_type)) return *type;
  if (is_complex_type(data_type)) throw Error(Code::UnsupportedType, "complex numbers");
  throw Error(Code::UnsupportedType, msg("PaddlePaddle's type ", data_type));
}

}  // namespace mo::paddle
