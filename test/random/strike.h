#pragma once

#include "base/limits.h"
#include "base/random.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace nestor::test {

/// Something that ends a piece of work: too many steps, or an allocation that fails, the one with
/// the number `at`. Only one thing at a time is struck, and only once.
struct Strike {
  enum class Kind : std::uint8_t { Steps, Memory };

  Kind kind = Kind::Steps;
  std::uint64_t at = 1;

  base::Limits limits() const {
    base::Limits limits;
    limits.steps = kind == Kind::Steps ? std::optional(at) : std::nullopt;
    return limits;
  }
};

struct Struck {
  bool ended = false;  ///< the work did not come to its end
  bool any = false;    ///< ended, or an allocation failed and the work found another way
};
/// Runs `work` while the strike's allocation fails, if it is one of memory.
Struck run_under(const Strike& strike, const std::function<void()>& work);

/// What was struck, and what was wrong afterwards.
class Report {
 public:
  /// `what` is struck by each number from 1 on that matters: first by powers of two, until there is
  /// nothing left to strike, then by `samples` others below. `ask` says whether it was struck.
  void sweep(std::string_view what, base::Random& random, std::size_t samples,
             const std::function<bool(const Strike&)>& ask);

  void expect(bool condition, const std::function<std::string()>& problem);
  std::size_t strikes() const;
  std::size_t failures() const { return failures_; }
  void print() const;

 private:
  bool count(std::string_view what, const Strike& strike, bool struck);

  std::map<std::string, std::size_t, std::less<>> strikes_;  // by what was struck
  std::string now_;                                          // what is being struck
  std::size_t failures_ = 0;
};

/// The parts of the test; each strikes what it makes from `random`.
void strike_engines(base::Random& random, Report& report);
void strike_explored(base::Random& random, Report& report);
void strike_evidence(base::Random& random, Report& report);
void strike_commands(base::Random& random, Report& report);

}  // namespace nestor::test
