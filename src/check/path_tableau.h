#pragma once

#include "check/path_certificate.h"

#include <map>
#include <span>
#include <vector>

namespace nestor::check {

/// What the states of the automaton of a formula `E path` mean: which transitions of theirs a
/// letter allows, to which acceptance sets these belong, and whether they are all that are needed
/// (docs/certificates.md). A letter is by place in leaves().
class PathTableau {
 public:
  using Number = std::uint32_t;  // of a formula in the certificate
  using Letter = std::vector<bool>;
  using Sets = std::uint64_t;  // by place in sets()
  static constexpr std::size_t kMostSets = 64;

  /// The certificate must outlive this.
  PathTableau(const PathCertificate& certificate, const std::vector<bool>& is_path, Number formula);

  /// The path formula and what stands in it, down to state formulas.
  const std::set<Number>& closure() const { return closure_; }
  const std::vector<Number>& leaves() const { return leaves_; }
  /// The U of the path formula; the formula with E itself if there are none.
  const std::vector<Number>& sets() const { return sets_; }
  /// Formulas that a state may know to have been true before.
  const std::set<Number>& past() const { return past_; }

  /// The sets of a transition of a state, by its place there.
  Sets sets_of(std::uint32_t state, std::uint32_t transition) const;
  /// By number, each one of sets().
  Sets sets_of(const std::vector<Number>& sets) const;
  bool allows(const Letter& letter, std::uint32_t state, std::uint32_t transition);
  bool may_end(const Letter& letter, std::uint32_t state) const;
  /// Whether every word that begins with the letter and is as the state asks can go on.
  bool is_complete(const Letter& letter, std::uint32_t state);

 private:
  /// What must be true: of this letter, and then of the next one.
  struct Case {
    std::vector<Number> open;
    std::set<Number> done;
    std::set<Number> next;
    std::set<Number> remembered;
    Sets put_off = 0;
  };

  std::map<Number, bool> truth(const Letter& letter, std::uint32_t state,
                               const PathCertificate::Transition* next) const;
  bool was_true(std::uint32_t state, Number f, bool at_first) const;
  bool decide(Case& now, const Letter& letter, std::uint32_t state,
              std::vector<Case>& others) const;
  bool is_covered(const Case& now, const Letter& letter, std::uint32_t state);
  bool is_past(Number f) const;
  Sets set_bit(Number f) const;

  const PathCertificate& c_;
  const std::vector<bool>& is_path_;
  Number formula_;
  std::set<Number> closure_;
  std::vector<Number> leaves_;
  std::vector<Number> sets_;
  std::set<Number> past_;
  bool has_until_ = false;
  std::map<std::pair<Letter, std::pair<std::uint32_t, std::uint32_t>>, bool> known_;
  std::map<std::pair<Letter, std::uint32_t>, bool> complete_;
};

}  // namespace nestor::check
