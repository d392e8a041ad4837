#include "base/json_tree.h"

#include <fmt/format.h>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <utility>

namespace nestor::base {

namespace {

const rapidjson::Value& value_at(const void* place) {
  return *static_cast<const rapidjson::Value*>(place);
}

}  // namespace

struct JsonTree::Document {
  std::string file;
  rapidjson::Document json;
};

JsonTree JsonTree::parse(const Input& input) {
  auto document = std::make_shared<Document>();
  document->file = input.name();
  // Iteratively: how deep it is nested must not be what the stack can bear.
  document->json.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(
      input.text().data(), input.size());
  if (document->json.HasParseError()) {
    const std::size_t at = document->json.GetErrorOffset();
    throw Error(Error::Kind::Input,
                at >= input.size()
                    ? "the file ends in the middle of its JSON"
                    : fmt::format("no JSON: {}",
                                  rapidjson::GetParseError_En(document->json.GetParseError())),
                input.locate(std::min(at, input.size())));
  }
  const void* root = static_cast<const rapidjson::Value*>(&document->json);
  return {std::move(document), root};
}

void JsonTree::fail(const std::string& what) const {
  throw Error(Error::Kind::Input, what, {document_->file, 0, 0});
}

const void* JsonTree::find(std::string_view key) const {
  const rapidjson::Value& value = value_at(value_);
  if (!value.IsObject()) {
    fail(fmt::format("expected an object with '{}'", key));
  }
  const auto found =
      value.FindMember(rapidjson::Value(key.data(), static_cast<rapidjson::SizeType>(key.size())));
  return found == value.MemberEnd() ? nullptr : &found->value;
}

bool JsonTree::has(std::string_view key) const {
  return value_at(value_).IsObject() && find(key) != nullptr;
}

JsonTree JsonTree::member(std::string_view key) const {
  const void* found = find(key);
  if (found == nullptr) {
    fail(fmt::format("'{}' is missing", key));
  }
  return {document_, found};
}

std::vector<JsonTree> JsonTree::list(std::string_view key) const {
  return member(key).items();
}

std::vector<JsonTree> JsonTree::items() const {
  const rapidjson::Value& value = value_at(value_);
  if (!value.IsArray()) {
    fail("expected a list");
  }
  std::vector<JsonTree> items;
  for (const rapidjson::Value& item : value.GetArray()) {
    items.push_back({document_, &item});
  }
  return items;
}

std::string JsonTree::text() const {
  const rapidjson::Value& value = value_at(value_);
  if (!value.IsString()) {
    fail("expected a text");
  }
  return {value.GetString(), value.GetStringLength()};
}

std::uint64_t JsonTree::number() const {
  const rapidjson::Value& value = value_at(value_);
  if (!value.IsUint64()) {
    fail("expected a number");
  }
  return value.GetUint64();
}

double JsonTree::real(std::string_view key) const {
  const JsonTree found = member(key);
  const rapidjson::Value& value = value_at(found.value_);
  if (!value.IsNumber()) {
    fail(fmt::format("'{}' is no number", key));
  }
  return value.GetDouble();
}

bool JsonTree::flag(std::string_view key) const {
  const JsonTree found = member(key);
  const rapidjson::Value& value = value_at(found.value_);
  if (!value.IsBool()) {
    fail(fmt::format("'{}' is neither true nor false", key));
  }
  return value.GetBool();
}

std::vector<std::string> JsonTree::keys() const {
  const rapidjson::Value& value = value_at(value_);
  if (!value.IsObject()) {
    fail("expected an object");
  }
  std::vector<std::string> keys;
  for (const auto& member : value.GetObject()) {
    keys.emplace_back(member.name.GetString(), member.name.GetStringLength());
  }
  return keys;
}

std::string JsonTree::json() const {
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  value_at(value_).Accept(writer);
  return {out.GetString(), out.GetSize()};
}

std::string text_of_bytes(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text.push_back(c);
    } else {  // two bytes of UTF-8
      text.push_back(static_cast<char>(0xC0U | byte >> 6U));
      text.push_back(static_cast<char>(0x80U | (byte & 0x3FU)));
    }
  }
  return text;
}

std::string bytes_of_text(std::string_view text, const std::string& file) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      bytes.push_back(text[i]);
    } else if ((byte == 0xC2 || byte == 0xC3) && i + 1 < text.size()) {
      bytes.push_back(static_cast<char>(static_cast<unsigned>(byte) << 6U |
                                        (static_cast<unsigned char>(text[++i]) & 0x3FU)));
    } else {
      throw Error(Error::Kind::Input, "a text has characters that stand for no byte", {file, 0, 0});
    }
  }
  return bytes;
}

}  // namespace nestor::base
