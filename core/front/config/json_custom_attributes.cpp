#include <algorithm>

#include "core/front/config/json_config.h"

namespace mo {
namespace {

template <typename T>
std::vector<T> list_of(const Json& list) {
  std::vector<T> out;
  for (const Json& element : list) out.push_back(element.get<T>());
  return out;
}

}  // namespace

CustomAttributes read_custom_attributes(const Json& object) {
  CustomAttributes out;
  out.json = object.dump();
  for (const auto& item : object.items()) {
    const Json& value = item.value();
    const auto all = [&](bool (*is)(const Json&)) { return std::all_of(value.begin(), value.end(), is); };
    if (value.is_boolean()) {
      out.values.set(item.key(), value.get<bool>());
    } else if (is_int(value)) {
      out.values.set(item.key(), value.get<int64_t>());
    } else if (value.is_number()) {
      out.values.set(item.key(), value.get<double>());
    } else if (value.is_string()) {
      out.values.set(item.key(), value.get<std::string>());
    } else if (value.is_array() && all(is_int)) {
      out.values.set(item.key(), list_of<int64_t>(value));
    } else if (value.is_array() && all([](const Json& v) { return v.is_number(); })) {
      out.values.set(item.key(), list_of<double>(value));
    } else if (value.is_array() && all([](const Json& v) { return v.is_string(); })) {
      out.values.set(item.key(), list_of<std::string>(value));
    } else {
      out.nested.push_back(item.key());
      const auto is_ints = [](const Json& v) { return v.is_array() && std::all_of(v.begin(), v.end(), is_int); };
      if (value.is_array() && std::all_of(value.begin(), value.end(), is_ints))
        for (const Json& list : value) out.lists[item.key()].push_back(list_of<int64_t>(list));
      const auto is_text = [](const Json& v) { return v.is_string(); };
      const auto is_texts = [&](const Json& v) { return v.is_array() && std::all_of(v.begin(), v.end(), is_text); };
      if (value.is_array() && std::all_of(value.begin(), value.end(), is_texts))
        for (const Json& list : value) out.texts[item.key()].push_back(list_of<std::string>(list));
    }
  }
  return out;
}

}  // namespace mo
