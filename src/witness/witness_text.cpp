#include "witness/witness_text.h"

#include "logic/printer.h"
#include "witness/path_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

namespace nestor::witness {

namespace {

using Kind = Evidence::Kind;
using Ending = Evidence::Ending;

constexpr std::size_t kMostPieces = 40;    // of evidence that are shown
constexpr std::size_t kMostAlong = 2;      // of the states of a path, with evidence of their own
constexpr std::size_t kMostFormula = 120;  // bytes of a formula
constexpr std::size_t kMostIndentedLevels = 12;  // levels of the tree

class Printer {
 public:
  Printer(const model::Rsm& model, const logic::FormulaPool& pool, const Witness& witness,
          bool whole_states)
      : pool_(pool), witness_(witness), paths_(model, pool, witness, whole_states) {}

  std::string print() {
    const Evidence& first = witness_.evidence[witness_.roots.front()];
    if (first.kind == Kind::All) {
      return "    no path can be evidence: this is about all paths\n";
    }
    // What is open, the next one last; pieces that are shown are not shown again.
    for (auto root = witness_.roots.rbegin(); root != witness_.roots.rend(); ++root) {
      open_.push_back({*root, 0, {}});
    }
    while (!open_.empty()) {
      const Item item = open_.back();
      open_.pop_back();
      if (!shown_.insert(item.evidence).second) {
        line(item, "{}: see [{}]", claim(item.evidence), item.evidence.value());
      } else if (shown_.size() > kMostPieces) {
        fmt::format_to(std::back_inserter(out_), "    … more evidence: --json has all of it\n");
        break;
      } else {
        piece(item);
      }
    }
    return std::move(out_);
  }

 private:
  struct Item {
    EvidenceId evidence;
    std::size_t level = 0;
    std::string prefix;
  };

  std::string claim(EvidenceId e) const {
    const Claim& c = witness_.evidence[e].claim;
    return fmt::format("{} {}", formula(c.formula), c.holds ? "holds" : "fails");
  }
  std::string formula(logic::FormulaId f) const {
    std::string text = logic::to_string(pool_, f);
    if (text.size() > kMostFormula) {
      std::size_t end = kMostFormula;
      while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) {
        --end;  // not inside a character
      }
      text = text.substr(0, end) + "…";
    }
    return text;
  }
  static std::size_t indent(const Item& item) {
    return 4 + 2 * std::min(item.level, kMostIndentedLevels);
  }
  template <class... Arguments>
  void line(const Item& item, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), "{:{}}{}", "", indent(item), item.prefix);
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    out_.push_back('\n');
  }
  void open(const Item& parent, EvidenceId e, std::string prefix) {
    open_.push_back({e, parent.level + 1, std::move(prefix)});
  }

  void piece(const Item& item) {
    const Evidence& e = witness_.evidence[item.evidence];
    const std::string what = fmt::format("[{}] {}", item.evidence.value(), claim(item.evidence));
    switch (e.kind) {
      case Kind::Fact:
        line(item, "{} at {}", what, paths_.state_text(e.state));
        break;
      case Kind::Form:
        line(item, "{} everywhere, by its form", what);
        break;
      case Kind::Parts:
        line(item, "{} at {}:", what, paths_.state_text(e.state));
        for (auto part = e.parts.rbegin(); part != e.parts.rend(); ++part) {
          open(item, *part, {});
        }
        break;
      case Kind::All:
        line(item, "{} at {}: about all paths, none can show it", what, paths_.state_text(e.state));
        break;
      case Kind::Decided:
        line(item, "{} at {}: not shown, nestor replay decides it", what,
             paths_.state_text(e.state));
        break;
      case Kind::Next:
      case Kind::Until:
      case Kind::Always:
      case Kind::Path:
        path(item, e, what);
        break;
    }
  }

  void path(const Item& item, const Evidence& e, const std::string& what) {
    const auto steps = [](std::size_t count) {
      return fmt::format("{} step{}", count, count == 1 ? "" : "s");
    };
    if (e.ending == Ending::Loop) {
      line(item, "{}: {}, then a loop of {}", what, steps(e.loop), steps(e.steps.size() - e.loop));
    } else if (e.ending == Ending::DeadEnd) {
      line(item, "{}: {} to a dead end", what, steps(e.steps.size()));
    } else {
      line(item, "{}: {}", what, steps(e.steps.size()));
    }
    paths_.append(out_, e, indent(item));
    if (witness_.fairness > 0 && e.ending != Ending::Joins) {
      fmt::format_to(std::back_inserter(out_), "{:{}}{}\n", "", indent(item) + 2,
                     e.ending == Ending::Loop ? "the loop satisfies every fairness constraint"
                                              : "a fair path goes on from there");
    }
    // A path formula may have several formulas inside that are told of each place.
    const std::size_t each = e.kind == Kind::Path ? e.along.size() / along_count(e) : 1;
    for (std::size_t i = std::min(e.along.size(), kMostAlong); i-- > 0;) {
      const std::size_t left = e.along.size() - kMostAlong;
      open(item, e.along[i],
           i + 1 == kMostAlong && e.along.size() > kMostAlong
               ? fmt::format("at step {} (and {} more: see --json): ", i / each, left)
               : fmt::format("at step {}: ", i / each));
    }
    for (auto part = e.parts.rbegin(); part != e.parts.rend(); ++part) {
      open(item, *part, "at the end: ");
    }
  }

  const logic::FormulaPool& pool_;
  const Witness& witness_;
  PathText paths_;
  std::string out_;
  std::vector<Item> open_;
  std::set<EvidenceId> shown_;
};

}  // namespace

std::string witness_text(const model::Rsm& model, const logic::FormulaPool& pool,
                         const Witness& witness, bool whole_states) {
  return Printer(model, pool, witness, whole_states).print();
}

}  // namespace nestor::witness
