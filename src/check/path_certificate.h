#pragma once

#include "check/certificate_frame.h"

#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace nestor::check {

/// A certificate of the second kind as it stands in the file (docs/certificates.md): for formulas
/// of CTL*, by automata. Every name is known to the model, every position lies in its component.
/// Whether what it says is true is for path_rules to find out.
struct PathCertificate : CertificateFrame {
  /// An exit and the state in which its letter is to be read.
  struct Exit {
    std::uint32_t exit = 0;
    std::uint32_t state = 0;

    friend auto operator<=>(const Exit&, const Exit&) = default;
  };
  struct Transition {
    std::uint32_t state = 0;
    std::vector<std::uint32_t> sets;  // formulas, by number
  };
  /// A state of the automaton of an E.
  struct State {
    std::set<std::uint32_t> obligations;  // formulas, by number
    std::set<std::uint32_t> before;
    std::vector<Transition> next;
    std::uint32_t line = 0;
  };
  struct Reach {
    Exit exit;
    std::vector<std::uint32_t> sets;  // formulas, by number
  };
  struct Context {
    std::set<Exit> exits;
    std::uint32_t line = 0;
  };
  /// `fact` and `point`: a way. `dead` and `deadpoint`: none is accepted.
  struct Item {
    enum class Choice : std::uint8_t { Here, End, Stay, Step };

    bool is_dead = false;
    std::uint32_t formula = 0;
    std::uint32_t instance = 0;
    model::NodeId point;  // a plain node or a return node
    std::uint32_t state = 0;
    std::uint32_t rank = 0;
    std::uint32_t set = kNone;  // none: any
    std::uint32_t line = 0;
    // Of facts:
    bool to_good = false;
    Exit target;
    Choice choice = Choice::Here;
    std::uint32_t successor = 0;
    std::uint32_t transition = 0;  // of the automaton's state
    bool returns = false;          // by `through`
    Exit through;
    bool marked = false;
    bool arrives = false;
    // Of the dead, ascending:
    std::vector<Reach> reach;
  };

  std::vector<std::vector<State>> states;       // by formula
  std::vector<std::string> values;              // by formula, by node row: '0', '1' or '-'
  std::vector<std::uint32_t> value_lines;       // by instance × formula; 0: no line, nothing known
  std::vector<Context> good_exits, dead_exits;  // by instance × formula
  std::vector<Item> items;                      // in the order of the file
};

/// Reads what follows the first line. Throws Refusal for what is damaged, Error as LineReader.
PathCertificate read_path_certificate(base::LineReader& lines, const model::Rsm& model,
                                      logic::FormulaPool& pool);

/// Throws Refusal unless the certificate obeys the rules.
void check_path_certificate(const model::Rsm& model, const PathCertificate& certificate,
                            const logic::FormulaPool& pool);

}  // namespace nestor::check
