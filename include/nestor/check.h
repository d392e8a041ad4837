#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nestor/formula.h>
#include <nestor/model.h>
#include <nestor/settings.h>
#include <nestor/witness.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor {

/// What was asked for, or why there is none: a limit that was reached, or what the model has.
template <class T>
struct Answer {
  std::optional<T> value;
  std::string reason;

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }
  const T* operator->() const { return &*value; }
};

/// Counters and times by dotted name.
struct Statistics {
  std::map<std::string, std::uint64_t> counters;
  std::map<std::string, double> seconds;
};

/// The values of all subformulas of one formula everywhere. An instance is a procedure under one
/// kind of calling context; the first is the initial procedure under the empty stack. Values are of
/// the rows of all instances together, a row a node. Where only infinite paths count, the formula
/// is one that says so, and true in states that have none.
class NESTOR_API Labelling {
 public:
  struct Instance {
    std::string procedure;
    std::size_t first_row = 0;  ///< of its nodes, in the order of Model::components()
    std::size_t rows = 0;
    std::vector<std::size_t> callees = {};  ///< by box, in that order: the instance it calls
  };
  /// How the fixpoint of EG or EU is approached on a model without calls: X₀, X₁, … until
  /// X_steps = X_(steps - 1). For EG, X₀ has all states and each X is part of the one before; for
  /// EU, X₀ has none and each X holds the one before.
  struct Approximations {
    bool grows = false;                  ///< EU
    std::size_t steps = 0;               ///< number of the last X
    std::vector<std::uint32_t> changed;  ///< by row: the first X that a state is in, or not in any
                                         ///< more; 0: that never happens
    bool contains(std::size_t x, std::size_t row) const {
      const bool has_changed = changed[row] != 0 && changed[row] <= x;
      return grows == has_changed;
    }
  };

  std::size_t rows() const;
  std::vector<Instance> instances() const;
  std::size_t size() const;  ///< subformulas, of the formula's existential normal form
  std::string subformula(std::size_t number) const;  ///< the last one is the whole
  /// Bit i of word w is the value in row 64 w + i. Valid as long as this object or a copy.
  std::span<const std::uint64_t> words(std::size_t number) const;
  /// The context of an instance for a subformula that begins with EX, EG or EU: the exits after
  /// whose return some successor satisfies it (of EX φ: satisfies φ). Nothing for other
  /// subformulas.
  std::optional<std::vector<std::string>> context(std::size_t number, std::size_t instance) const;
  /// Of a subformula that begins with EG or EU, if the model has no calls; else nothing.
  std::optional<Approximations> approximations(std::size_t number) const;
  bool value(std::size_t number, std::size_t row) const {
    return ((words(number)[row / 64] >> (row % 64)) & 1) != 0;
  }

  struct Impl;  ///< of the library

 private:
  friend class Session;
  explicit Labelling(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// The local checks of a procedure under a context that decide one formula, in their order; told by
/// the engines `rks` and `rks-incremental`.
struct CheckOrder {
  struct Check {
    std::string procedure;
    std::string context;    ///< for each EX, EG and EU in the formula t or f, the outermost first
    std::size_t round = 0;  ///< of the fixpoint, from 1 on; 0: before it
  };
  struct Part {
    std::string formula;     ///< begins with EG or EU
    std::size_t pairs = 0;   ///< of procedure and context that are checked
    std::size_t rounds = 0;  ///< of the fixpoint
    std::vector<Check> checks;
  };
  std::vector<Part> parts;  ///< operands first
};

/// Questions about one model and their answers, each found when it is first asked for, and once.
/// Not for several threads at a time; different sessions about different models share nothing.
class NESTOR_API Session {
 public:
  /// Throws Error (Usage) for an engine that does not exist.
  explicit Session(Model model, Settings settings = {});
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  const Model& model() const;
  const Settings& settings() const;

  /// Asks whether every initial state satisfies a formula; also after others have been answered.
  /// The number that its answers are asked for by. Throws Error (Input) for an atom that makes no
  /// sense in the model.
  std::size_t ask(const Formula& formula);
  std::size_t ask(std::string_view text) { return ask(Formula::parse(text)); }
  std::size_t question_count() const;
  const Formula& formula(std::size_t question) const;

  /// Decides all that is asked and not decided, together.
  const Result& verdict(std::size_t question);
  /// True if it is decided: verdict() only looks it up.
  bool is_decided(std::size_t question) const;
  /// Evidence for the verdict. Set Settings::wants_evidence, and models are explored once.
  Answer<Witness> witness(std::size_t question);
  Answer<Labelling> labelling(std::size_t question);
  /// How the engine finds the values, if it is `rks` or `rks-incremental`.
  Answer<CheckOrder> check_order(std::size_t question);
  /// Why the verdict cannot be certified, whatever the limits; empty if it can.
  std::string not_certifiable(std::size_t question);
  /// Writes a proof of the verdict (docs/certificates.md), piece by piece. Empty, or why it could
  /// not be finished.
  std::string certificate(std::size_t question, const std::function<void(std::string_view)>& write);
  Answer<std::string> certificate(std::size_t question);

  std::string engine();  ///< the id of the one that decides
  /// What is odd about the model and the formulas, for people.
  std::vector<std::string> warnings();
  /// Those that could not be given before, now that the model is explored.
  std::vector<std::string> later_warnings();
  Statistics statistics() const;

  struct Impl;  ///< of the library

 private:
  std::shared_ptr<Impl> impl_;
};

/// The answer to one question.
NESTOR_API Result decide(const Model& model, const Formula& formula, const Settings& settings = {});
/// To many: they are decided together.
NESTOR_API std::vector<Result> decide(const Model& model, std::span<const Formula> formulas,
                                      const Settings& settings = {});

/// What a certificate proves.
struct Verification {
  bool accepted = false;
  bool holds = false;      ///< if accepted: whether the model satisfies the formula
  std::uint32_t line = 0;  ///< if not: the line at fault
  std::string why;         ///< and what is wrong there, by which rule
};
/// A text, or the path of a file that has it.
struct Document {
  std::string path = {};  ///< empty: `text` is all
  std::string text = {};
};
/// Checks a certificate, for the formula if one is given. Trusts no engine.
NESTOR_API Verification verify(const Model& model, const Document& certificate,
                               const Formula* formula = nullptr, const Settings& settings = {});

/// What came of checking a witness.
struct Replay {
  enum class Outcome : std::uint8_t {
    Accepted,
    Rejected,
    Unknown,  ///< nothing is wrong, but a claim about all paths could not be decided
  };
  Outcome outcome = Outcome::Accepted;
  bool holds = false;  ///< what the witness says of the formula
  std::string reason;  ///< of the other outcomes
};
/// Checks the witness for `formula` in a JSON text: one that Witness::json() wrote, or all that
/// `nestor check --json --witness` did. Trusts no engine.
NESTOR_API Replay replay(const Model& model, const Formula& formula, const Document& witness,
                         const Settings& settings = {});

/// An algorithm.
struct Engine {
  std::string id;
  std::string description;
  std::string source;  ///< where it is from
  bool is_default = false;
};
NESTOR_API std::vector<Engine> engines();
/// Throws Error (Usage) listing the known ids.
NESTOR_API Engine find_engine(std::string_view id);

}  // namespace nestor
