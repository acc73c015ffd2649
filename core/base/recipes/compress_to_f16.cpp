#include "core/base/error.h"
#include "core/base/recipes/convert.h"

namespace mo {

Constant compress_to_f16(const Constant& source) {
  check_source(source);
  if (source.type != ElementType::F32 && source.type != ElementType::F64)
    throw Error(Code::UnsupportedType, cat("weights of type ", ir_name(source.type), " are not compressed"));
  return finish(ElementType::F16, source.shape,
                std::make_shared<ConvertContent>(source, ElementType::F16, ConvertMode::Compress));
}

}  // namespace mo
