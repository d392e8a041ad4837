#pragma once

#include "base/input.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::base {

/// An output file that is compressed if its name ends in `.gz`. Appears whole or not at all.
class TextWriter {
 public:
  explicit TextWriter(const std::string& path);
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;
  ~TextWriter();

  /// Throws Error (System) if the file cannot be written.
  void write(std::string_view text);
  void commit();

 private:
  friend std::string gzip(std::string_view text);
  struct Deflate;
  void compress(std::string_view text, bool last);

  OutputFile file_;
  std::unique_ptr<Deflate> deflate_;  // null: plain text
};

/// A text of less than 4 GB as a compressed file has it.
std::string gzip(std::string_view text);

/// The lines of a file, plain or compressed, without ever holding the whole.
class LineReader {
 public:
  /// `-` is standard input. Throws Error (System).
  static LineReader open(const std::string& path);
  /// The lines of a text, for tests.
  static LineReader from_text(std::string name, std::string_view text);
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) = delete;
  ~LineReader();

  /// The next line, without its end. False at the end of the file. Throws Error: System if the file
  /// cannot be read, Input if what is compressed is damaged or a line is longer than kLongestLine.
  bool next(std::string_view& line);
  /// Of the line read last, from 1.
  std::uint32_t line_number() const { return line_number_; }
  const std::string& name() const { return name_; }

  static constexpr std::size_t kLongestLine = std::size_t{1} << 30;

 private:
  struct Source;
  LineReader(std::string name, std::unique_ptr<Source> source);
  bool fill();

  std::string name_;
  std::unique_ptr<Source> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // what is unread: [begin_, end_)
  std::size_t end_ = 0;
  std::uint32_t line_number_ = 0;
};

}  // namespace nestor::base
