#include "core/front/preprocess/preprocess_request.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/pipeline/options.h"

namespace mo {
namespace {

/// "name: numbers" of each item, or "numbers" without names.
std::string values_read(std::string_view text) {
  PreprocessRequest request;
  EXPECT_TRUE(read_option(request, "mean_values", text));
  return join(
      request.mean,
      [](const ChannelValues& item) {
        const std::string numbers = join(
            item.numbers, [](double v) { return format_double(v); }, " ");
        return item.input.empty() ? numbers : cat(item.input, ": ", numbers);
      },
      "; ");
}

/// "name: source->target" of each item.
std::string layouts_read(const std::vector<OptionText>& options) {
  const PreprocessRequest request = parse_options(options).preprocess;
  return join(
      request.layouts,
      [](const LayoutSpec& spec) {
        return cat(spec.name.empty() ? "" : cat(spec.name, ": "), spec.source, "->", spec.target);
      },
      "; ");
}

/// The message with its code.
std::string preprocess_refusal(const std::vector<OptionText>& options) {
  try {
    parse_options(options);
  } catch (const Error& error) {
    const Message message = error.message();
    return cat(message.code, " ", message.text);
  }
  return "accepted";
}

int preprocess_faq(const std::vector<OptionText>& options) {
  try {
    parse_options(options);
  } catch (const Error& error) {
    return info(error.code()).faq;
  }
  return -1;
}

TEST(PreprocessRequest, ReadsValuesByNameOrByOrder) {
  EXPECT_EQ(values_read("data(1,2,3),info[2,3,4],egg[255]"), "data: 1 2 3; info: 2 3 4; egg: 255");
  EXPECT_EQ(values_read("(1,2,3),[4,5,6]"), "1 2 3; 4 5 6");
  EXPECT_EQ(values_read("(4),(1,2)"), "4; 1 2");  // in the order given
  EXPECT_EQ(values_read("[123.675,-116.28,.5]"), "123.675 -116.28 0.5");
  EXPECT_EQ(values_read(" ( 1, 2 ,3 ) , (4) "), "1 2 3; 4");
  EXPECT_EQ(values_read("scope/a:0 (1)"), "scope/a:0: 1");
  EXPECT_EQ(values_read("scope[x]/y(1,2)"), "scope[x]/y: 1 2");
  EXPECT_EQ(values_read("x(1,2,3),x(4,5,6)"), "x: 4 5 6");
  EXPECT_EQ(values_read(""), "");
  // As people write them.
  EXPECT_EQ(values_read("0.5 0.25 0.125"), "0.5 0.25 0.125");
  EXPECT_EQ(values_read(" 1, 2,3 "), "1 2 3");
  EXPECT_EQ(values_read("255"), "255");
  EXPECT_EQ(values_read("x(1,2 3),y[4 5]"), "x: 1 2 3; y: 4 5");
}

TEST(PreprocessRequest, RefusesValuesThatCannotBeRead) {
  const std::string start =
      "MO6055 mean and scale values should consist of names and values in round or square brackets, separated by "
      "commas: --mean_values ";
  const auto refused = [](const char* text) { return preprocess_refusal({{"mean_values", text}}); };
  EXPECT_EQ(refused("1,2,x"), start + "\"1\": want numbers in brackets");
  EXPECT_EQ(refused("1,,2"), start + "\"1,,2\": \"\" is no number such as 127.5");
  EXPECT_EQ(refused("1 2-3"), start + "\"1 2-3\": \"2-3\" is no number such as 127.5");
  EXPECT_EQ(refused("(1,2,3"), start + "\"(1,2,3\": want numbers in brackets");
  EXPECT_EQ(refused("[1,2,3)"), start + "\"[1,2,3)\": want numbers in brackets");
  EXPECT_EQ(refused("(1,2,3),"), start + "\"(1,2,3),\": an item is empty");
  EXPECT_EQ(refused("()"), start + "\"()\": \"\" is no number such as 127.5");
  EXPECT_EQ(refused("(1,,3)"), start + "\"(1,,3)\": \"\" is no number such as 127.5");
  EXPECT_EQ(refused("(1e2,2,3)"), start + "\"(1e2,2,3)\": \"1e2\" is no number such as 127.5");
  EXPECT_EQ(refused("(1;2;3)"), start + "\"(1;2;3)\": \"1;2;3\" is no number such as 127.5");
  EXPECT_EQ(refused("(nan)"), start + "\"(nan)\": \"nan\" is no number such as 127.5");
  EXPECT_EQ(refused("x(1,2,3)z(4)"), start + "\"x(1,2,3)z(4)\": a comma is missing between two inputs");
  EXPECT_EQ(refused("(1,2,3)[4,5,6]"), start + "\"(1,2,3)[4,5,6]\": a comma is missing between two inputs");
  EXPECT_EQ(refused("(1,2,3),z(4)"), start + "\"z(4)\": either all items have a name, or none");
  EXPECT_EQ(refused("z(1,2,3),[4]"), start + "\"[4]\": either all items have a name, or none");
  EXPECT_EQ(preprocess_faq({{"mean_values", "x"}}), 101);
  EXPECT_EQ(preprocess_refusal({{"scale_values", "(1,0,1)"}}),
            "MO6055 mean and scale values should consist of names and values in round or square brackets, separated "
            "by commas: --scale_values \"(1,0,1)\": inputs cannot be divided by 0");
}

TEST(PreprocessRequest, RefusesScalesThatAreNone) {
  for (const char* bad : {"abc", "0", "inf", "1,2", ""})
    EXPECT_EQ(preprocess_refusal({{"scale", bad}}),
              cat("MO6002 an option has a value it cannot take: --scale is \"", bad, "\", want a number other than 0"));
  EXPECT_EQ(parse_options({{"scale", " 1e2 "}}).preprocess.scale_factor, 100);
}

TEST(PreprocessRequest, ReadsLayoutsByNameOrByOrder) {
  EXPECT_EQ(layouts_read({{"layout", "nchw"}}), "[N,C,H,W]->");
  EXPECT_EQ(layouts_read({{"layout", "nchw->nhwc"}}), "[N,C,H,W]->[N,H,W,C]");
  EXPECT_EQ(layouts_read({{"layout", "->nhwc"}}), "->[N,H,W,C]");
  EXPECT_EQ(layouts_read({{"layout", "nchw->"}}), "[N,C,H,W]->");
  EXPECT_EQ(layouts_read({{"layout", "[n,c]->[c,n]"}}), "[N,C]->[C,N]");
  EXPECT_EQ(layouts_read({{"layout", "nc->[c,n]"}}), "[N,C]->[C,N]");
  EXPECT_EQ(layouts_read({{"layout", "[n,c],[n,h]"}}), "[N,C]->; [N,H]->");
  EXPECT_EQ(layouts_read({{"layout", "nchw->nhwc,nc"}}), "[N,C,H,W]->[N,H,W,C]; [N,C]->");
  EXPECT_EQ(layouts_read({{"layout", "a(nchw->nhwc), b ([n,c]) ,c[n,c]->[c,n]"}}),
            "a: [N,C,H,W]->[N,H,W,C]; b: [N,C]->; c: [N,C]->[C,N]");
  EXPECT_EQ(layouts_read({{"layout", "a(nchw),b(nc),a(nhwc->nchw)"}}), "a: [N,H,W,C]->[N,C,H,W]; b: [N,C]->");
  EXPECT_EQ(layouts_read({{"source_layout", "nchw"}, {"target_layout", "nhwc"}}), "[N,C,H,W]->[N,H,W,C]");
  EXPECT_EQ(layouts_read({{"source_layout", "nc,nchw"}, {"target_layout", "cn,nhwc"}}),
            "[N,C]->[C,N]; [N,C,H,W]->[N,H,W,C]");
  EXPECT_EQ(layouts_read({{"source_layout", "a(nc),b(n)"}, {"target_layout", "b[n],a(cn)"}}),
            "a: [N,C]->[C,N]; b: [N]->[N]");
  EXPECT_EQ(layouts_read({{"layout", ""}}), "");
}

TEST(PreprocessRequest, RefusesLayoutsThatCannotBeReadOrContradict) {
  EXPECT_EQ(preprocess_refusal({{"layout", "nchw->nhwc->nchw"}}),
            "MO6068 syntax error in a layout: --layout: Invalid layout parsed: nhwc->nchw");
  EXPECT_EQ(preprocess_refusal({{"layout", "x()"}}),
            "MO6068 syntax error in a layout: --layout: Invalid layout parsed: x()");
  EXPECT_EQ(preprocess_refusal({{"layout", "nchw,"}}),
            "MO6068 syntax error in a layout: --layout: Invalid layout parsed: nchw,: an item is empty");
  EXPECT_EQ(preprocess_refusal({{"layout", "x(n chw)"}}),
            "MO6068 syntax error in a layout: --layout: Invalid layout parsed: n chw");
  EXPECT_EQ(preprocess_refusal({{"source_layout", "nchw->nhwc"}}),
            "MO6068 syntax error in a layout: --source_layout: Invalid layout parsed: nchw->nhwc");
  EXPECT_EQ(preprocess_refusal({{"layout", "[nchw"}}),
            "MO6068 syntax error in a layout: --layout: Invalid layout parsed: [nchw, did you forget quotes?");
  EXPECT_EQ(preprocess_refusal({{"layout", "nchw"}, {"target_layout", "nhwc"}}),
            "MO6069 \"layout\" is used as well as \"source_layout\" or \"target_layout\", which is not allowed");
  const std::string mixed = "MO6070 some layouts are provided with names, and some without names: ",
                    names = "\"x\" is a name, \"[N,H,W,C]\" has none";
  EXPECT_EQ(preprocess_refusal({{"layout", "x(nchw),nhwc"}}), mixed + "--layout: " + names);
  EXPECT_EQ(preprocess_refusal({{"layout", "nhwc,x(nchw)"}}), mixed + "--layout: " + names);
  EXPECT_EQ(preprocess_refusal({{"source_layout", "x(nchw)"}, {"target_layout", "nhwc"}}),
            mixed + "--source_layout or --target_layout: " + names);
  EXPECT_EQ(preprocess_refusal({{"source_layout", "nhwc"}, {"target_layout", "x(nchw)"}}),
            mixed + "--source_layout or --target_layout: " + names);
  EXPECT_EQ(preprocess_refusal({{"layout", "nchw->nhwd"}}),
            "MO6072 a layout does not fit: --layout: [N,C,H,W]->[N,H,W,D]");
  EXPECT_EQ(preprocess_refusal({{"layout", "x(nchw->nc)"}}),
            "MO6072 a layout does not fit: --layout: [N,C,H,W]->[N,C]");
}

TEST(PreprocessRequest, RefusesOptionsThatContradictEachOther) {
  EXPECT_EQ(preprocess_refusal({{"scale", "2"}, {"scale_values", "(3)"}}),
            "MO6058 both --scale and --scale_values are defined");
  EXPECT_EQ(preprocess_faq({{"scale", "2"}, {"scale_values", "(3)"}}), 19);
  EXPECT_EQ(preprocess_refusal({{"mean_values", "(1,2,3)"}, {"scale_values", "(1,2)"}}),
            "MO6062 mean and scale values have different sizes: --mean_values has 3, --scale_values 2");
  EXPECT_EQ(preprocess_refusal({{"mean_values", "z(1),x(1,2)"}, {"scale_values", "x(1,2,3)"}}),
            "MO6062 mean and scale values have different sizes: --mean_values has 2, --scale_values 3 for x");
  EXPECT_EQ(preprocess_refusal({{"mean_values", "(1,2,3)"}, {"scale_values", "(5)"}}), "accepted");
  EXPECT_EQ(preprocess_refusal({{"mean_values", "q(1)"}, {"input", "a[1,2],b"}}),
            "MO6059 an input is not one of --input: specified mean_values name 'q' do not match to any of inputs: "
            "['a', 'b']");
  EXPECT_EQ(preprocess_refusal({{"scale_values", "q(1)"}, {"input", "a"}}),
            "MO6059 an input is not one of --input: specified scale_values name 'q' do not match to any of inputs: "
            "['a']");
  EXPECT_EQ(preprocess_refusal({{"mean_values", "(1),(2),(3)"}, {"input", "a,b"}}),
            "MO6056 numbers of inputs and mean values do not match: 3 items of --mean_values for 2 of --input");
  EXPECT_EQ(preprocess_faq({{"mean_values", "(1)"}, {"input", "a,b"}}), 61);
  EXPECT_EQ(preprocess_refusal({{"scale_values", "(2)"}, {"input", "a,b"}}),
            "MO6057 numbers of inputs and scale values do not match: 1 items of --scale_values for 2 of --input");
  EXPECT_EQ(preprocess_faq({{"scale_values", "(2)"}, {"input", "a,b"}}), 62);
  EXPECT_EQ(preprocess_refusal({{"mean_values", "(1)"}, {"input", "a,b->5"}}), "accepted");  // b becomes a constant
}

TEST(PreprocessRequest, IsAmongTheConversionParameters) {
  const auto parsed = parse_options({{"scale", "2"}, {"reverse_input_channels", "True"}, {"layout", "nchw"}});
  const std::string given =
      join(parsed.given, [](const OptionText& option) { return cat(option.name, "=", option.value); });
  EXPECT_EQ(given, "scale=2, reverse_input_channels=True, layout=nchw");
  EXPECT_TRUE(parse_options({{"reverse_input_channels", "False"}, {"mean_values", ""}}).given.empty());
}

}  // namespace
}  // namespace mo
