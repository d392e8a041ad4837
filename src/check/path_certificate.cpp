#include "check/path_certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nestor::check {

namespace {

constexpr std::array kPathOperators = {FrameReader::Operator{"true", logic::Op::True},
                                       FrameReader::Operator{"false", logic::Op::False},
                                       FrameReader::Operator{"ap", logic::Op::Atom},
                                       FrameReader::Operator{"not", logic::Op::Not},
                                       FrameReader::Operator{"or", logic::Op::Or},
                                       FrameReader::Operator{"and", logic::Op::And},
                                       FrameReader::Operator{"E", logic::Op::E},
                                       FrameReader::Operator{"X", logic::Op::X},
                                       FrameReader::Operator{"U", logic::Op::U},
                                       FrameReader::Operator{"R", logic::Op::R},
                                       FrameReader::Operator{"Y", logic::Op::Y},
                                       FrameReader::Operator{"Z", logic::Op::Z},
                                       FrameReader::Operator{"S", logic::Op::S},
                                       FrameReader::Operator{"T", logic::Op::T}};

class PathReader final : public FrameReader {
 public:
  PathReader(base::LineReader& lines, const model::Rsm& model, logic::FormulaPool& pool)
      : FrameReader(lines, model, pool, c_) {}

  PathCertificate read() {
    FrameReader::read(kPathOperators);
    return std::move(c_);
  }

 private:
  using Item = PathCertificate::Item;

  /// The number of a formula with E.
  std::uint32_t exists_number() {
    const std::uint32_t f = formula_number();
    expect(c_.formulas[f].op == logic::Op::E, "expected a formula with E");
    return f;
  }
  /// What commas join, visited one by one; or `none`.
  template <class Visit>
  void list(Visit visit) {
    const std::string_view field = word();
    if (field == "none") {
      return;
    }
    for (std::size_t from = 0, end = 0; end < field.size(); from = end + 1) {
      end = std::min(field.find(',', from), field.size());
      visit(field.substr(from, end - from));
    }
  }

  /// The numbers that follow in a field, each after a ':'.
  std::vector<std::uint32_t> sets(std::string_view field, std::size_t end) const {
    std::vector<std::uint32_t> found;
    while (end < field.size()) {
      const std::size_t from = end + 1;
      end = std::min(field.find(':', from), field.size());
      found.push_back(below(number(field.substr(from, end - from)), c_.formulas.size(), "formula"));
    }
    return found;
  }

  bool head_line() override {
    if (!rest().starts_with("state ")) {
      return false;
    }
    word();
    c_.states.resize(c_.formulas.size());
    const std::uint32_t f = exists_number();
    expect(number(word()) == c_.states[f].size(), "expected states to be numbered from 0 upwards");
    PathCertificate::State state;
    state.line = line_number();
    for (std::set<std::uint32_t>* formulas : {&state.obligations, &state.before}) {
      list([&](std::string_view field) {
        formulas->insert(below(number(field), c_.formulas.size(), "formula"));
      });
    }
    list([&](std::string_view field) {
      PathCertificate::Transition transition;
      const std::size_t end = std::min(field.find(':'), field.size());
      transition.state = number(field.substr(0, end));
      transition.sets = sets(field, end);
      state.next.push_back(std::move(transition));
    });
    c_.states[f].push_back(std::move(state));
    return true;
  }

  void end_head() override {
    c_.values.resize(c_.formulas.size());
    c_.states.resize(c_.formulas.size());
    for (std::size_t f = 0; f < c_.formulas.size(); ++f) {
      expect(c_.formulas[f].op != logic::Op::E || !c_.states[f].empty(),
             "expected a line 'state' for each E before this");
    }
    for (const std::vector<PathCertificate::State>& states : c_.states) {
      for (const PathCertificate::State& state : states) {
        for (const PathCertificate::Transition& next : state.next) {
          if (next.state >= states.size()) {
            throw Refusal{state.line, fmt::format("there is no state {}", next.state)};
          }
        }
      }
    }
  }

  void begin_instance() override {
    const std::size_t places = c_.instances.size() * c_.formulas.size();
    c_.value_lines.resize(places);
    c_.good_exits.resize(places);
    c_.dead_exits.resize(places);
  }
  void end_instance() override {
    for (std::string& values : c_.values) {
      values.resize(next_.node, '-');
    }
  }
  /// Of a formula in the instance being read.
  std::size_t place(std::uint32_t f) const {
    return c_.value_lines.size() - c_.formulas.size() + f;
  }

