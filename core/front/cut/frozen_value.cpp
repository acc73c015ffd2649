#include "core/front/cut/frozen_value.h"

#include <array>
#include <bit>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/texts.h"

namespace mo {
namespace {

class FrozenTensor {
 public:
  FrozenTensor(const FrozenValue& value, ElementType type, std::string_view place)
      : value_(value), type_(type), place_(place) {}

  Constant make(const PartialShape& shape) const {
    const auto n = static_cast<int64_t>(value_.elements.size());
    if (type_ == ElementType::String) return make_texts(shape_for(shape, n), texts());
    return reshape(convert(is_integer(type_) ? integers() : numbers(), type_), shape_for(shape, n));
  }

 private:
  [[noreturn]] void refuse(const Detail& why) const {
    throw Error(Code::BadFrozenValue, msg("\"", printable(place_), "\"->", printable(value_.text), ": ", why));
  }

  /// True and False are 1 and 0.
  static std::optional<int64_t> truth(const std::string& element) {
    const std::string word = lower(element);
    if (word == "true") return 1;
    return word == "false" ? std::optional<int64_t>(0) : std::nullopt;
  }

  Constant integers() const {
    const int width = bits(type_) - (is_signed(type_) ? 1 : 0);
    const int64_t most = width >= 63 ? INT64_MAX : (int64_t{1} << width) - 1;
    std::vector<int64_t> out;
    for (const std::string& element : value_.elements) {
      auto number = truth(element);
      if (!number) number = parse_int(element);
      if (!number || *number > most || *number < (is_signed(type_) ? -most - 1 : 0))
        refuse(msg(element, " is no ", ir_name(type_)));
      out.push_back(*number);
    }
    return make_i64(out);
  }

  Constant numbers() const {
    std::vector<std::byte> bytes;
    for (const std::string& element : value_.elements) {
      const auto word = truth(element);
      const auto written = word ? static_cast<double>(*word) : parse_double(element);
      if (!written) refuse(msg(element, " is no ", ir_name(type_)));
      const double number = *written;
      if (type_ == ElementType::Bool && number != 0 && number != 1) refuse(msg(element, " is neither true nor false"));
      const auto bits = std::bit_cast<std::array<std::byte, sizeof number>>(number);
      bytes.insert(bytes.end(), bits.begin(), bits.end());
    }
    return owned(ElementType::F64, {static_cast<int64_t>(value_.elements.size())}, std::move(bytes));
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for (const std::string& element : value_.elements) {
      auto text = unquoted(element);
      if (!text) refuse(msg(element, " is no text: put it in quotes"));
      out.push_back(std::move(*text));
    }
    return out;
  }

  Shape shape_for(const PartialShape& shape, int64_t n) const {
    const auto unfit = [&] {
      refuse(msg("the shape of the input is [", to_string(shape), "], the value has ", n, " elements"));
    };
    if (const Shape& own = value_.nested; !own.empty()) {
      bool fits = !shape.has_rank() || shape.dimensions().size() == own.size();
      for (size_t i = 0; fits && shape.has_rank() && i < own.size(); ++i)
        fits = intersect(shape[i], own[i]).has_value();
      if (!fits) refuse(msg("the shape of the input is [", to_string(shape), "], of the value [", to_string(own), "]"));
      return own;
    }
    if (shape.is_static()) {
      const Shape known = shape.to_shape();
      if (element_count(known) != static_cast<uint64_t>(n)) unfit();
      return known;
    }
    if (!shape.has_rank()) return value_.is_list ? Shape{n} : Shape{};
    // The first unknown dimension takes the elements; other unknown dimensions become 1.
    Shape found;
    int64_t rest = n;
    size_t open = shape.dimensions().size();
    for (size_t i = 0; i < shape.dimensions().size(); ++i) {
      found.push_back(shape[i].is_exact() ? shape[i].min : 1);
      if (!shape[i].is_exact() && open == shape.dimensions().size())
        open = i;
      else if (!intersect(shape[i], found[i]))
        unfit();
      if (shape[i].is_exact()) rest = shape[i].min > 0 && rest % shape[i].min == 0 ? rest / shape[i].min : -1;
      if (rest < 0) unfit();
    }
    found[open] = rest;
    if (!intersect(shape[open], rest)) unfit();
    return found;
  }

  const FrozenValue& value_;
  ElementType type_;
  std::string_view place_;
};

}  // namespace

Constant frozen_value(const FrozenValue& value, ElementType type, const PartialShape& shape, std::string_view place) {
  return FrozenTensor(value, type, place).make(shape);
}

}  // namespace mo
