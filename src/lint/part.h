#pragma once

#include "base/input.h"
#include "base/json_tree.h"
#include "lint/findings.h"

#include <string>
#include <vector>

namespace nestor::lint {

/// What one of several runs hands on, so that a report can be made of all of them, by whoever has
/// neither the program nor its sources.
struct Part {
  struct RuleFile {
    std::string name;
    std::string text;
  };

  std::vector<std::string> programs = {};
  std::string source_root = {};
  std::vector<RuleFile> rule_files = {};  ///< none: the shipped rules
  std::vector<std::string> rules = {};    ///< ids of those that were checked
  std::vector<std::string> known = {};    ///< fingerprints of the baseline
  bool system_headers = false;
  Findings findings = {};
};

/// One JSON object. Texts keep all their bytes. `all` has the rules that were checked, in order.
std::string write_part(const Part& part, const std::vector<const Rule*>& all);

/// Reads it in two steps, since the rest of a part tells which rules its findings are of. Throws
/// Error (Input).
class PartReader {
 public:
  explicit PartReader(const base::Input& input);

  const Part& part() const { return part_; }  ///< without findings
  Findings findings(const std::vector<const Rule*>& rules) const;

 private:
  std::string file_;
  base::JsonTree json_;
  Part part_;
};

}  // namespace nestor::lint