  void value() override {
    const std::uint32_t f = formula_number();
    expect(c_.value_lines[place(f)] == 0, "second values for this formula");
    c_.value_lines[place(f)] = line_number();
    const std::string_view digits = take_rest();
    expect(digits.size() == component_->plain_nodes().size() &&
               digits.find_first_not_of("01-") == std::string_view::npos,
           "expected 0, 1 or - for each node");
    c_.values[f] += digits;
  }

  /// `exit:state`, or a part of a field that begins so.
  PathCertificate::Exit exit_at(model::ComponentId component, std::uint32_t f,
                                std::string_view field) const {
    const std::size_t colon = field.find(':');
    expect(colon != std::string_view::npos, "expected an exit and a state joined by ':'");
    PathCertificate::Exit found;
    found.exit = exit_named(component, field.substr(0, colon));
    found.state = below(number(field.substr(colon + 1)), c_.states[f].size(), "state");
    return found;
  }

  void context() override {
    const std::uint32_t f = exists_number();
    const std::string_view kind = word();
    expect(kind == "good" || kind == "dead", "expected 'good' or 'dead'");
    PathCertificate::Context& context =
        kind == "good" ? c_.good_exits[place(f)] : c_.dead_exits[place(f)];
    expect(context.line == 0, "a second context for this formula");
    context.line = line_number();
    while (!rest().empty()) {
      context.exits.insert(exit_at(c_.instances.back().component, f, word()));
    }
  }

  Item item(bool is_return) {
    Item item;
    item.formula = exists_number();
    item.instance = static_cast<std::uint32_t>(c_.instances.size() - 1);
    item.line = line_number();
    item.point = point(is_return);
    item.state = number_below(c_.states[item.formula].size(), "state");
    return item;
  }

  void fact(bool is_return) override {
    Item fact = item(is_return);
    const std::string_view target = word();
    fact.to_good = target == "good";
    if (!fact.to_good) {
      fact.target = exit_at(c_.instances.back().component, fact.formula, target);
    }
    const std::string_view set = word();
    if (set != "any") {
      fact.set = below(number(set), c_.formulas.size(), "formula");
    }
    fact.rank = number(word());
    const std::string_view choice = word();
    if (choice == "here" || choice == "end") {
      fact.choice = choice == "here" ? Item::Choice::Here : Item::Choice::End;
    } else {
      step(fact, choice);
    }
    c_.items.push_back(std::move(fact));
  }

  void step(Item& fact, std::string_view choice) {
    model::NodeId next;
    fact.choice = choice == "stay" ? Item::Choice::Stay : Item::Choice::Step;
    if (fact.choice == Item::Choice::Step) {
      const std::span<const model::NodeId> successors = model_.successors(fact.point);
      fact.successor = number(choice);
      expect(fact.successor < successors.size(), "there is no such successor to choose");
      next = successors[fact.successor];
    }
    fact.transition = number_below(c_.states[fact.formula][fact.state].next.size(), "transition");
    std::string_view more = rest().empty() ? std::string_view() : word();
    if (more == "through") {
      expect(next.valid() && model_.kind(next) == model::NodeKind::Call,
             "only a call returns through an exit");
      fact.returns = true;
      fact.through = exit_at(model_.box(model_.box_of(next)).callee, fact.formula, word());
      more = rest().empty() ? std::string_view() : word();
      fact.marked = more == "marked";
      if (fact.marked) {
        more = rest().empty() ? std::string_view() : word();
      }
    }
    fact.arrives = more == "arrive";
    expect(fact.arrives || more.empty(), "expected 'through', 'marked' or 'arrive'");
  }

  void dead(bool is_return) override {
    Item dead = item(is_return);
    dead.is_dead = true;
    dead.rank = number(word());
    dead.set = formula_number();
    list([&](std::string_view field) {
      // exit:state, then :set for each set.
      const std::size_t first = field.find(':');
      const std::size_t end = std::min(
          first == std::string_view::npos ? first : field.find(':', first + 1), field.size());
      PathCertificate::Reach reach;
      reach.exit = exit_at(c_.instances.back().component, dead.formula, field.substr(0, end));
      reach.sets = sets(field, end);
      dead.reach.push_back(std::move(reach));
    });
    // In one order, so that the first fault is the same however they are listed.
    std::ranges::sort(dead.reach, {}, &PathCertificate::Reach::exit);
    const auto same = std::ranges::adjacent_find(dead.reach, {}, &PathCertificate::Reach::exit);
    expect(same == dead.reach.end(), "an exit and state twice");
    c_.items.push_back(std::move(dead));
  }

  PathCertificate c_;
};

}  // namespace

PathCertificate read_path_certificate(base::LineReader& lines, const model::Rsm& model,
                                      logic::FormulaPool& pool) {
  return PathReader(lines, model, pool).read();
}

}  // namespace nestor::check
