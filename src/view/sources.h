#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nestor/witness.h>
#include <set>
#include <string>
#include <vector>

namespace nestor::view {

/// The source files that paths lead through, as a page shows them. A model names the files, and
/// may name any file of this machine: only those are read that lie in folders the user has named.
class Sources {
 public:
  /// Without folders nothing is read.
  explicit Sources(const std::vector<std::string>& folders);

  void add(const std::string& file, std::uint32_t line);
  void add(const Witness& witness);
  bool empty() const { return lines_.empty(); }

  /// {"name": [{"first": 1, "lines": [text, …]}, …], …}: whole files, of long ones what is near the
  /// lines that were added. Files that cannot be read are left out, and so is what is too much.
  std::string document() const;

 private:
  /// The file, if it may be read.
  std::string find(const std::string& file) const;

  std::vector<std::filesystem::path> folders_;
  std::map<std::string, std::set<std::uint32_t>> lines_;  // by file
};

}  // namespace nestor::view
