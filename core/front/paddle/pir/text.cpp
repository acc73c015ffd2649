#include "core/front/paddle/pir/text.h"

#include "core/base/text.h"
#include "core/front/paddle/pir/attributes.h"

namespace mo::paddle::pir {
namespace {

constexpr size_t kMostBlocks = 1 << 16;
constexpr JsonLimits kLimits;

/// Follows the text: what is structure becomes blocks and operations, and what is not, values of the object around it.
class Reader final : public JsonEvents {
 public:
  explicit Reader(Window& window) : window_(window) {}

  Text take() {
    if (out_.blocks.empty()) throw Error(Code::NoGraph, {}, json_place(window_, {}));
    if (top_.size() != 1)
      throw Error(Code::CorruptFile, msg("the program has ", top_.size(), " blocks"), json_place(window_, {}));
    return std::move(out_);
  }

  bool scalar(const JsonScalar& value, const JsonPlace& place) override {
    if (levels_.empty() || is_structure_list(levels_.back().what))
      throw Error(Code::CorruptFile, "an object has to be here", json_place(window_, place));
    values_.add(value, key_, place);
    key_.clear();
    return true;
  }
  bool key(std::string_view name, const JsonPlace&) override {
    key_ = name;
    return true;
  }
  bool begin(bool is_object, const JsonPlace& place) override {
    Level level{.what = next_level(is_object, place), .item = static_cast<uint32_t>(values_.size()), .place = place};
    if (!is_structure_list(level.what)) values_.open(is_object, level.what == What::Value ? key_ : "", place);
    key_.clear();
    if (level.what == What::Block) open_block(level);
    levels_.push_back(std::move(level));
    return true;
  }
  bool end(const JsonPlace& place) override {
    Level level = std::move(levels_.back());
    levels_.pop_back();
    if (is_structure_list(level.what)) {
      if (level.what == What::Regions) give_regions(level);
      return true;
    }
    values_.close(level.item);
    if (level.what == What::Value) return true;
    with_place([&] { return json_place(window_, level.place); }, [&] { close_structure(level, place); });
    values_.cut(level.item);
    return true;
  }

 private:
  enum class What { Value, Root, Program, Regions, Region, Blocks, Block, Operations, Operation };
  struct Level {
    What what;
    uint32_t item;
    JsonPlace place;
    size_t block = 0;             ///< of a block
    std::vector<size_t> regions;  ///< the blocks of an operation's or the program's regions, or of a region
  };

  static bool is_structure_list(What what) {
    return what == What::Regions || what == What::Blocks || what == What::Operations;
  }

  What next_level(bool is_object, const JsonPlace& place) const {
    if (levels_.empty()) return wanted(What::Root, true, is_object, place);
    const What around = levels_.back().what;
    switch (around) {
      case What::Regions: return wanted(What::Region, true, is_object, place);
      case What::Blocks: return wanted(What::Block, true, is_object, place);
      case What::Operations: return wanted(What::Operation, true, is_object, place);
      case What::Root: return key_ == "program" ? wanted(What::Program, true, is_object, place) : What::Value;
      case What::Region: return key_ == "blocks" ? wanted(What::Blocks, false, is_object, place) : What::Value;
      case What::Block: return key_ == "ops" ? wanted(What::Operations, false, is_object, place) : What::Value;
      case What::Program:
      case What::Operation: return key_ == "regions" ? wanted(What::Regions, false, is_object, place) : What::Value;
      default: return What::Value;
    }
  }
  What wanted(What what, bool wants_object, bool is_object, const JsonPlace& place) const {
    if (wants_object == is_object) return what;
    if (wants_object) throw Error(Code::CorruptFile, "an object has to be here", json_place(window_, place));
    throw Error(Code::CorruptFile, "a list has to be here", json_place(window_, place));
  }

  void open_block(Level& level) {
    if (out_.blocks.size() == kMostBlocks)
      throw Error(Code::TooDeep, msg("more than ", kMostBlocks, " blocks"), json_place(window_, level.place));
    level.block = out_.blocks.size();
    out_.blocks.emplace_back().place = {.line = level.place.line, .column = level.place.column};
  }

  /// Each region of an operation has one block, or none if it does nothing.
  void give_regions(Level& level) {
    if (levels_.back().what == What::Program)
      top_ = std::move(level.regions);
    else
      levels_.back().regions = std::move(level.regions);
  }

