#include "core/front/kaldi/load/components.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/text.h"
#include "core/front/kaldi/load/matrix.h"
#include "core/front/kaldi/load/unknown_component.h"

namespace mo::kaldi {
namespace {

#define MO_COMPONENT(generation, type, fields) {Generation::generation, #type, fields},
#define MO_FORMER_NAME(generation, old, type)
constexpr ComponentRow kComponents[] = {
#include "core/front/kaldi/load/components.def"
};

struct FormerName {
  Generation generation;
  std::string_view old, type;
};
#define MO_COMPONENT(generation, type, fields)
#define MO_FORMER_NAME(generation, old, type) {Generation::generation, #old, #type},
constexpr FormerName kFormerNames[] = {
#include "core/front/kaldi/load/components.def"
};

constexpr std::string_view kEndOfComponent = "<!EndOfComponent>", kEndOfNnet = "</Nnet>";
constexpr std::string_view kHeader =
    "[LearningRateFactor:f] [IsGradient:b] [MaxChange:f] [L2Regularize:f] [LearningRate:f]";
constexpr int kMostNested = 8;
constexpr int64_t kMostParts = 100'000, kMostFrames = 1 << 20;

std::string_view next_item(std::string_view& items) {
  items.remove_prefix(std::min(items.find_first_not_of(' '), items.size()));
  const size_t end = items.starts_with('{') ? items.find('}') + 1 : std::min(items.find(' '), items.size());
  const std::string_view item = items.substr(0, end);
  items.remove_prefix(end);
  return item;
}

bool is_same_type(Generation generation, std::string_view a, std::string_view b) {
  return generation == Generation::Nnet1 ? lower(a) == lower(b) : a == b;
}

std::string in_brackets(std::string_view name) { return cat("<", name, ">"); }

}  // namespace

/// An item of ComponentRow::fields.
struct ComponentReader::Field {
  explicit Field(std::string_view item) {
    is_optional = item.starts_with('[');
    has_token = !item.starts_with('=');
    if (is_optional) item = item.substr(1, item.size() - 2);
    if (!has_token) item.remove_prefix(1);
    const size_t colon = item.find(':');
    kinds = item.substr(colon + 1);
    name = item.substr(0, colon);
    const size_t bar = name.find('|');
    if (bar != name.npos) old = name.substr(bar + 1), name = name.substr(0, bar);
  }
  bool is(std::string_view token) const {
    return token == in_brackets(name) || (!old.empty() && token == in_brackets(old));
  }

