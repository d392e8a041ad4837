#include "base/json_reader.h"

#include "base/inline.h"
#include "base/json_syntax.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

namespace nestor::base {

JsonReader::Object JsonReader::begin() {
  const std::string_view text = input_.text();
  if (text.size() > std::numeric_limits<Offset>::max() - simdjson::SIMDJSON_PADDING) {
    throw Error(Error::Kind::Unsupported, "larger than 4 GiB", {input_.name(), 0, 0});
  }
  Object object;
  simdjson::ondemand::json_type type{};
  if (parser_.iterate(text.data(), text.size(), text.size() + Input::kPadding).get(document_) !=
          simdjson::SUCCESS ||
      document_.type().get(type) != simdjson::SUCCESS) {
    fail_syntax();
  }
  if (type != simdjson::ondemand::json_type::object) {
    if (const std::optional<SyntaxError> error = find_syntax_error(text)) {
      fail(error->message, error->at);
    }
    fail("the file is no object, expected '{'", text.find_first_not_of(" \t\n\r"));
  }
  if (document_.get_object().get(object) != simdjson::SUCCESS) {
    fail_syntax();
  }
  return object;
}

void JsonReader::end() {
  if (document_.current_location().error() != simdjson::OUT_OF_BOUNDS) {  // something follows
    fail_syntax();
  }
}

void JsonReader::fail(std::string message, std::size_t at) const {
  throw Error(Error::Kind::Input, std::move(message), input_.locate(at));
}

/// simdjson has refused the file.
void JsonReader::fail_syntax() const {
  if (const std::optional<SyntaxError> error = find_syntax_error(input_.text())) {
    fail(error->message, error->at);
  }
  fail("not readable as JSON", 0);
}

void JsonReader::fail_duplicate(std::string_view key, const char* what, Offset at) const {
  fail(fmt::format("duplicate key '{}' in a {}", key, what), at);
}

void JsonReader::fail_missing(std::string_view key, const char* what, Offset at) const {
  fail(fmt::format("{} without '{}'", what, key), at);
}

void JsonReader::fail_type(Value& value, std::string_view what, const char* expected) const {
  const std::string_view token = value.raw_json_token();
  const Offset at = offset(token.data());
  // What is no value at all shows as a wrong type, too; and `true` with something stuck to it.
  const bool is_word = token.front() == 't' || token.front() == 'f' || token.front() == 'n';
  const std::size_t end = at + (is_word ? token.find_last_not_of(" \t\n\r") + 1 : 0);
  if (const std::optional<SyntaxError> error = find_syntax_error(input_.text());
      error && error->at <= end) {
    fail(error->message, error->at);
  }
  const char* found = "a number";
  switch (token.front()) {
    case '{':
      found = "an object";
      break;
    case '[':
      found = "an array";
      break;
    case '"':
      found = "a string";
      break;
    case 't':
    case 'f':
      found = "a boolean";
      break;
    case 'n':
      found = "null";
      break;
    default:
      break;
  }
  fail(fmt::format("{} is {}, expected {}", what, found, expected), at);
}

/// A string that is only looked at is passed over as a key is, with a ':' and a value behind it.
NESTOR_INLINE void JsonReader::take_string(Value& value) const {
  if (value.get_raw_json_string().error() != simdjson::SUCCESS) {
    fail_syntax();
  }
}

/// simdjson only counts brackets in what nobody asks for; a broken file is to be refused anyway.
void JsonReader::skip(Value& value) const {
  std::string_view token = value.raw_json_token();
  if (token.front() == '{' || token.front() == '[') {
    if (simdjson::to_json_string(value).get(token) != simdjson::SUCCESS) {
      fail_syntax();
    }
  }
  if (token != "{}" && find_syntax_error(token)) {
    fail_syntax();
  }
  if (token.front() == '"') {
    take_string(value);
  }
}

JsonText JsonReader::text(Value& value, std::string_view what) {
  std::string_view token = value.raw_json_token();
  const Offset at = offset(token.data());
  if (token.front() != '"') {
    fail_type(value, what, "a string");
  }
  // The token reaches to the next one: the closing quote is what stands before the blanks there.
  token.remove_suffix(token.size() - 1 - token.find_last_of('"'));
  if (std::memchr(token.data(), '\\', token.size()) == nullptr) {
    take_string(value);
    return {token.substr(1, token.size() - 2), at};
  }
  std::string_view unescaped;
  if (find_syntax_error(token) || value.get_string().get(unescaped) != simdjson::SUCCESS) {
    fail_syntax();
  }
  return {unescaped, at};
}

JsonText JsonReader::name(Value& value, std::string_view what) {
  const JsonText found = text(value, what);
  if (found.text.empty()) {
    fail(fmt::format("{} is empty, expected a name", what), found.at);
  }
  return found;
}

bool JsonReader::boolean(Value& value, std::string_view what) const {
  bool found = false;
  if (value.get_bool().get(found) != simdjson::SUCCESS) {
    fail_type(value, what, "true or false");
  }
  return found;
}

std::uint32_t JsonReader::number(Value& value, std::string_view what, std::uint32_t least,
                                 const char* expected) const {
  const Offset at = offset(value);
  const char first = *value.raw_json_token().data();
  if (first != '-' && (first < '0' || first > '9')) {
    fail_type(value, what, expected);
  }
  std::uint64_t found = 0;
  if (value.get_uint64().get(found) != simdjson::SUCCESS || found < least ||
      found > std::numeric_limits<std::uint32_t>::max()) {
    if (const std::optional<SyntaxError> error = find_syntax_error(input_.text());
        error && error->at <= at) {
      fail(error->message, error->at);
    }
    fail(fmt::format("{} is out of range, expected an integer from {} to 4294967295", what, least),
         at);
  }
  return static_cast<std::uint32_t>(found);
}

void JsonReader::texts(Value& value, std::string_view what, std::vector<JsonText>& list) {
  list.clear();
  read_array(value, what, [&](Value& item) { list.push_back(text(item, "array element")); });
}

}  // namespace nestor::base