  void close_structure(Level& level, const JsonPlace& end) {
    const JsonValue value(values_, level.item);
    switch (level.what) {
      case What::Root:
        out_.version = value["base_code"]["version"].integer().value_or(0);
        if (value["base_code"]["magic"].text() != "pir") throw Error(Code::CorruptFile, "base_code.magic is not 'pir'");
        break;
      case What::Region:
        if (level.regions.size() > 1) throw Error(Code::UnsupportedForm, "a region of several blocks");
        // The list of regions is around it.
        levels_.back().regions.push_back(level.regions.empty() ? kNoBlock : level.regions[0]);
        break;
      case What::Block:
        read_arguments(value, out_.blocks[level.block]);
        levels_[levels_.size() - 2].regions.push_back(level.block);
        break;
      case What::Operation: {
        Operation made = read_operation(value);
        made.regions = std::move(level.regions);
        made.place = {.start = level.place.offset,
                      .offset = level.place.offset,
                      .size = end.offset + 1 - level.place.offset,
                      .line = level.place.line,
                      .column = level.place.column};
        // Behind it are the list of operations and the block.
        out_.blocks[levels_[levels_.size() - 2].block].operations.push_back(std::move(made));
        break;
      }
      default: break;
    }
  }

  static void read_arguments(const JsonValue& value, Block& block) {
    value["args"].each([&](const JsonValue& argument) { block.arguments.push_back(read_value(argument)); });
    // Entries without a key are copies of arguments.
    value["kwargs"].each([&](const JsonValue& argument) {
      const auto key = argument["key"].text();
      if (!key) return;
      block.arguments.push_back(read_value(argument));
      block.arguments.back().name = *key;
    });
  }

  Window& window_;
  Text out_;
  JsonValues values_;
  std::string key_;
  std::vector<Level> levels_;
  std::vector<size_t> top_;
};

/// Collects an operation without its regions: what they have in them is that of other operations.
class OperationReader final : public JsonEvents {
 public:
  bool scalar(const JsonScalar& value, const JsonPlace& place) override {
    if (!skipped_) values_.add(value, key_, place);
    key_.clear();
    return true;
  }
  bool key(std::string_view name, const JsonPlace&) override {
    key_ = name;
    return true;
  }
  bool begin(bool is_object, const JsonPlace& place) override {
    if (skipped_ || (open_.size() == 1 && key_ == "regions"))
      ++skipped_;
    else
      open_.push_back(values_.open(is_object, key_, place));
    key_.clear();
    return true;
  }
  bool end(const JsonPlace&) override {
    if (skipped_) return --skipped_, true;
    values_.close(open_.back());
    open_.pop_back();
    return true;
  }
  const JsonValues& values() const { return values_; }

 private:
  JsonValues values_;
  std::string key_;
  std::vector<uint32_t> open_;
  int skipped_ = 0;  ///< objects and lists that are open, and left out
};

/// Looks for base_code.magic.
class Scanner final : public JsonEvents {
 public:
  static constexpr uint64_t kFar = 64 << 10;

  bool scalar(const JsonScalar& value, const JsonPlace& place) override {
    if (depth_ != 2 || around_ != "base_code" || key_ != "magic") return goes_on(place);
    const auto* text = std::get_if<std::string_view>(&value);
    is_program_ = text && *text == "pir";
    return false;
  }
  bool key(std::string_view name, const JsonPlace& place) override {
    if (depth_ == 1) around_ = name;
    if (depth_ == 2) key_ = name;
    begins_like_one_ |= depth_ == 2 && around_ == "program" && name == "regions";
    return goes_on(place);
  }
  /// A program has objects, where symbols of MXNet have lists.
  bool begin(bool is_object, const JsonPlace& place) override { return (++depth_ > 2 || is_object) && goes_on(place); }
  bool end(const JsonPlace&) override { return --depth_, true; }

  bool is_program() const { return is_program_; }
  bool begins_like_one() const { return begins_like_one_; }

 private:
  /// Other JSON is not read to its end.
  bool goes_on(const JsonPlace& place) const { return begins_like_one_ || place.offset < kFar; }
  int depth_ = 0;
  std::string around_, key_;
  bool is_program_ = false, begins_like_one_ = false;
};

}  // namespace

Text read_text(Window& window) {
  Reader reader(window);
  read_json(window, kLimits, reader);
  return reader.take();
}

bool is_program(Files& files, FileId file) {
  Window window(files, file);
  Scanner scanner;
  // What is too long to be read needs no more than its beginning.
  const uint64_t end = window.size() > kLimits.bytes ? Scanner::kFar : window.size();
  try {
    read_json(window, 0, end, kLimits, scanner);
  } catch (const Error&) {
    return scanner.begins_like_one() || scanner.is_program();
  }
  return scanner.is_program();
}

Operation read_head(Window& window, uint64_t offset, uint64_t size) {
  OperationReader reader;
  read_json(window, offset, offset + size, kLimits, reader);
  Operation out;
  if (reader.values().size() == 0) return out;
  const JsonValue value(reader.values(), 0);
  out.name = full_name(value["#"].text().value_or(""));
  if (value["A"].at(0).is(JsonValues::Kind::Object)) out.attributes = read_attributes(value["A"]);
  return out;
}

}  // namespace mo::paddle::pir
