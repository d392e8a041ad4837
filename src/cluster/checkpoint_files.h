#pragma once

#include "base/input.h"
#include "base/sha256.h"
#include "cluster/checkpoint.h"

#include <fstream>
#include <string>
#include <vector>

namespace nestor::cluster {

/// Words to a file, and in the end their SHA-256.
class Checkpoint::PartWriter {
 public:
  explicit PartWriter(const std::string& path) : file_(path) {}

  void word(Word value) {
    buffer_.push_back(value);
    if (buffer_.size() == kBuffer) {
      flush();
    }
  }
  void number(std::uint64_t value) {
    word(static_cast<Word>(value));
    word(static_cast<Word>(value >> 32));
  }
  void text(std::string_view text);
  void commit();

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16;
  void flush();

  base::OutputFile file_;
  base::Sha256 hash_;
  std::vector<Word> buffer_;
};

/// The same read again. The constructor reads the file once to compare the SHA-256, and refuses one
/// that is not as it was written.
class Checkpoint::PartReader {
 public:
  explicit PartReader(std::string path);

  Word word();
  std::uint64_t number() {
    const std::uint64_t low = word();
    return low | std::uint64_t{word()} << 32;
  }
  /// Of the length of `expected`. True if it is that.
  bool text(std::string_view expected);
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16;

  std::string path_;
  std::ifstream file_;
  std::vector<Word> buffer_;
  std::size_t next_ = 0;
  std::uint64_t left_ = 0;  // words that are not in the buffer yet
};

}  // namespace nestor::cluster
