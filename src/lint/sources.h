#pragma once

#include "lint/warning.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nestor::lint {

/// The source files that warnings are in, as far as they can be read.
class Sources {
 public:
  /// Empty if the file or the line does not exist.
  std::string_view line(const std::string& file, std::uint32_t number);

 private:
  struct File {
    std::string text;
    std::vector<std::size_t> starts;  // of lines
  };

  std::unordered_map<std::string, File> files_;
};

/// Looks up what the sources say of each warning: Warning::source_line and is_suppressed. A warning
/// on a line, or below a line, with the comment `nestor: ignore RULE…` is suppressed; without a
/// rule that is about all of them. So is one of a result that is ignored by a cast to void.
void look_up(std::vector<Warning>& warnings, Sources& sources);
void drop_suppressed(std::vector<Warning>& warnings);

/// Removes warnings about code of the system's headers, which is not the user's to mend.
void drop_system_headers(std::vector<Warning>& warnings);

/// Gives each warning its fingerprint: of the rule, the file, the function, what it is about and
/// the text of its line, which look_up() found; not of the line's number.
void add_fingerprints(std::vector<Warning>& warnings, const std::string& source_root);

/// `file` relative to `root` if it lies below, else as it is.
std::string relative_to(const std::string& file, const std::string& root);

/// The fingerprints of a baseline file: one at the beginning of each line; `#` starts a comment.
/// Throws Error (Input).
std::vector<std::string> read_baseline(const base::Input& input);
std::string write_baseline(const std::vector<Warning>& warnings, const std::string& source_root);

}  // namespace nestor::lint
