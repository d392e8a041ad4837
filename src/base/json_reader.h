#pragma once

#include "base/input.h"
#include "base/simdjson.h"

#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::base {

static_assert(Input::kPadding >= simdjson::SIMDJSON_PADDING);

/// What an object may hold. Keys are referred to by their place in `keys`.
template <std::size_t kCount>
struct JsonShape {
  const char* what;  ///< for messages
  std::array<std::string_view, kCount> keys;
  std::uint32_t required;  ///< one bit for each key
};

/// A string of the file and where it begins.
struct JsonText {
  std::string_view text;
  Offset at = 0;
};

/// JSON as simdjson's on-demand interface gives it, with errors that say where and what: the part
/// of a reader that does not know the format. Values are read in the order of the file, once.
class JsonReader {
 protected:
  using Object = simdjson::ondemand::object;
  using Value = simdjson::ondemand::value;

  explicit JsonReader(const Input& input) : input_(input), begin_(input.text().data()) {}

  /// The object that the file is. Throws Error (Unsupported) for a file of more than 4 GiB.
  Object begin();
  /// Nothing may follow it.
  void end();

  // Errors.
  [[noreturn]] void fail(std::string message, std::size_t at) const;
  [[noreturn]] void fail_syntax() const;
  [[noreturn]] void fail_duplicate(std::string_view key, const char* what, Offset at) const;
  [[noreturn]] void fail_missing(std::string_view key, const char* what, Offset at) const;
  [[noreturn]] void fail_type(Value& value, std::string_view what, const char* expected) const;

  // JSON.
  Offset offset(const char* place) const { return static_cast<Offset>(place - begin_); }
  Offset offset(Value& value) const { return offset(value.raw_json_token().data()); }
  template <std::size_t kCount>
  std::size_t key_index(simdjson::ondemand::field& field, const JsonShape<kCount>& shape) const;
  template <std::size_t kCount, class Visit>
  std::uint32_t for_each_member(Object object, const JsonShape<kCount>& shape, Visit visit);
  template <std::size_t kCount, class Visit>
  std::uint32_t read_object(Value& value, const JsonShape<kCount>& shape, Visit visit);
  template <std::size_t kCount>
  void require(std::uint32_t seen, std::uint32_t needed, const JsonShape<kCount>& shape,
               Offset at) const;
  template <class Visit>
  void read_array(Value& value, std::string_view what, Visit visit);
  void skip(Value& value) const;
  void take_string(Value& value) const;
  JsonText text(Value& value, std::string_view what);
  JsonText name(Value& value, std::string_view what);
  bool boolean(Value& value, std::string_view what) const;
  /// `expected`: how a message calls what is wanted.
  std::uint32_t number(Value& value, std::string_view what, std::uint32_t least,
                       const char* expected) const;
  void texts(Value& value, std::string_view what, std::vector<JsonText>& list);

  const Input& input_;
  const char* begin_;

 private:
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
};

/// The place of the field's key in the shape; kCount for a key that is not there.
template <std::size_t kCount>
std::size_t JsonReader::key_index(simdjson::ondemand::field& field,
                                  const JsonShape<kCount>& shape) const {
  const char* const raw = field.key().raw();
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string_view key = shape.keys[i];
    // The padding makes looking past the end of the file safe. The end tells most keys apart.
    if (raw[key.size()] == '"' && std::memcmp(raw, key.data(), key.size()) == 0) {
      return i;
    }
  }
  const char* end = raw;
  while (*end != '"' && *end != '\\') {
    ++end;
  }
  if (*end == '"') {
    return kCount;
  }
  std::string_view unescaped;
  if (field.unescaped_key().get(unescaped) != simdjson::SUCCESS) {
    fail_syntax();
  }
  for (std::size_t i = 0; i < kCount; ++i) {
    if (unescaped == shape.keys[i]) {
      return i;
    }
  }
  return kCount;
}

/// Calls visit(key, value) for each key of the shape and skips the others; the keys seen.
template <std::size_t kCount, class Visit>
std::uint32_t JsonReader::for_each_member(Object object, const JsonShape<kCount>& shape,
                                          Visit visit) {
  std::uint32_t seen = 0;
  for (auto member : object) {
    if (member.error() != simdjson::SUCCESS) {
      fail_syntax();
    }
    simdjson::ondemand::field field = member.value_unsafe();
    const char* const key = field.key().raw() - 1;
    const std::size_t index = key_index(field, shape);
    if (index == kCount) {
      skip(field.value());
      continue;
    }
    if ((seen >> index & 1) != 0) {
      fail_duplicate(shape.keys[index], shape.what, offset(key));
    }
    seen |= 1U << index;
    visit(index, field.value());
  }
  return seen;
}

template <std::size_t kCount, class Visit>
std::uint32_t JsonReader::read_object(Value& value, const JsonShape<kCount>& shape, Visit visit) {
  const Offset at = offset(value);
  Object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) {
    fail_type(value, shape.what, "an object");
  }
  const std::uint32_t seen = for_each_member(object, shape, visit);
  require(seen, shape.required, shape, at);
  return seen;
}

template <std::size_t kCount>
void JsonReader::require(std::uint32_t seen, std::uint32_t needed, const JsonShape<kCount>& shape,
                         Offset at) const {
  const std::uint32_t missing = needed & ~seen;
  if (missing != 0) {
    const auto key = static_cast<std::size_t>(std::countr_zero(missing));
    fail_missing(shape.keys[key], shape.what, at);
  }
}

template <class Visit>
void JsonReader::read_array(Value& value, std::string_view what, Visit visit) {
  simdjson::ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) {
    fail_type(value, what, "an array");
  }
  for (auto element : array) {
    if (element.error() != simdjson::SUCCESS) {
      fail_syntax();
    }
    simdjson::ondemand::value item = element.value_unsafe();
    visit(item);
  }
}

}  // namespace nestor::base