  std::string_view name, old, kinds;
  bool is_optional = false, has_token = true;
};

const ComponentRow* find_component(Generation generation, std::string_view type) {
  for (const FormerName& former : kFormerNames)
    if (former.generation == generation && is_same_type(generation, former.old, type)) type = former.type;
  for (const ComponentRow& row : kComponents)
    if (row.generation == generation && is_same_type(generation, row.type, type)) return &row;
  return nullptr;
}

std::string ComponentReader::type_of_tag(const std::string& token, const Stream::Mark& at) const {
  if (token.size() < 3 || !token.starts_with('<') || !token.ends_with('>') || token[1] == '/' || token[1] == '!')
    stream_.corrupt(at, msg(printable(token), " is where ", Detail("a component"), " should be"));
  return token.substr(1, token.size() - 2);
}

void ComponentReader::read_nnet1(Network& network) {
  network.generation = Generation::Nnet1;
  stream_.accept("<Nnet>");
  while (!network.ends_early && !stream_.at_end()) {
    const Stream::Mark begin = stream_.mark();
    const std::string token = stream_.token();
    if (token == kEndOfNnet) break;
    Component component;
    component.place = stream_.place(begin);
    component.type = type_of_tag(token, begin);
    const ComponentRow* row = find_component(Generation::Nnet1, component.type);
    if (row) {
      component.type = row->type;
      component.outputs = stream_.integer();
      component.inputs = stream_.integer();
      if (component.outputs <= 0 || component.inputs <= 0)
        stream_.corrupt(begin, msg("a component of ", component.inputs, " inputs and ", component.outputs, " outputs"));
      read_fields(*row, component);
      if (stream_.is_before_tag()) stream_.accept(kEndOfComponent);
    } else if (stream_.is_binary()) {
      network.ends_early = true;
    } else {
      read_unknown(stream_, Generation::Nnet1, component);
    }
    for (const Network& part : component.parts) network.ends_early |= part.ends_early;
    network.components.push_back(std::move(component));
  }
}

bool ComponentReader::read_component(Generation generation, Component& component) {
  const ComponentRow* row = find_component(generation, component.type);
  if (!row) {
    if (!stream_.is_binary()) read_unknown(stream_, generation, component);
    return !stream_.is_binary();
  }
  const std::string start = in_brackets(component.type), end = cat("</", component.type, ">");
  stream_.accept(start);
  read_fields(*row, component);
  for (const Network& part : component.parts)
    if (part.ends_early) return false;
  // In old files the start tag stands at the end, too.
  if (!stream_.accept(start)) stream_.expect(end);
  return true;
}

void ComponentReader::read_fields(const ComponentRow& row, Component& component) {
  for (std::string_view items = row.fields;;) {
    const std::string_view item = next_item(items);
    if (item.empty()) break;
    if (item == "U") {
      for (std::string_view header = kHeader; !header.empty();) {
        const Field field(next_item(header));
        if (field.is(stream_.peek())) read_values(field, row, component);
      }
    } else if (item.starts_with('{')) {
      read_set(item.substr(1, item.size() - 2), row, component);
    } else {
      const Field field(item);
      if (field.is_optional && !(stream_.is_before_tag() && field.is(stream_.peek()))) continue;
      read_values(field, row, component);
    }
  }
  finish(component);
}

void ComponentReader::read_set(std::string_view items, const ComponentRow& row, Component& component) {
  for (bool any = true; any && stream_.is_before_tag();) {
    any = false;
    const std::string next = stream_.peek();
    for (std::string_view rest = items; !any && !rest.empty();) {
      const Field field(next_item(rest));
      any = field.is(next);
      if (any) read_values(field, row, component);
    }
  }
}

void ComponentReader::read_values(const Field& field, const ComponentRow& row, Component& component) {
  if (field.has_token) {
    if (field.old.empty() || stream_.peek() != in_brackets(field.old))
      stream_.expect(in_brackets(field.name));
    else
      stream_.token();
  }
  const char kind = field.kinds[0];
  if (kind == 'R' || kind == 'N' || kind == 'B' || kind == 'C') return read_networks(kind, row, component);
  if (field.kinds.size() == 1) return read_value(kind, field, component);
  Ints ints;
  Doubles doubles;
  for (const char one : field.kinds) {
    if (one == 'i')
      ints.push_back(stream_.integer());
    else
      doubles.push_back(stream_.number());
  }
  component.fields.set(field.name, kind == 'i' ? Attribute(ints) : Attribute(doubles));
}

void ComponentReader::read_value(char kind, const Field& field, Component& component) {
  Attribute value;
  switch (kind) {
    case 'i': value = stream_.integer(); break;
    case 'f': value = stream_.number(); break;
    case 'b': value = stream_.boolean(); break;
    case 'v': value = read_vector(stream_); break;
    case 'm': value = read_matrix(stream_); break;
    case 'I': value = stream_.integers(); break;
    case 'P': value = stream_.pairs(); break;
    case 's': value = stream_.token(); break;
    case '-': value = true; break;
    case 'J': value = read_map(); break;
    default: skip_weights(component); return;
  }
  component.fields.set(field.name, std::move(value));
}

/// A list of whole numbers, that old binary files have as numbers, with a wrong last one.
Ints ComponentReader::read_map() {
  if (!stream_.is_binary() || stream_.next_byte() != 'F') return stream_.integers();
  const Stream::Mark begin = stream_.mark();
  const Constant vector = read_vector(stream_);
  const auto numbers = read_doubles(vector, stream_.window().files(), static_cast<uint64_t>(kMostFrames));
  if (!numbers) throw Error(Code::TooDeep, msg("a list of ", vector.elements(), " numbers"), stream_.place(begin));
  Ints out;
  for (const double number : *numbers)
    out.push_back(number > -1 && number < INT32_MAX ? static_cast<int64_t>(number + 0.5) : -1);
  if (!out.empty()) out.back() = static_cast<int64_t>(out.size()) - 1;
  return out;
}

/// A vector for each frame of FrameOffset.
void ComponentReader::skip_weights(const Component& component) {
  const Ints* frames = component.fields.get_if<Ints>("FrameOffset");
  for (size_t i = 0; frames && i < frames->size(); ++i) read_vector(stream_);
}

void ComponentReader::read_networks(char kind, const ComponentRow& row, Component& component) {
  const Stream::Mark begin = stream_.mark();
  const int64_t count = kind == 'R' ? 1 : stream_.integer();
  if (count < 0 || count > kMostParts) stream_.corrupt(begin, msg(count, " parts of a component"));
  if (++depth_ > kMostNested)
    throw Error(Code::TooDeep, msg("components in components, more than ", kMostNested), stream_.place(begin));
  if (kind == 'C') {
    Network network;
    network.generation = row.generation;
    read_list(network, count, false);
    component.parts.push_back(std::move(network));
  } else {
    for (int64_t i = 0; i < count; ++i) {
      if (kind != 'R') {
        stream_.expect(kind == 'N' ? "<NestedNnet>" : "<Basis>");
        stream_.integer();
      }
      component.parts.emplace_back();
      read_nnet1(component.parts.back());
      if (component.parts.back().ends_early) return;
    }
    if (kind == 'N') stream_.expect("</ParallelComponent>");
  }
  --depth_;
}

void ComponentReader::read_list(Network& network, int64_t count, bool has_names) {
  for (int64_t i = 0; i < count && !network.ends_early; ++i) {
    Component component;
    if (has_names) {
      stream_.expect("<ComponentName>");
      component.name = stream_.token();
    }
    stream_.at_end();  // the place is that of the tag, not of the blanks before it
    const Stream::Mark begin = stream_.mark();
    component.place = stream_.place(begin);
    component.type = type_of_tag(stream_.token(), begin);
    network.ends_early = !read_component(network.generation, component);
    network.components.push_back(std::move(component));
  }
}

/// Old forms become those of today.
void ComponentReader::finish(Component& component) {
  Attributes& fields = component.fields;
  if (const double* kept = fields.get_if<double>("DropoutRetention")) {
    const double rate = 1 - *kept;
    fields.erase("DropoutRetention");
    fields.set("DropoutRate", rate);
  }
  const int64_t* left = fields.get_if<int64_t>("LeftContext");
  const int64_t* right = fields.get_if<int64_t>("RightContext");
  if (!component.type.starts_with("Splice") || fields.has("Context")) return;
  if (!left || !right) throw Error(Code::CorruptFile, "a component that splices without its frames", component.place);
  const int64_t first = -*left, last = *right;
  if (last < first || last - first > kMostFrames)
    throw Error(Code::CorruptFile, msg("frames from ", first, " to ", last), component.place);
  Ints context;
  for (int64_t t = first; t <= last; ++t) context.push_back(t);
  fields.erase("LeftContext");
  fields.erase("RightContext");
  fields.set("Context", std::move(context));
}

void name_chain(Network& network) {
  std::set<std::string, std::less<>> known;
  size_t count = 0;  // the nodes that Model Optimizer has before it adds this one: the input, and all before
  for (Component& component : network.components) {
    ++count;
    const std::string type = lower(component.type);
    component.name = known.count(type) ? cat(type, count + 1) : type;
    known.insert(component.name);
  }
}

}  // namespace mo::kaldi
