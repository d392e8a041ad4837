#pragma once

#include "base/input.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::base {

/// A JSON document as a tree, for files that are small beside what they are about. Errors (Input)
/// name the file, and for what is no JSON the place.
class JsonTree {
 public:
  static JsonTree parse(const Input& input);

  bool has(std::string_view key) const;
  JsonTree member(std::string_view key) const;  ///< of an object
  std::vector<JsonTree> list(std::string_view key) const;
  std::vector<JsonTree> items() const;  ///< of a list

  // The value of a member, or the value itself.
  std::string text(std::string_view key) const { return member(key).text(); }
  std::string text() const;
  std::uint64_t number(std::string_view key) const { return member(key).number(); }
  std::uint64_t number() const;
  double real(std::string_view key) const;
  bool flag(std::string_view key) const;
  std::vector<std::string> keys() const;  ///< of an object, in order
  /// As JSON again.
  std::string json() const;

  /// Refuses the file.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  struct Document;

  JsonTree(std::shared_ptr<const Document> document, const void* value)
      : document_(std::move(document)), value_(value) {}
  const void* find(std::string_view key) const;

  std::shared_ptr<const Document> document_;
  const void* value_;
};

/// Bytes as a text that JSON can hold whatever they are, and back: each is a character of that
/// number. The second throws Error (Input) naming `file`.
std::string text_of_bytes(std::string_view bytes);
std::string bytes_of_text(std::string_view text, const std::string& file);

}  // namespace nestor::base
