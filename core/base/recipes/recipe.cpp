#include "core/base/recipes/recipe.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace mo {
namespace {

/// An empty file set, for recipes that need no file.
class NoFiles final : public FileSet {
 public:
  ByteSource* open(std::string_view) override { return nullptr; }
};

bool needs_file(const Content& content) {
  if (content.kind() == Content::Kind::Owned) return false;
  if (content.kind() == Content::Kind::Slice) return true;
  const auto& recipe = static_cast<const Recipe&>(content);
  const auto& sources = recipe.sources();
  return recipe.recipe_kind() == RecipeKind::Varints || recipe.recipe_kind() == RecipeKind::Whole ||
         recipe.recipe_kind() == RecipeKind::Stream ||
         std::any_of(sources.begin(), sources.end(), [](const ContentPtr& s) { return needs_file(*s); });
}

}  // namespace

Recipe::Recipe(RecipeKind recipe_kind, uint64_t size, std::vector<ContentPtr> sources)
    : recipe_kind_(recipe_kind), size_(size), sources_(std::move(sources)) {
  for (const ContentPtr& source : sources_) depth_ = std::max(depth_, source->depth() + 1);
  if (depth_ > kMaxDepth)
    throw Error(Code::UnsupportedForm, msg("weights computed in more than ", kMaxDepth, " steps"));
}

uint64_t Recipe::best_piece() const {
  uint64_t piece = kCachedPiece;
  for (const ContentPtr& source : sources_) piece = std::max(piece, source->best_piece());
  return piece;
}

void Recipe::check(Files& files) const {
  for (const ContentPtr& source : sources_) source->check(files);
}

std::string slice_text(const Content& content) {
  if (content.kind() != Content::Kind::Owned) return content.identity();
  return cat("#", to_string(hash_of(static_cast<const OwnedContent&>(content).bytes)));
}

void check_source(const Constant& source) {
  if (source.type == ElementType::Unknown || source.type == ElementType::String)
    throw Error(Code::UnsupportedType, msg("weights of type ", ir_name(source.type), " cannot be computed with"));
  const uint64_t expected = byte_size(source.type, source.elements());
  if (source.content->size() != expected)
    throw Error(Code::WrongTensorSize, msg(source.content->size(), " bytes instead of ", expected));
}

void check_source(const Constant& source, size_t axis) {
  check_source(source);
  if (axis >= source.shape.size()) throw Error(Code::BadValue, msg("axis ", axis, " of rank ", source.shape.size()));
}

void check_range(uint64_t offset, uint64_t n, uint64_t size) {
  if (offset > size || n > size - offset)
    throw Error(Code::DataOutOfRange, msg("bytes ", offset, " to ", offset + n, " of ", size));
}

Constant finish(ElementType type, Shape shape, ContentPtr content) {
  if (content->kind() == Content::Kind::Recipe && content->size() <= kComputeAtOnce && !needs_file(*content)) {
    NoFiles set;
    Files files(set);
    std::vector<std::byte> bytes(static_cast<size_t>(content->size()));
    content->open(files)->read(0, bytes);
    content = std::make_shared<OwnedContent>(std::move(bytes));
  }
  return {type, std::move(shape), std::move(content)};
}

uint64_t product(const Shape& shape, size_t from, size_t to) {
  uint64_t count = 1;
  for (size_t i = from; i < to; ++i) count *= static_cast<uint64_t>(shape[i]);
  return count;
}

}  // namespace mo
