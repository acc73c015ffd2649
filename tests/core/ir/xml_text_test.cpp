#include "core/ir/xml_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <pugixml.hpp>
#include <string>
#include <vector>

namespace mo {
namespace {

/// What `write` writes after the declaration, put together from its pieces.
template <typename Write>
std::string text_of(Write write, std::vector<size_t>* sizes = nullptr) {
  std::string text;
  const TextSink sink = [&](std::string_view piece) {
    text += piece;
    if (sizes) sizes->push_back(piece.size());
  };
  XmlText xml(sink);
  write(xml);
  const uint64_t bytes = xml.finish();
  EXPECT_EQ(bytes, text.size());
  constexpr std::string_view kDeclaration = "<?xml version=\"1.0\"?>\n";
  EXPECT_TRUE(text.starts_with(kDeclaration));
  return text.substr(kDeclaration.size());
}

std::string attribute_of(std::string_view value) {
  return text_of([&](XmlText& xml) { xml.element("a", [&] { xml.attribute("v", value); }); });
}

TEST(XmlText, HasAnElementOnEachLine) {
  EXPECT_EQ(text_of([](XmlText& xml) {
              xml.element("net", [&] {
                xml.attribute("name", "m");
                xml.attribute("least", std::numeric_limits<int64_t>::min());
                xml.element("empty");
                xml.element("inner", [&] {
                  xml.number("dim", -1);
                  xml.number("dim", std::numeric_limits<int64_t>::max());
                });
                xml.element("last", [&] { xml.attribute("id", 7); });
              });
            }),
            "<net name=\"m\" least=\"-9223372036854775808\">\n"
            "\t<empty />\n"
            "\t<inner>\n"
            "\t\t<dim>-1</dim>\n"
            "\t\t<dim>9223372036854775807</dim>\n"
            "\t</inner>\n"
            "\t<last id=\"7\" />\n"
            "</net>\n");
}

TEST(XmlText, EscapesWhatAttributesMayNotHold) {
  EXPECT_EQ(attribute_of(R"(a&b<c>d"e'f)"), "<a v=\"a&amp;b&lt;c>d&quot;e'f\" />\n");
  EXPECT_EQ(attribute_of("&&"), "<a v=\"&amp;&amp;\" />\n");
  EXPECT_EQ(attribute_of(""), "<a v=\"\" />\n");
}

TEST(XmlText, ReplacesEachByteThatIsNoCharacterOfXml) {
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(attribute_of(std::string_view("a\0\n\t\x1f\x7f", 6)), "<a v=\"a" + r + r + r + r + r + "\" />\n");
  EXPECT_EQ(attribute_of("\xC3\xA9 \xF0\x9F\x98\x80"), "<a v=\"\xC3\xA9 \xF0\x9F\x98\x80\" />\n");
  // Overlong, a surrogate, beyond Unicode, U+FFFE, cut off at the end.
  for (const char* bad : {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xEF\xBF\xBE", "\xE2\x82"}) {
    std::string replaced;
    for (const char* at = bad; *at; ++at) replaced += r;
    EXPECT_EQ(attribute_of(bad), "<a v=\"" + replaced + "\" />\n");
  }
}

TEST(XmlText, IndentsElementsAtAnyDepth) {
  constexpr int kDepth = 20;
  const std::string text = text_of([](XmlText& xml) {
    const auto nest = [&](const auto& self, int left) -> void {
      xml.element("e", [&] {
        if (left > 1) self(self, left - 1);
      });
    };
    nest(nest, kDepth);
  });
  EXPECT_NE(text.find("\n" + std::string(kDepth - 1, '\t') + "<e />\n"), std::string::npos);
  EXPECT_NE(text.find("\n" + std::string(kDepth - 2, '\t') + "</e>\n"), std::string::npos);
}

/// Values of all lengths, so that texts of one to eight bytes, and escapes, meet the ends of pieces at each place.
TEST(XmlText, GivesPiecesThatMakeOneDocument) {
  constexpr int kRows = 4000;
  const auto value = [](int row) {
    std::string text = "v&\xC3\xA9";
    for (int i = 0; i < row % 61; ++i) text += static_cast<char>('a' + (row + i) % 26);
    return text;
  };
  std::vector<size_t> sizes;
  const std::string text = text_of(
      [&](XmlText& xml) {
        xml.element("rows", [&] {
          for (int row = 0; row < kRows; ++row)
            xml.element("row", [&] {
              xml.attribute("id", row);
              xml.attribute("value", value(row));
            });
          xml.element("long", [&] { xml.attribute("value", std::string(200'000, 'x')); });
        });
      },
      &sizes);
  ASSERT_GT(sizes.size(), 5u);
  EXPECT_EQ(*std::max_element(sizes.begin(), sizes.end()), 64u * 1024);
  EXPECT_EQ(std::count(sizes.begin(), sizes.end(), 64u * 1024), std::ssize(sizes) - 1);

  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str()));
  int row = 0;
  for (const pugi::xml_node node : document.child("rows").children("row")) {
    ASSERT_EQ(node.attribute("id").as_int(), row);
    ASSERT_EQ(node.attribute("value").value(), value(row));
    ++row;
  }
  EXPECT_EQ(row, kRows);
  EXPECT_EQ(std::string_view(document.child("rows").child("long").attribute("value").value()).size(), 200'000u);
}

}  // namespace
}  // namespace mo
