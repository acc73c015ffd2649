// mo_tables: the product's .def files as JSON, for the scripts that write documents and types from them. Not part of
// `mo`, and made without it: the package's types need no native build of the core.

#include <caffe_model_messages.h>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <onnx_messages.h>
#include <paddle_messages.h>
#include <tensorflow_messages.h>
#include <tflite_tables.h>

#include "core/base/text.h"
#include "core/cli/texts/texts.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;

Json options() {
  Json rows = Json::array();
  const auto add = [&](std::string_view name, std::string_view short_names, std::string_view kind,
                       std::string_view value, std::string_view default_text, std::string_view scope,
                       std::string_view group, std::string_view help, const OptionFacts& facts) {
    rows.push_back({{"name", name},
                    {"short", short_names},
                    {"kind", kind},
                    {"value", value},
                    {"default", default_text},
                    {"scope", scope},
                    {"group", group},
                    {"help", help},
                    {"alias_of", facts.alias_of},
                    {"page_group", facts.page_group},
                    {"native", facts.native}});
  };
#define MO_OPTION(name, short_names, kind, value, default_text, scope, group, help, ...) \
  add(#name, short_names, #kind, value, default_text, #scope, #group, help, OptionFacts{__VA_ARGS__});
#include "core/pipeline/options.def"
  return rows;
}

Json errors() {
  Json rows = Json::array();
  const auto add = [&](std::string_view name, std::string_view code, std::string_view text, std::string_view hint,
                       int faq) {
    rows.push_back({{"name", name}, {"code", code}, {"text", text}, {"hint", hint}, {"faq", faq}});
  };
#define MO_ERROR(name, number, text, hint, faq) add(#name, "MO" #number, text, hint, faq);
#include "core/base/errors.def"
  return rows;
}

/// The ops that a framework's operator may become. `function` is the extractor if a row is not enough.
Json operators() {
  Json rows = Json::array();
  std::string_view framework;
  const auto add = [&](std::string_view name, std::string_view domain, std::string_view function, std::string_view ops,
                       std::string_view refusal) {
    Json row = {{"framework", framework}, {"name", name}, {"domain", domain}, {"ops", Json::array()}};
    for (const std::string& op : split(ops, ' '))
      if (!op.empty()) row["ops"].push_back(op);
    if (!function.empty()) row["function"] = function;
    if (!refusal.empty()) row["refusal"] = refusal;
    rows.push_back(row);
  };
#define MO_OPERATORS_OF(name) framework = #name;
#define MO_SAME(name, domain, internal, attributes) add(name, domain, {}, internal, {});
#define MO_CALL(name, domain, function, ops) add(name, domain, #function, ops, {});
#define MO_REFUSED(name, domain, reason) add(name, domain, {}, {}, reason);
#define MO_LOADED(name, domain, how) add(name, domain, {}, {}, {}), rows.back()["loaded"] = how;
#include "core/front/all_operators.def"
  return rows;
}

/// `reads` lists the formats that this build reads; those without a title are only recognised.
Json formats() {
  Json rows = Json::array();
  const auto add = [&](std::string_view framework, std::string_view title, std::string_view endings, bool reads) {
    rows.push_back({{"framework", framework}, {"title", title}, {"endings", split(endings, ' ')}, {"reads", reads}});
  };
#define MO_FORMAT(framework, title, endings) add(#framework, title, endings, true);
#define MO_RECOGNISED(framework, endings) add(#framework, {}, endings, false);
#define MO_FOREIGN(name)
#include "core/front/formats.def"
  return rows;
}

Json texts(std::string_view words) {
  Json out = Json::array();
  for (const std::string& word : split(words, ' '))
    if (!word.empty()) out.push_back(word);
  return out;
}

/// "name:type", "name:type?" or "name:type=value".
Json attribute(std::string_view rule) {
  const size_t colon = rule.find(':'), equals = rule.find('=');
  std::string_view type = rule.substr(colon + 1, equals == rule.npos ? rule.npos : equals - colon - 1);
  const bool optional = type.ends_with('?');
  if (optional) type.remove_suffix(1);
  Json out = {{"name", rule.substr(0, colon)}, {"type", type}, {"optional", optional}};
  if (equals != rule.npos) out["value"] = rule.substr(equals + 1);
  return out;
}

/// Families of internal operations.
Json contracts() {
  Json families = Json::array();
  const auto add = [&](std::string_view ops, std::string_view inputs, std::string_view rules,
                       std::string_view meaning) {
    Json attributes = Json::array();
    for (const std::string& rule : split(rules, ' '))
      if (!rule.empty()) attributes.push_back(attribute(rule));
    families.back()["operations"].push_back(
        {{"ops", texts(ops)}, {"inputs", texts(inputs)}, {"attributes", attributes}, {"meaning", meaning}});
  };
#define MO_CONTRACTS(family) families.push_back({{"title", family}, {"operations", Json::array()}});
#define MO_CONTRACT(ops, inputs, attributes, meaning) add(ops, inputs, attributes, meaning);
#include "core/ops/contracts.def"
  return families;
}

/// Former names of operations and attributes that extensions may still use.
Json former_names() {
  Json rows = Json::array();
#define MO_FORMER_OP(op, former) rows.push_back({{"name", op}, {"former", former}, {"ops", Json::array()}});
#define MO_FORMER_ATTRIBUTE(operations, attribute, former) \
  rows.push_back({{"name", attribute}, {"former", former}, {"ops", texts(operations)}});
#include "core/ops/former_names.def"
  return rows;
}

/// The messages and enums of a protobuf format: numbers by names, and the types of fields.
Json schema(const proto::Schema& schema) {
  Json messages = Json::object(), enums = Json::object();
  for (const proto::MessageRow& message : schema.messages) {
    Json fields = Json::object();
    for (const proto::FieldRow& field : schema.fields.subspan(message.first_field, message.fields)) {
      Json& row = fields[std::string(schema.name(field))];
      row = {{"number", field.number}, {"type", static_cast<int>(field.type)}};
      if (field.is_message()) row["message"] = schema.text(schema.messages[field.type_index].name);
    }
    messages[std::string(schema.text(message.name))] = fields;
  }
  for (const proto::EnumRow& one : schema.enums) {
    Json values = Json::object();
    for (const proto::EnumValueRow& value : schema.values.subspan(one.first_value, one.values))
      values[std::string(schema.text(value.name))] = value.number;
    enums[std::string(schema.text(one.name))] = values;
  }
  return {{"messages", messages}, {"enums", enums}};
}

/// The same of TensorFlow Lite, whose tables do not say types, and the options of its operators.
Json flat_schema() {
  Json tables = Json::object(), options = Json::object();
  for (const auto& [group, name, number] : tflite::fb::kFlatNumbers) tables[group][name] = number;
  const auto add = [&](int code, std::string_view fields) {
    if (!fields.empty()) options[std::to_string(code)] = fields;
  };
#define LITE_SAME(code, name, fields, internal, attributes) add(code, fields);
#define LITE_CALL(code, name, fields, function, ops) add(code, fields);
#define LITE_LOADED(code, name, fields, how) add(code, fields);
#define LITE_REFUSED(code, name, reason)
#include "core/front/tflite/extract/operators.def"
  return {{"tables", tables}, {"options", options}};
}

/// What the page's skeletons are walked by.
Json schemas() {
  return {{"onnx", schema(onnx::pb::kSchema)},
          {"tf", schema(tf::pb::kSchema)},
          {"caffe", schema(caffe::net::kSchema)},
          {"paddle", schema(paddle::program::kSchema)},
          {"tflite", flat_schema()}};
}

/// What `mo` prints about itself, for the package's command: by program, and by shell.
Json command_texts() {
  Json help = Json::object(), completion = Json::object();
  for (const char* name : {"mo", "mo_onnx", "mo_tf", "mo_caffe", "mo_mxnet", "mo_kaldi", "mo_paddle"})
    help[name] = mo::help(Program(name), false);
  for (const std::string_view shell : choices(*find_option("completion")))
    completion[std::string(shell)] = mo::completion(shell, false);
  return {{"help", help}, {"completion", completion}};
}

}  // namespace
}  // namespace mo

int main() {
  const mo::Json tables = {{"options", mo::options()},
                           {"errors", mo::errors()},
                           {"formats", mo::formats()},
                           {"operators", mo::operators()},
                           {"contracts", mo::contracts()},
                           {"former_names", mo::former_names()},
                           {"schemas", mo::schemas()},
                           {"command_texts", mo::command_texts()}};
  std::puts(tables.dump(1).c_str());
}
