#include "core/base/detail.h"

#include "core/base/text.h"

namespace mo {
namespace {

/// Bytes that no literal has.
constexpr char kText = '\1', kDetail = '\2';

void append_argument(std::string& bytes, char kind, std::string_view argument) {
  bytes += kind;
  bytes += std::to_string(argument.size());
  bytes += ':';
  bytes += argument;
}

/// Calls `literal` with each part of the template, and `argument` with the kind and the bytes of each argument.
template <typename Literal, typename Argument>
void read_parts(std::string_view bytes, const Literal& literal, const Argument& argument) {
  while (!bytes.empty()) {
    const size_t end = bytes.find_first_of("\1\2");
    literal(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    const size_t colon = bytes.find(':', end);
    const size_t size = static_cast<size_t>(*parse_int(bytes.substr(end + 1, colon - end - 1)));
    argument(bytes[end], bytes.substr(colon + 1, size));
    bytes.remove_prefix(colon + 1 + size);
  }
}

void append_text(std::string& text, std::string_view bytes) {
  read_parts(
      bytes, [&](std::string_view literal) { text += literal; },
      [&](char kind, std::string_view argument) {
        if (kind == kDetail)
          append_text(text, argument);
        else
          text += argument;
      });
}

}  // namespace

Detail::Detail(std::string_view text) {
  if (!text.empty()) append_argument(bytes_, kText, text);
}

Detail Detail::words(std::string_view text) {
  Detail out;
  out.bytes_ = text;
  return out;
}

Detail Detail::of(std::string_view text, const std::vector<Argument>& arguments) {
  if (text.find_first_of("\1\2") != std::string_view::npos) return Detail(text);
  Detail out;
  for (const Argument& argument : arguments) {
    const size_t place = text.find("{}");
    if (place == std::string_view::npos) break;
    out.bytes_ += text.substr(0, place);
    if (argument.detail)
      append_argument(out.bytes_, kDetail, argument.detail->bytes_);
    else
      append_argument(out.bytes_, kText, argument.text);
    text.remove_prefix(place + 2);
  }
  out.bytes_ += text;
  return out;
}

Detail Detail::with(const Detail& rest) const {
  Detail out;
  append_argument(out.bytes_, kDetail, bytes_);
  out.bytes_ += rest.bytes_;
  return out;
}

std::string Detail::text() const {
  std::string out;
  append_text(out, bytes_);
  return out;
}

std::string Detail::template_text() const {
  std::string out;
  read_parts(
      bytes_, [&](std::string_view literal) { out += literal; }, [&](char, std::string_view) { out += "{}"; });
  return out;
}

std::vector<Detail::Argument> Detail::arguments() const {
  std::vector<Argument> out;
  read_parts(
      bytes_, [](std::string_view) {},
      [&](char kind, std::string_view bytes) {
        Argument& argument = out.emplace_back();
        if (kind == kText)
          argument.text = bytes;
        else
          argument.detail.emplace().bytes_ = bytes;
      });
  return out;
}

void Piece::append_to(std::string& text) const {
  if (const auto* part = std::get_if<Literal>(&value_)) text += part->text;
  if (const auto* part = std::get_if<std::string_view>(&value_)) text += *part;
  if (const auto* character = std::get_if<char>(&value_)) text += *character;
  if (const auto* number = std::get_if<int64_t>(&value_)) text += std::to_string(*number);
  if (const auto* number = std::get_if<uint64_t>(&value_)) text += std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value_)) text += format_double(*number);
  if (const auto* nested = std::get_if<Nested>(&value_)) append_text(text, nested->bytes);
}

std::string cat_pieces(const std::initializer_list<Piece>& pieces) {
  std::string out;
  for (const Piece& piece : pieces) piece.append_to(out);
  return out;
}

Detail msg_pieces(const std::initializer_list<Piece>& pieces) {
  Detail out;
  for (const Piece& piece : pieces) {
    if (const auto* literal = std::get_if<Piece::Literal>(&piece.value_)) {
      out.bytes_ += literal->text;
    } else if (const auto* nested = std::get_if<Piece::Nested>(&piece.value_)) {
      append_argument(out.bytes_, kDetail, nested->bytes);
    } else {
      std::string text;
      piece.append_to(text);
      append_argument(out.bytes_, kText, text);
    }
  }
  return out;
}

}  // namespace mo
