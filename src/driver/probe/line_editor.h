#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace nestor::driver {

/// Reads lines: with editing, history and completion from a terminal, plainly from anything else.
/// At most one at a time, since readline has one state for the whole process.
class LineEditor {
 public:
  /// All words that may stand at the cursor, given the line up to it; those that do not begin with
  /// `word` are left out.
  using Complete =
      std::function<std::vector<std::string>(const std::string& line, const std::string& word)>;

  LineEditor(std::istream* in, bool terminal, Complete complete);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor();

  /// Nothing at the end of the input.
  std::optional<std::string> read(const std::string& prompt);

 private:
  std::istream* in_;
  bool terminal_;
};

}  // namespace nestor::driver
