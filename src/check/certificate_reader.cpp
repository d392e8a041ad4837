#include "check/certificate_reader.h"

#include "logic/normal_form.h"

#include <algorithm>
#include <array>

namespace nestor::check {

namespace {

constexpr std::array kOperators = {
    FrameReader::Operator{"true", logic::Op::True}, FrameReader::Operator{"ap", logic::Op::Atom},
    FrameReader::Operator{"not", logic::Op::Not},   FrameReader::Operator{"or", logic::Op::Or},
    FrameReader::Operator{"and", logic::Op::And},   FrameReader::Operator{"EX", logic::Op::EX},
    FrameReader::Operator{"EU", logic::Op::EU},     FrameReader::Operator{"EG", logic::Op::EG}};

class Reader final : public FrameReader {
 public:
  Reader(base::LineReader& lines, const model::Rsm& model, logic::FormulaPool& pool)
      : FrameReader(lines, model, pool, c_) {}

  Certificate read() {
    FrameReader::read(kOperators);
    return std::move(c_);
  }

 private:
  void end_head() override {
    c_.values.resize(c_.formulas.size());
    c_.contexts.resize(c_.formulas.size());
  }

  void begin_instance() override {
    c_.value_lines.resize(c_.value_lines.size() + c_.formulas.size());
    c_.context_lines.resize(c_.value_lines.size());
  }

  void end_instance() override {
    for (std::uint32_t f = 0; f < c_.formulas.size(); ++f) {
      expect(c_.value_lines[place(f)] != 0, "expected a line 'value' for each formula before this");
      expect(c_.context_lines[place(f)] != 0 || !logic::is_existential(c_.formulas[f].op),
             "expected a line 'context' for each EX, EU and EG before this");
    }
  }
  /// Of a formula in the instance being read, among the lines.
  std::size_t place(std::uint32_t f) const {
    return c_.value_lines.size() - c_.formulas.size() + f;
  }

  void context() override {
    const std::uint32_t f = formula_number();
    expect(logic::is_existential(c_.formulas[f].op), "only EX, EU and EG have contexts");
    expect(c_.context_lines[place(f)] == 0, "a second context for this formula");
    c_.context_lines[place(f)] = line_number();
    c_.contexts[f].resize(next_.exit, '0');
    while (!rest().empty()) {
      const Certificate::Instance& here = c_.instances.back();
      c_.contexts[f][here.exit + exit_named(here.component, word())] = '1';
    }
  }

  void value() override {
    const std::uint32_t f = formula_number();
    expect(c_.value_lines[place(f)] == 0, "second values for this formula");
    c_.value_lines[place(f)] = line_number();
    const std::string_view digits = take_rest();
    expect(digits.size() == component_->plain_nodes().size() &&
               digits.find_first_not_of("01") == std::string_view::npos,
           "expected a digit 0 or 1 for each node");
    c_.values[f] += digits;
  }

  /// What facts and the dead have in common. A return point is a box and an exit of its callee.
  Certificate::Item item(logic::Op op, bool is_return) {
    Certificate::Item item;
    item.formula = formula_number();
    expect(c_.formulas[item.formula].op == op, "only EU has facts, only EG has the dead");
    item.instance = static_cast<std::uint32_t>(c_.instances.size() - 1);
    item.line = line_number();
    item.point = point(is_return);
    return item;
  }

  void fact(bool is_return) override {
    Certificate::Item fact = item(logic::Op::EU, is_return);
    const std::string_view target = word();
    fact.target =
        target == "goal" ? Certificate::kNone : exit_named(c_.instances.back().component, target);
    fact.rank = number(word());
    const std::string_view choice = word();
    if (choice != "here") {
      const std::span<const model::NodeId> successors = model_.successors(fact.point);
      fact.choice = number(choice);
      expect(fact.choice < successors.size(), "there is no such successor to choose");
      const model::NodeId next = successors[fact.choice];
      if (!rest().empty()) {
        expect(model_.kind(next) == model::NodeKind::Call, "only a call returns through an exit");
        fact.through = exit_named(model_.box(model_.box_of(next)).callee, word());
      }
    }
    c_.items.push_back(fact);
  }

  void dead(bool is_return) override {
    Certificate::Item dead = item(logic::Op::EG, is_return);
    dead.rank = number(word());
    dead.reach_begin = static_cast<std::uint32_t>(c_.reaches.size());
    const std::string_view reach = word();
    for (std::size_t from = 0, end = 0; reach != "none" && end < reach.size(); from = end + 1) {
      end = std::min(reach.find(',', from), reach.size());
      c_.reaches.push_back(
          exit_named(c_.instances.back().component, reach.substr(from, end - from)));
    }
    expect(c_.reaches.size() < Certificate::kNone, "too many exits");
    dead.reach_end = static_cast<std::uint32_t>(c_.reaches.size());
    // In one order, so that the first fault is the same however they are listed.
    std::sort(c_.reaches.begin() + dead.reach_begin, c_.reaches.end());
    c_.items.push_back(dead);
  }

  Certificate c_;
};

}  // namespace

Certificate read_certificate(base::LineReader& lines, const model::Rsm& model,
                             logic::FormulaPool& pool) {
  return Reader(lines, model, pool).read();
}

}  // namespace nestor::check
