#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace nestor::base {

/// Where an item stands in an input, in bytes; Input::locate() turns it into line and column.
using Offset = std::uint32_t;

/// The text of one input file, followed by kPadding zero bytes that readers may look at.
class Input {
 public:
  static constexpr std::size_t kPadding = 64;

  /// Reads a file whole; `-` is standard input. Throws Error (System).
  static Input read(const std::string& path);
  /// A copy of `text`, for tests and for formulas from the command line.
  static Input from_text(std::string name, std::string_view text);

  /// For messages: the path, `<stdin>` for `-`.
  const std::string& name() const { return name_; }
  std::string_view text() const { return {data_.get(), size_}; }
  std::size_t size() const { return size_; }
  /// Line and column of a byte; counts lines from the beginning, so only for messages.
  SourceLocation locate(std::size_t offset) const;

 private:
  Input(std::string name, std::unique_ptr<char[]> data, std::size_t size)
      : name_(std::move(name)), data_(std::move(data)), size_(size) {}

  std::string name_;
  std::unique_ptr<char[]> data_;
  std::size_t size_;
};

/// A file that appears whole or not at all: written beside its place, moved there by commit().
/// `-` is standard output. Without commit() nothing is left behind. What exists and is no file,
/// such as /dev/null or a pipe, is written to at once.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Throws Error (System) if the file cannot be written.
  void write(std::string_view text);
  void commit();

 private:
  std::string path_;
  std::string temporary_;  // empty if there is none, and after commit()
  int descriptor_ = -1;
};

}  // namespace nestor::base
