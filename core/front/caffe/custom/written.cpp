#include "core/front/caffe/custom/written.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/front/caffe/load/parameters.h"
#include "core/front/framework_node.h"

namespace mo::caffe {
namespace {

/// Messages that say how to train or feed a layer.
constexpr std::string_view kOfTraining[] = {"transform_param", "loss_param"};

std::string scalar_text(const proto::Scalar& value) {
  if (const auto flag = value.kind == proto::Scalar::Bool ? value.as_bool() : std::nullopt) return *flag ? "1" : "0";
  if (value.kind == proto::Scalar::Float) return format_double(*value.as_float());
  if (value.kind == proto::Scalar::Uint) return std::to_string(value.bits);
  if (value.kind == proto::Scalar::Int) return std::to_string(static_cast<int64_t>(value.bits));
  return value.text;
}

constexpr size_t kMostFields = 4096;

/// Each is looked up among all.
Strings unknown_of(const proto::Message& message) {
  Strings names = message.unknown_names();
  if (names.size() > kMostFields) throw Error(Code::TooDeep, msg("more than ", kMostFields, " fields of other names"));
  return names;
}

class Writer {
 public:
  explicit Writer(const WrittenOptions& options) : options_(options) {}

  Written write(const proto::Message& message, const std::string& prefix, bool is_there) {
    Written out;
    if (const proto::Schema* schema = message.schema())
      for (const proto::FieldRow& row : schema->fields_of(message.type_index())) {
        const std::string name(schema->name(row));
        if (message.has(name))
          add_given(out, message, &row, name, prefix);
        else if (!row.is_message() && (options_.all || !schema->text(row.otherwise).empty()))
          set(out, prefix + name, row.is_repeated() ? std::string() : single(message, row, message.get(name)));
        else if (row.is_message() && !row.is_repeated() && options_.all && is_there)
          join(out, write(message.get_message(name), prefix_of(prefix, name), false));
      }
    for (const std::string& name : unknown_of(message)) add_given(out, message, nullptr, name, prefix);
    return out;
  }

 private:
  std::string prefix_of(const std::string& outer, const std::string& name) const {
    return options_.prefixes ? cat(outer, name, "__") : std::string();
  }

  static void set(Written& out, const std::string& name, std::string value) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const auto& one) { return one.first == name; });
    if (same == out.end())
      out.emplace_back(name, std::move(value));
    else
      same->second = std::move(value);
  }
  static void join(Written& out, const Written& more) {
    for (const auto& [name, value] : more) set(out, name, value);
  }

  std::string single(const proto::Message& message, const proto::FieldRow& row, const proto::Scalar& value) const {
    if (row.type != proto::FieldType::Enum) return scalar_text(value);
    // The name of the enum is not part of that of its values.
    const std::string_view kind = message.schema()->text(message.schema()->enums[row.type_index].name);
    const size_t dot = kind.rfind('.');
    return cat("caffe.", dot == kind.npos ? std::string_view() : kind.substr(0, dot + 1),
               scalar_text(message.named(&row, value)));
  }

  void add_given(Written& out, const proto::Message& message, const proto::FieldRow* row, const std::string& name,
                 const std::string& prefix) {
    Written nested;
    std::string list;
    bool has_value = false;
    for (const proto::Entry& entry : message.occurrences(name)) {
      if (message.source().is_message(entry)) {
        // Fields of several messages are lists.
        for (auto& [key, value] : write(message.message(entry), prefix_of(prefix, name), true)) {
          const auto same =
              std::find_if(nested.begin(), nested.end(), [k = key](const auto& one) { return one.first == k; });
          if (same == nested.end())
            nested.emplace_back(key, value);
          else if (row && !row->is_repeated())
            same->second = value;
          else
            same->second.append(",").append(value);
        }
        continue;
      }
      message.source().scalars(entry, [&](const proto::Scalar& value) {
        if (row && !row->is_repeated())
          list.clear();
        else if (has_value)
          list += ',';
        list += row ? single(message, *row, value) : scalar_text(value);
        has_value = true;
      });
    }
    if (has_value) set(out, prefix + name, std::move(list));
    join(out, nested);
  }

  const WrittenOptions& options_;
};

/// The fields of a message without a schema, but for messages in it.
Attributes open_fields(const proto::Message& message) {
  Attributes out;
  for (const std::string& name : unknown_of(message)) {
    if (name.find('.') != name.npos) continue;
    const auto found = proto::find_field(message, name);
    if (found && found->messages.empty()) out.set(name, attribute_of(*found));
  }
  return out;
}

}  // namespace

Written written_attributes(const proto::Message& parameters, const WrittenOptions& options) {
  return Writer(options).write(parameters, {}, true);
}

Attributes custom_parameters(const proto::Message& layer) {
  Attributes out = open_fields(layer);
  for (const std::string& name : layer.names()) {
    if (!name.ends_with("_param") || is_one_of(name, kOfTraining)) continue;
    const proto::Entries found = layer.occurrences(name);
    if (!layer.source().is_message(found.back())) continue;
    const proto::Message own = layer.get_message(name);
    if (own.schema() && own.type_index() != proto::Schema::kNone) out.update(parameters_of(own));
    out.update(open_fields(own));
  }
  return out;
}

}  // namespace mo::caffe
