#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nestor/check.h>
#include <nestor/shard.h>
#include <string>
#include <vector>

// Rules on C and C++ programs, given as LLVM bitcode. Where the library was built without LLVM,
// check_rules() throws Error (Usage).

namespace nestor {

/// A property of programs (docs/rules.md).
struct Rule {
  std::string id;
  std::string title;
  std::string severity;  ///< `error`, `warning`, `note`
  std::string cwe;
  std::string cert;
  std::string scope;
  std::string formula;
  std::string fix;
  std::string assumes;
  bool is_default = true;
};

/// The rules of these files; without any, those that are shipped. Throws Error (Input).
NESTOR_API std::vector<Rule> rules(const std::vector<std::string>& files = {});
/// What a rule means, with an example. Throws Error (Usage) if there is no such rule.
NESTOR_API std::string explain_rule(const std::string& id,
                                    const std::vector<std::string>& files = {});

/// The steps by which rules follow values (docs/c-programs.md), each with those above it: to
/// measure what a step is worth.
enum class ValueStep : std::uint8_t {
  None,        ///< the value that a rule is about, and no other
  Constants,   ///< what can be nothing else, over the whole program
  Outcomes,    ///< what functions return, and flags made of comparisons
  Conditions,  ///< what decides what becomes of the value
  Refutation,  ///< paths are judged by a solver
};

/// What is to be checked.
struct LintRequest {
  std::vector<std::string> programs;         ///< bitcode files of one program
  std::vector<std::string> rule_files = {};  ///< none: the shipped rules
  std::vector<std::string> rule_ids = {};    ///< none: those that are on
  bool all_rules = false;                    ///< with rule_ids empty: also those that are off
  std::string externals = {};                ///< a model of external functions
  std::size_t most_targets = 256;            ///< of one indirect call
  std::string baseline = {};                 ///< a file of warnings that are known
  std::string source_root = {};              ///< files below it are named relative to it
  bool system_headers = false;               ///< warn of them as well
  bool refutes = true;  ///< leaves out warnings whose paths no run can take, where Z3 is there
  ValueStep last_step = ValueStep::Refutation;
  Settings settings = {};  ///< of each question
  /// Called when the program has been read, with what the reader warns of.
  std::function<void(const std::vector<std::string>& warnings, bool over_approximates)> read = {};
  /// Called before each rule: its number, of how many, its id.
  std::function<void(std::size_t, std::size_t, const std::string&)> progress = {};
};

/// What rules say of a program.
class NESTOR_API LintReport {
 public:
  struct Step {
    std::string kind;  ///< `event`, `branch`, `call`, `return`
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string message;
    std::uint32_t depth = 0;  ///< calls that are open
  };
  struct Warning {
    std::string rule;
    std::string severity;
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string function;
    std::string subject;
    std::string message;
    std::string fingerprint;  ///< the same for the same warning after unrelated changes
    std::vector<Step> path;
  };

  std::vector<Warning> warnings() const;
  std::size_t warning_count() const;
  const std::vector<std::string>& unknown() const;  ///< rules without a verdict, and why
  const std::vector<std::string>& notes() const;    ///< what was left out
  std::string summary() const;
  std::string text() const;
  std::string json() const;  ///< as share/nestor/schema/lint.schema.json says
  std::string sarif() const;
  std::string junit() const;
  std::string baseline() const;  ///< a file that makes all these warnings known ones
  Statistics statistics() const;

  struct Impl;  ///< of the library

 private:
  friend NESTOR_API LintReport check_rules(const LintRequest& request);
  friend NESTOR_API LintReport merge_rules(const std::vector<Part>& parts);
  explicit LintReport(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// Checks rules on a program. Throws Error.
NESTOR_API LintReport check_rules(const LintRequest& request);
/// Checks one of several shares of them: Part::content and costs, for merge_rules(). Throws Error.
NESTOR_API Part check_rules(const LintRequest& request, const Shard& shard);
/// What one run says, of the parts that several have found: all of them, as complete_parts() gives
/// them. Needs neither the program nor its sources. Throws Error (Input).
NESTOR_API LintReport merge_rules(const std::vector<Part>& parts);

/// Runs a compiler of C or C++ as usual, and leaves bitcode beside what it makes.
struct CompilerOutcome {
  int status = 0;                     ///< of the compiler
  std::vector<std::string> warnings;  ///< why some bitcode could not be made
};
NESTOR_API CompilerOutcome run_compiler(const std::string& compiler,
                                        const std::vector<std::string>& arguments);

}  // namespace nestor
