#pragma once

#include "base/json.h"

#include <concepts>
#include <cstdint>
#include <rapidjson/writer.h>
#include <string>
#include <string_view>

namespace nestor::base {

/// A text as RapidJSON's output stream.
struct JsonSink {
  using Ch = char;

  void Put(char c) {  // NOLINT(readability-identifier-naming): as RapidJSON calls it
    if (spaced && (c == ',' || c == ':')) {
      text.append(c == ',' ? ", " : ": ", 2);
    } else {
      text.push_back(c);
    }
  }
  void Flush() {}  // NOLINT(readability-identifier-naming)

  std::string& text;
  bool spaced = false;  ///< behind separators
};

/// RapidJSON's writer, with line breaks where the caller wants them: files and reports are for
/// people too. Strings are not left to RapidJSON, since names in models need not be UTF-8.
///
///   JsonWriter json(out);
///   json.begin_object().member("engine", "summary").begin_array("results");
///   for (…) { json.line().value(…); }
///   json.end_array().end_object();
class JsonWriter : private JsonSink, private rapidjson::Writer<JsonSink> {
 public:
  enum class Spaces : std::uint8_t { None, BehindSeparators };

  explicit JsonWriter(std::string& out, Spaces spaces = Spaces::None)
      : JsonSink{out, false},
        Base(static_cast<JsonSink&>(*this)),
        is_spaced_(spaces == Spaces::BehindSeparators) {}

  /// What comes next, be it the end of a list or an object, begins a line.
  JsonWriter& line(std::size_t indent = 0) {
    breaks_ = true;
    indent_ = indent;
    return *this;
  }

  JsonWriter& begin_object() {
    separate(rapidjson::kObjectType);
    new (level_stack_.Push<Level>()) Level(false);
    WriteStartObject();
    return *this;
  }
  JsonWriter& end_object() {
    break_line();
    EndObject();
    return *this;
  }
  JsonWriter& begin_array() {
    separate(rapidjson::kArrayType);
    new (level_stack_.Push<Level>()) Level(true);
    WriteStartArray();
    return *this;
  }
  JsonWriter& end_array() {
    break_line();
    EndArray();
    return *this;
  }

  /// `name`: one that needs no escapes.
  JsonWriter& key(std::string_view name) {
    separate(rapidjson::kStringType);
    append_quoted(text, name);
    return *this;
  }
  /// A truth value, a number that is not negative, or a text.
  template <class Value>
  JsonWriter& value(const Value& value) {
    if constexpr (std::same_as<Value, bool>) {
      separate(value ? rapidjson::kTrueType : rapidjson::kFalseType);
      WriteBool(value);
    } else if constexpr (std::unsigned_integral<Value>) {
      separate(rapidjson::kNumberType);
      WriteUint64(value);
    } else {
      separate(rapidjson::kStringType);
      append_json_string(text, value);
    }
    return *this;
  }
  JsonWriter& seconds(double value) { return json(six_decimals(value)); }
  /// A value that is JSON already.
  JsonWriter& json(std::string_view value) {
    separate(rapidjson::kObjectType);
    text.append(value);
    return *this;
  }

  // With their names, in objects.
  JsonWriter& begin_object(std::string_view name) { return key(name).begin_object(); }
  JsonWriter& begin_array(std::string_view name) { return key(name).begin_array(); }
  template <class Value>
  JsonWriter& member(std::string_view name, const Value& value) {
    return key(name).value(value);
  }

 private:
  using Base = rapidjson::Writer<JsonSink>;

  void separate(rapidjson::Type type) {
    spaced = is_spaced_ && !breaks_;
    Prefix(type);
    break_line();
  }
  void break_line() {
    if (breaks_) {
      text.push_back('\n');
      text.append(indent_, ' ');
      breaks_ = false;
    }
  }

  bool is_spaced_;
  bool breaks_ = false;
  std::size_t indent_ = 0;
};

}  // namespace nestor::base
