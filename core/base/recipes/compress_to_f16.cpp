#include "core/base/error.h"
#include "core/base/recipes/convert.h"
#include "core/base/recipes/transpose.h"

namespace mo {

Constant compress_to_f16(const Constant& source) {
  check_source(source);
  if (source.type != ElementType::F32 && source.type != ElementType::F64)
    throw Error(Code::UnsupportedType, msg("weights of type ", ir_name(source.type), " are not compressed"));
  const auto compress = [](const Constant& origin, const TransposeContent&) { return compress_to_f16(origin); };
  if (const auto turned = change_before_transpose(source, compress)) return *turned;
  return finish(ElementType::F16, source.shape,
                std::make_shared<ConvertContent>(source, ElementType::F16, ConvertMode::Compress));
}

const SliceContent* compressed_slice(const ContentPtr& content) {
  const auto recipe = as_recipe<ConvertContent>(content);
  if (!recipe || recipe->mode() != ConvertMode::Compress || recipe->from() != ElementType::F32) return nullptr;
  const Content& source = *recipe->sources()[0];
  return source.kind() == Content::Kind::Slice ? static_cast<const SliceContent*>(&source) : nullptr;
}

}  // namespace mo
