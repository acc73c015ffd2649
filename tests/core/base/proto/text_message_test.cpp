#include "core/base/proto/text_message.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/support/proto_files.h"

namespace mo::proto {
namespace {

Message strict(std::string text) {
  const Schema& schema = test::pb::kSchema;
  return read_text(std::move(text), {.file = "k.txt", .schema = &schema, .type = schema.message("Kinds")});
}
Message loose(std::string text) { return read_text(std::move(text), {}); }
std::string text_of(const std::string& literal) { return strict("bytes_: " + literal).get_string("bytes_"); }

TEST(ProtoText, EveryEscape) {
  EXPECT_EQ(text_of(R"("\a\b\f\n\r\t\v\?\\\'\"")"), "\a\b\f\n\r\t\v?\\'\"");
  EXPECT_EQ(text_of(R"("\0\12\1234\377")"), std::string("\0\n\123"
                                                        "4\377",
                                                        5));
  EXPECT_EQ(text_of(R"("\x4\x41\X4a1\xfg")"),
            "\x4"
            "AJ1\xf"
            "g");
  EXPECT_EQ(text_of(R"("\u0041\u00e9\u20ac\ud83d\ude00\U0001F600\U0010ffff")"),
            "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf");
  EXPECT_EQ(text_of(R"('it"s' "it's" 'a'"b"'' # more
      'c')"),
            "it\"sit'sabc");
  EXPECT_EQ(text_of("\"raw \xff\x01\t\""), "raw \xff\x01\t");
  EXPECT_EQ(text_of("'a#b{}'"), "a#b{}");
  const auto bad = [](const char* what, std::initializer_list<const char*> escapes) {
    for (const char* escape : escapes)
      EXPECT_MESSAGE(Code::BadText, cat("line 1, column 11: ", what), text_of(cat("'a", escape, "'")));
  };
  bad("an escape that is not known", {"\\8", "\\z", "\\ "});
  bad("an escape of more than a byte", {"\\400", "\\777"});
  bad("an escape lacks digits", {"\\x", "\\xg", "\\u123", "\\U", "\\U1234567"});
  bad("an escape that is no character", {"\\uD800", "\\uD800\\u0041", "\\uDC00", "\\U00110000"});
}

TEST(ProtoText, NumbersOfAListAreOneEntry) {
  const Message read =
      strict("ints: 1, ints: [2, -3]; ints [] ints [4,5] # six\n ints: 0x6 bools: [true] int32_: 7 ints: 8");
  EXPECT_EQ(read.ints("ints"), (std::vector<int64_t>{1, 2, -3, 4, 5, 6, 8}));
  EXPECT_EQ(read.occurrences("ints").size(), 2u);
  EXPECT_EQ(read.get_int("int32_"), 7);
  const Message words =
      strict("colors: RED colors: [BLUE, RED] bools: true, bools: [false, t] floats: -inf floats: [nan, 1f]");
  EXPECT_EQ(words.ints("colors").size(), 3u);
  EXPECT_EQ(words.all("bools"), (Scalars{true, false, true}));
  EXPECT_EQ(words.floats("floats").size(), 3u);
  EXPECT_EQ(words.floats("floats")[0], -HUGE_VAL);
  EXPECT_EQ(words.floats("floats")[2], 1);
  EXPECT_MESSAGE(Code::BadFieldValue, "line 1, column 19: ints cannot be x", strict("ints: 1 ints: [2, x]"));
}

TEST(ProtoText, AnUnterminatedTextIsToldWhereItBegins) {
  EXPECT_MESSAGE(Code::BadText, "line 3, column 3: a text without its end", strict("int32_: 1\nstring_:\n  'abc"));
  EXPECT_MESSAGE(Code::BadText, "line 1, column 10: a text without its end", strict("string_: \"abc\n\""));
  EXPECT_MESSAGE(Code::BadText, "line 1, column 10: a text without its end", strict("string_: 'abc\\"));
  EXPECT_MESSAGE(Code::BadText, "line 1, column 10: a text without its end", strict("string_: 'abc\\'"));
  EXPECT_MESSAGE(Code::BadText, "line 1, column 10: a text without its end", strict("string_: 'abc\\\n'"));
  EXPECT_MESSAGE(Code::BadText, "line 1, column 12: a text without its end", strict("string_: ''\""));
  EXPECT_MESSAGE(Code::BadText, "line 1, column 1: a text without its end", loose("'"));
}

TEST(ProtoText, HundredThousandBracesAreAnError) {
  std::string braces, lists, angles;
  for (int i = 0; i < 100000; ++i) braces += "a{", lists += "a:[", angles += "inner<";
  EXPECT_CODE(Code::TooDeep, loose(braces));
  EXPECT_CODE(Code::TooDeep, strict(braces));
  EXPECT_CODE(Code::TooDeep, strict(angles));
  EXPECT_CODE(Code::BadText, loose(lists));
  EXPECT_CODE(Code::BadText, loose(std::string(100000, '{')));
  EXPECT_CODE(Code::BadText, loose(std::string(100000, '[')));
  EXPECT_MESSAGE(Code::TooDeep, "line 1, column 203: more than 100 messages in each other", loose(braces));
  std::string most;
  for (int i = 0; i < Message::kMaxDepth; ++i) most = "inner{" + most + "}";
  EXPECT_NO_THROW(strict(most));
}

TEST(ProtoText, MistakesAreToldWithLineAndColumn) {
  const auto bad = [](const char* expected, const std::string& text) {
    EXPECT_MESSAGE(Code::BadText, expected, strict(text));
  };
  bad("line 2, column 3: expected : or a message, not 5", "int32_\n  5");
  bad("line 1, column 1: expected a field's name, not 5", "5: 1");
  bad("line 1, column 1: expected a field's name, not }", "} int32_: 1");
  bad("line 1, column 1: expected a field's name, not {", "{ int32_: 1 }");
  bad("line 1, column 1: expected a field's name, not 'a'", "'a': 1");
  bad("line 1, column 9: expected a value, not the end", "int32_: ");
  bad("line 1, column 9: expected a value, not ;", "int32_: ;");
  bad("line 1, column 10: expected a value, not -", "int32_: --1");
  bad("line 1, column 13: expected a field's name, not ,", "int32_: 1 , , int64_: 2");
  bad("line 2, column 1: expected a field's name, not the end", "inner {\n");
  bad("line 1, column 9: expected a field's name, not >", "inner { >");
  bad("line 1, column 9: expected a field's name, not }", "inner < }");
  bad("line 1, column 11: expected , or ], not 2", "ints: [ 1 2 ]");
  bad("line 1, column 12: expected a value, not ]", "ints: [ 1, ]");
  bad("line 1, column 9: expected , or ], not the end", "ints: [1");
  bad("line 1, column 9: expected ] behind a type's name, not :", "[ a.b/c : 1");
  bad("line 1, column 9: no number, or one that is too large: 12ab", "int32_: 12ab");
  bad("line 1, column 9: no number, or one that is too large: 09", "int32_: 09");
  bad("line 1, column 9: no number, or one that is too large: 0xg", "int32_: 0xg");
  bad("line 1, column 9: no number, or one that is too large: 1.2.3", "float_: 1.2.3");
  bad("line 1, column 9: no number, or one that is too large: 1e", "float_: 1e");
  bad("line 1, column 9: no number, or one that is too large: 0x", "int32_: 0x");
  bad("line 1, column 9: a character that is not of the text format: @", "int32_: @");
  bad("line 1, column 9: a character that is not of the text format: \xEF\xBF\xBD", "int32_: \xff");
  bad("line 3, column 2: expected a field's name, not {", "# comment }\r\n\t#\n\t{");
}

TEST(ProtoText, ValuesThatAFieldCannotTakeAreTold) {
  const auto bad = [](const char* expected, const std::string& text) {
    EXPECT_MESSAGE(Code::BadFieldValue, expected, strict(text));
  };
  bad("line 1, column 9: int32_ cannot be 2147483648", "int32_: 2147483648");
  bad("line 1, column 9: int32_ cannot be -2147483649", "int32_: -2147483649");
  bad("line 1, column 9: int64_ cannot be 9223372036854775808", "int64_: 9223372036854775808");
  bad("line 1, column 10: uint32_ cannot be -1", "uint32_: -1");
  bad("line 1, column 10: uint32_ cannot be 0x100000000", "uint32_: 0x100000000");
  bad("line 1, column 10: uint64_ cannot be 18446744073709551616", "uint64_: 18446744073709551616");
  bad("line 1, column 12: sfixed32_ cannot be 2147483648", "sfixed32_: 2147483648");
  bad("line 1, column 9: int32_ cannot be 1.0", "int32_: 1.0");
  bad("line 1, column 9: int32_ cannot be 'a'", "int32_: 'a'");
  bad("line 1, column 9: int32_ cannot be true", "int32_: true");
  bad("line 1, column 9: float_ cannot be 0x10", "float_: 0x10");
  bad("line 1, column 9: float_ cannot be infinit", "float_: infinit");
  bad("line 1, column 8: bool_ cannot be 2", "bool_: 2");
  bad("line 1, column 8: bool_ cannot be -1", "bool_: -1");
  bad("line 1, column 8: bool_ cannot be TRUE", "bool_: TRUE");
  bad("line 1, column 10: string_ cannot be abc", "string_: abc");
  bad("line 1, column 10: string_ cannot be 5", "string_: 5");
  bad("line 1, column 8: color cannot be PINK", "color: PINK");
  bad("line 1, column 8: color cannot be -RED", "color: -RED");
  bad("line 1, column 8: color cannot be 3", "color: 3");
  bad("line 1, column 8: color cannot be 2147483648", "color: 2147483648");
  bad("line 1, column 17: ints cannot be 5000000000", "ints: [ 1, 2,   5000000000 ]");
  bad("line 1, column 9: inner cannot be 1", "inner:  1");
  bad("line 1, column 9: a message for a field that is none", "int32_: { }");
  bad("line 1, column 9: a list for a singular field", "int32_: [1]");
}

TEST(ProtoText, FieldsThatComeTwiceOrNotAtAllAreTold) {
  EXPECT_MESSAGE(Code::DuplicateField, "line 2, column 2: int32_", strict("int32_: 1\n int32_: 2"));
  EXPECT_MESSAGE(Code::DuplicateField, "line 1, column 11: inner", strict("inner { } inner { }"));
  EXPECT_MESSAGE(Code::MissingField, "line 1, column 20: third of Kinds.Strict", strict("strict { first: 1  } "));
  EXPECT_MESSAGE(Code::MissingField, "line 1, column 10: first of Kinds.Strict", strict("strict { }"));
  EXPECT_NO_THROW(strict("strict { third: '' first: 1 }"));
  const Schema& schema = test::pb::kSchema;
  const Message merged =
      read_text("strict { } int32_: 1 int32_: 2", {.schema = &schema, .type = schema.message("Kinds"), .merge = true});
  EXPECT_EQ(merged.get_int("int32_"), 2);
  EXPECT_EQ(merged.get_message("strict").missing(), (std::vector<std::string>{"first", "third"}));
}

TEST(ProtoText, SeparatorsBlanksAndCommentsAreFree) {
  const char* same[] = {"int32_: 1 int64_: 2 inner { number: 3 }", "int32_:1,int64_:2;inner{number:3}",
                        "\xEF\xBB\xBFint32_\t:\r\n1\v\fint64_:2,inner:<number:3;>,",
                        "#a\nint32_:1#b\n#\nint64_:2 inner{#}\nnumber:3#\n}#"};
  for (const char* text : same) EXPECT_EQ(test::described(strict(text)), test::described(strict(same[0]))) << text;
  EXPECT_TRUE(strict("").names().empty());
  EXPECT_TRUE(strict(" # nothing").names().empty());
}

TEST(ProtoText, FloatsInTheirForms) {
  const auto floats = strict("packed_doubles: [1, 1., .5, 1e3, 1E-3, 1.5e+2f, 2F, 0, 00.5, - 7, -inf, Infinity, 1e999]")
                          .floats("packed_doubles");
  EXPECT_EQ(floats, (std::vector<double>{1, 1, .5, 1000, .001, 150, 2, 0, .5, -7, -HUGE_VAL, HUGE_VAL, HUGE_VAL}));
  EXPECT_TRUE(std::isnan(strict("float_: -nan").get_float("float_")));
  EXPECT_EQ(strict("float_: 16777217").get_float("float_"), 16777216.0);
}

TEST(ProtoText, WithoutASchemaTheLiteralTellsTheKind) {
  const Message config = loose(R"(
      model { ssd { num_classes: 90 box_coder { faster_rcnn_box_coder { y_scale: 10.0 } } use: true
        anchor { scales: [0.25, .5, 1] aspect: 1 aspect: 2.0 } activation: RELU_6 big: 0xFFFFFFFFFFFFFFFF low: -5 no: -inf } }
      train_config: < batch_size: 24 path: "a/" 'b' >)");
  const Message ssd = config.get_message("model").get_message("ssd");
  EXPECT_EQ(ssd.get_int("num_classes"), 90);
  EXPECT_EQ(ssd.get_float("num_classes"), 90);
  EXPECT_EQ(ssd.get_message("box_coder").get_message("faster_rcnn_box_coder").get_float("y_scale"), 10);
  EXPECT_TRUE(ssd.get_bool("use"));
  EXPECT_EQ(ssd.get_message("anchor").floats("scales"), (std::vector<double>{.25, .5, 1}));
  EXPECT_EQ(ssd.get_message("anchor").floats("aspect"), (std::vector<double>{1, 2}));
  EXPECT_EQ(ssd.get_enum("activation"), "RELU_6");
  EXPECT_EQ(ssd.get("big"), Scalar(UINT64_MAX));
  EXPECT_EQ(ssd.get_int("low"), -5);
  EXPECT_EQ(ssd.get_float("no"), -HUGE_VAL);
  EXPECT_EQ(config.get_message("train_config").get_string("path"), "a/b");
  EXPECT_EQ(ssd.get_float("absent", 0.5), 0.5);
  EXPECT_EQ(ssd.get_string("absent", "x"), "x");
  EXPECT_FALSE(ssd.has("absent"));
  EXPECT_TRUE(ssd.get_message("absent").names().empty());
  EXPECT_EQ(ssd.type(), "");
  EXPECT_MESSAGE(Code::BadFieldValue, "line 1, column 4: no value: -word", loose("a: -word"));
}

TEST(ProtoText, TheErrorNamesTheFile) {
  try {
    strict("int32_ 5");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, "k.txt");
    EXPECT_EQ(format(error.message()),
              "[ ERROR ]  MO1030 the text cannot be read as a message: expected : or a message, not 5 (file \"k.txt\", "
              "line 1, column 8). correct it at the place named");
  }
}

/// A text truncated anywhere is read or gives an error, and nothing else.
TEST(ProtoText, EveryPrefixOfAModelIsHandled) {
  const std::string whole = test::read_file("tests/core/base/proto/kinds.prototxt");
  int errors = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    try {
      strict(whole.substr(0, size));
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == Code::BadText || error.code() == Code::BadFieldValue ||
                  error.code() == Code::MissingField || error.code() == Code::DuplicateField)
          << size;
      ++errors;
    }
  }
  EXPECT_GT(errors, 700);
}

}  // namespace
}  // namespace mo::proto
