#include "core/front/pytorch/load/pickle.h"

#include <unordered_map>

#include "core/base/text.h"

namespace mo::pytorch {
namespace {

constexpr size_t kMostPickled = 1 << 20;
constexpr uint64_t kLongestText = 1 << 15;

/// The machine of pickles: a stack of values, marks in it, and a memo.
class PickleReader {
 public:
  using Kind = Pickle::Kind;
  PickleReader(Window& window, uint64_t begin, uint64_t end, bool (*is_known)(std::string_view),
               std::vector<Pickle::Value>& values)
      : window_(window), at_(begin), end_(end), is_known_(is_known), values_(values) {}

  uint32_t read() {
    for (;;) {
      begin_ = at_;
      const auto opcode = static_cast<char>(number(1));
      switch (opcode) {
        case '.': return pop();
        case '\x80': number(1); break;
        case '(': marks_.push_back(stack_.size()); break;
        case 'N': add(Kind::None); break;
        case '\x88': add(Kind::Bool).number = 1; break;
        case '\x89': add(Kind::Bool); break;
        case 'K': add_number(number(1)); break;
        case 'M': add_number(number(2)); break;
        case 'J': add_number(static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(number(4))))); break;
        case '\x8a': add_number(long_number()); break;
        case 'X': add_text(text(number(4))); break;
        case ')': add(Kind::Tuple); break;
        case ']': add(Kind::List); break;
        case '}': add(Kind::Dict); break;
        case 't': add_items(Kind::Tuple, above_mark()); break;
        case '\x85': add_items(Kind::Tuple, top(1)); break;
        case '\x86': add_items(Kind::Tuple, top(2)); break;
        case '\x87': add_items(Kind::Tuple, top(3)); break;
        case 'c': add_global(); break;
        case 'q': memo_[number(1)] = peek(); break;
        case 'r': memo_[number(4)] = peek(); break;
        case 'h': recall(number(1)); break;
        case 'j': recall(number(4)); break;
        case 'Q': add_items(Kind::Persistent, top(1)); break;
        case 'R': call(); break;
        case 's': extend(Kind::Dict, top(2)); break;
        case 'u': extend(Kind::Dict, above_mark()); break;
        case 'a': extend(Kind::List, top(1)); break;
        case 'e': extend(Kind::List, above_mark()); break;
        case 'b': pop(); break;  // the state of an object: metadata of a dictionary of weights
        default:
          throw Error(Code::UnsupportedForm, msg("a pickle with the opcode ", static_cast<unsigned char>(opcode)),
                      window_.place(begin_));
      }
    }
  }

 private:
  using Items = std::vector<uint32_t>;

  [[noreturn]] void corrupt(const Detail& what) const { throw Error(Code::CorruptFile, what, window_.place(begin_)); }
  uint64_t number(size_t bytes) {
    if (end_ - at_ < bytes) throw Error(Code::TruncatedFile, "a pickle", window_.place(at_));
    uint64_t out = 0;
    for (size_t i = 0; i < bytes; ++i) out |= static_cast<uint64_t>(window_.byte(at_++)) << (8 * i);
    return out;
  }
  uint64_t long_number() {
    const uint64_t bytes = number(1);
    if (bytes > 8) corrupt("a number of more than 64 bits");
    const uint64_t value = number(static_cast<size_t>(bytes));
    const bool is_negative = bytes > 0 && bytes < 8 && ((value >> (8 * bytes - 1)) & 1) != 0;
    return is_negative ? value | (~uint64_t{0} << (8 * bytes)) : value;
  }
  std::string text(uint64_t size) {
    if (size > kLongestText) throw Error(Code::TooDeep, msg("a text of ", size, " bytes"), window_.place(begin_));
    std::string out;
    for (uint64_t i = 0; i < size; ++i) out += static_cast<char>(number(1));
    return out;
  }
  std::string line() {
    std::string out;
    for (char c = static_cast<char>(number(1)); c != '\n'; c = static_cast<char>(number(1))) {
      if (out.size() >= kLongestText)
        throw Error(Code::TooDeep, msg("a text of ", out.size(), " bytes"), window_.place(begin_));
      out += c;
    }
    return out;
  }

  Pickle::Value& add(Kind kind) {
    if (values_.size() >= kMostPickled)
      throw Error(Code::TooDeep, msg("more than ", kMostPickled, " values"), window_.place(begin_));
    stack_.push_back(static_cast<uint32_t>(values_.size()));
    Pickle::Value& value = values_.emplace_back();
    value.kind = kind, value.offset = begin_;
    return value;
  }
  void add_number(uint64_t value) { add(Kind::Int).number = static_cast<int64_t>(value); }
  void add_text(std::string value) { add(Kind::Text).text = std::move(value); }
  void add_items(Kind kind, Items items) { add(kind).items = std::move(items); }

  uint32_t peek() const {
    if (stack_.size() <= lowest()) corrupt("a pickle that takes more than there is");
    return stack_.back();
  }
  uint32_t pop() {
    const uint32_t out = peek();
    stack_.pop_back();
    return out;
  }
  size_t lowest() const { return marks_.empty() ? 0 : marks_.back(); }
  Items top(size_t count) {
    if (stack_.size() - lowest() < count) corrupt("a pickle that takes more than there is");
    Items out(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return out;
  }
  Items above_mark() {
    if (marks_.empty()) corrupt("a pickle that takes more than there is");
    Items out = top(stack_.size() - marks_.back());
    marks_.pop_back();
    return out;
  }
  void recall(uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) corrupt("a pickle that names what it has not made");
    stack_.push_back(found->second);
  }
  void extend(Kind kind, const Items& items) {
    Pickle::Value& value = values_[peek()];
    if (value.kind != kind || (kind == Kind::Dict && items.size() % 2 != 0)) corrupt("a pickle with a broken list");
    value.items.insert(value.items.end(), items.begin(), items.end());
  }

  void add_global() {
    std::string name = line();
    name += ' ';
    name += line();
    if (!is_known_(name))
      throw Error(Code::UnsupportedForm, msg("a pickle that would run ", printable(name)), window_.place(begin_));
    add(Kind::Global).text = std::move(name);
  }
  void call() {
    const Items parts = top(2);
    const Pickle::Value& callee = values_[parts[0]];
    const Pickle::Value& arguments = values_[parts[1]];
    if (callee.kind != Kind::Global || arguments.kind != Kind::Tuple) corrupt("a pickle that calls no function");
    std::string name = callee.text;
    Items items = arguments.items;
    const bool is_dictionary = name == "collections OrderedDict";
    Pickle::Value& made = add(is_dictionary ? Kind::Dict : Kind::Call);
    if (is_dictionary) return;
    arguments_ += items.size();  // a tuple may be the arguments of many calls
    if (arguments_ > kMostPickled)
      throw Error(Code::TooDeep, msg("more than ", kMostPickled, " values"), window_.place(begin_));
    made.text = std::move(name), made.items = std::move(items);
  }

  Window& window_;
  uint64_t at_, end_, begin_ = 0;
  bool (*is_known_)(std::string_view);
  std::vector<Pickle::Value>& values_;
  Items stack_;
  std::vector<size_t> marks_;
  size_t arguments_ = 0;
  std::unordered_map<uint64_t, uint32_t> memo_;
};

}  // namespace

Pickle::Pickle(Window& window, uint64_t begin, uint64_t end, bool (*is_known)(std::string_view)) {
  root_ = PickleReader(window, begin, end, is_known, values_).read();
}

}  // namespace mo::pytorch
