#include "check/certificate_reader.h"

#include "logic/normal_form.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace nestor::check {

namespace {

struct Operator {
  std::string_view name;
  logic::Op op;
};
constexpr std::array kOperators = {
    Operator{"true", logic::Op::True}, Operator{"ap", logic::Op::Atom},
    Operator{"not", logic::Op::Not},   Operator{"or", logic::Op::Or},
    Operator{"and", logic::Op::And},   Operator{"EX", logic::Op::EX},
    Operator{"EU", logic::Op::EU},     Operator{"EG", logic::Op::EG}};

class Reader {
 public:
  Reader(base::LineReader& lines, const model::Rsm& model, logic::FormulaPool& pool)
      : lines_(lines), model_(model), pool_(pool) {
    for (const model::ComponentId c : model.components()) {
      component_of_name_.emplace(model.component_name(c), c);
    }
  }

  Certificate read() {
    expect(next_line() && line_ == "nestor-certificate 1", "expected 'nestor-certificate 1'");
    expect_line();
    expect(word() == "model", "expected 'model' and the model's SHA-256");
    c_.model_hash = string();
    c_.model_line = lines_.line_number();
    for (expect_line(); line_.substr(0, 8) == "formula "; expect_line()) {
      formula();
    }
    expect(!c_.formulas.empty(), "expected a formula");
    c_.holds = line_ == "verdict holds";
    c_.verdict_line = lines_.line_number();
    expect(c_.holds || line_ == "verdict fails", "expected 'verdict holds' or 'verdict fails'");
    c_.values.resize(c_.formulas.size());
    c_.contexts.resize(c_.formulas.size());
    for (expect_line(); line_ != "end"; expect_line()) {
      line();
      expect(rest_.empty(), "expected nothing more on this line");
    }
    end_instance();
    expect(!c_.instances.empty(), "expected the root, instance 0, before the end");
    expect(!next_line(), "expected nothing after 'end'");
    for (std::size_t b = 0; b < c_.callees.size(); ++b) {
      if (c_.callees[b] >= c_.instances.size()) {
        throw Refusal{c_.callee_lines[b], fmt::format("there is no instance {}", c_.callees[b])};
      }
    }
    return std::move(c_);
  }

 private:
  // ---- lines and fields ----

  [[noreturn]] void refuse(std::string why) const {
    throw Refusal{std::max(lines_.line_number(), 1U), std::move(why)};
  }
  void expect(bool condition, const char* what) const {
    if (!condition) {
      refuse(what);
    }
  }

  /// The next line that is not empty, without its comment.
  bool next_line() {
    while (lines_.next(line_)) {
      bool quoted = false;
      for (std::size_t i = line_.find_first_of("#\""); i < line_.size(); ++i) {
        if (line_[i] == '"') {
          quoted = !quoted;
        } else if (line_[i] == '\\' && quoted) {
          ++i;
        } else if (line_[i] == '#' && !quoted) {
          line_ = line_.substr(0, i);
        }
      }
      line_ = line_.substr(0, line_.find_last_not_of(' ') + 1);
      if (!line_.empty()) {
        rest_ = line_;
        return true;
      }
    }
    return false;
  }
  void expect_line() { expect(next_line(), "the certificate ends without 'end'"); }

  /// The next field; fields are separated by one space.
  std::string_view word() {
    const std::size_t space = rest_.find(' ');
    const std::string_view field = rest_.substr(0, space);
    expect(!field.empty(), "expected another field");
    rest_ = space == std::string_view::npos ? std::string_view() : rest_.substr(space + 1);
    return field;
  }
  std::uint32_t number(std::string_view field) const {
    std::uint32_t value = 0;
    const char* end = field.data() + field.size();
    const auto [stop, error] = std::from_chars(field.data(), end, value);
    expect(error == std::errc() && stop == end && value != Certificate::kNone,
           "expected a number below 4294967295");
    return value;
  }
  std::uint32_t number_below(std::size_t end, std::string_view what) {
    const std::uint32_t value = number(word());
    if (value >= end) {
      refuse(fmt::format("there is no {} {}", what, value));
    }
    return value;
  }
  std::uint32_t formula_number() { return number_below(c_.formulas.size(), "formula"); }
  /// The rest of the line, a JSON string.
  std::string string() {
    const simdjson::padded_string text(rest_);
    std::string_view value;
    expect(rest_.starts_with('"') && json_.parse(text).get(value) == simdjson::SUCCESS,
           "expected a JSON string");
    rest_ = {};
    return std::string(value);
  }
  /// An exit, given by its position among the nodes of a component.
  std::uint32_t exit_named(model::ComponentId component, std::string_view field) const {
    const std::uint32_t position = number(field);
    const model::Component& c = model_.component(component);
    if (position >= c.plain_nodes().size() || !model_.is_exit(c.first_node + position)) {
      refuse(fmt::format("node {} is no exit of '{}'", position, model_.component_name(component)));
    }
    return model_.exit_index(c.first_node + position);
  }

  // ---- the kinds of lines ----

  void formula() {
    word();
    expect(number(word()) == c_.formulas.size(), "expected formulas to be numbered from 0 upwards");
    const std::string_view name = word();
    const auto* found = std::find_if(kOperators.begin(), kOperators.end(),
                                     [&](const Operator& known) { return known.name == name; });
    expect(found != kOperators.end(), "unknown operator");
    Certificate::Subformula f;
    f.op = found->op;
    const int operands = logic::operand_count(f.op);
    f.left = operands >= 1 ? formula_number() : 0;
    f.right = operands == 2 ? formula_number() : 0;
    if (operands == 0) {
      f.id = f.op == logic::Op::Atom ? pool_.atom(string()) : pool_.constant(true);
    } else if (operands == 1) {
      f.id = pool_.unary(f.op, c_.formulas[f.left].id);
    } else {
      f.id = pool_.binary(f.op, c_.formulas[f.left].id, c_.formulas[f.right].id);
    }
    expect(rest_.empty(), "expected nothing more on this line");
    c_.formulas.push_back(f);
  }

  void line() {
    const std::string_view keyword = word();
    if (keyword == "instance") {
      end_instance();
      instance();
      return;
    }
    expect(!c_.instances.empty(), "expected an instance");
    if (keyword == "box") {
      box();
    } else if (keyword == "context") {
      context();
    } else if (keyword == "value") {
      value();
    } else if (keyword == "fact" || keyword == "point") {
      fact(keyword == "point");
    } else if (keyword == "dead" || keyword == "deadpoint") {
      dead(keyword == "deadpoint");
    } else {
      refuse("unknown keyword");
    }
  }

  void instance() {
    expect(number(word()) == c_.instances.size(),
           "expected instances to be numbered from 0 upwards");
    const std::string name = string();
    const auto found = component_of_name_.find(name);
    expect(found != component_of_name_.end(), "there is no such component");
    next_.component = found->second;
    next_.line = lines_.line_number();
    c_.instances.push_back(next_);
    component_ = &model_.component(found->second);
    expect(component_->nodes().size() < Certificate::kNone - next_.point, "too many nodes");
    next_.node += static_cast<std::uint32_t>(component_->plain_nodes().size());
    next_.exit += static_cast<std::uint32_t>(model_.exits(found->second).size());
    next_.box += static_cast<std::uint32_t>(component_->boxes().size());
    next_.point += static_cast<std::uint32_t>(component_->nodes().size());
    c_.callees.resize(next_.box, Certificate::kNone);
    c_.callee_lines.resize(next_.box);
    c_.value_lines.resize(c_.value_lines.size() + c_.formulas.size());
    c_.context_lines.resize(c_.value_lines.size());
  }
  /// That nothing is missing of the instance read last.
  void end_instance() {
    for (std::size_t b = c_.instances.empty() ? 0 : c_.instances.back().box; b < next_.box; ++b) {
      expect(c_.callees[b] != Certificate::kNone, "expected a line 'box' for each box before this");
    }
    for (std::uint32_t f = 0; f < c_.formulas.size() && !c_.instances.empty(); ++f) {
      expect(c_.value_lines[place(f)] != 0, "expected a line 'value' for each formula before this");
      expect(c_.context_lines[place(f)] != 0 || !logic::is_existential(c_.formulas[f].op),
             "expected a line 'context' for each EX, EU and EG before this");
    }
  }
  /// Of a formula in the instance being read, among the lines.
  std::size_t place(std::uint32_t f) const {
    return c_.value_lines.size() - c_.formulas.size() + f;
  }

  void box() {
    const std::uint32_t row =
        c_.instances.back().box + number_below(component_->boxes().size(), "box");
    expect(c_.callees[row] == Certificate::kNone, "a second line for this box");
    c_.callees[row] = number(word());
    c_.callee_lines[row] = lines_.line_number();
  }

  void context() {
    const std::uint32_t f = formula_number();
    expect(logic::is_existential(c_.formulas[f].op), "only EX, EU and EG have contexts");
    expect(c_.context_lines[place(f)] == 0, "a second context for this formula");
    c_.context_lines[place(f)] = lines_.line_number();
    c_.contexts[f].resize(next_.exit, '0');
    while (!rest_.empty()) {
      const Certificate::Instance& here = c_.instances.back();
      c_.contexts[f][here.exit + exit_named(here.component, word())] = '1';
    }
  }

  void value() {
    const std::uint32_t f = formula_number();
    expect(c_.value_lines[place(f)] == 0, "second values for this formula");
    c_.value_lines[place(f)] = lines_.line_number();
    expect(rest_.size() == component_->plain_nodes().size() &&
               rest_.find_first_not_of("01") == std::string_view::npos,
           "expected a digit 0 or 1 for each node");
    c_.values[f] += rest_;
    rest_ = {};
  }

  /// What facts and the dead have in common. A return point is a box and an exit of its callee.
  Certificate::Item item(logic::Op op, bool is_return) {
    Certificate::Item item;
    item.formula = formula_number();
    expect(c_.formulas[item.formula].op == op, "only EU has facts, only EG has the dead");
    item.instance = static_cast<std::uint32_t>(c_.instances.size() - 1);
    item.line = lines_.line_number();
    if (is_return) {
      const std::uint32_t b = number_below(component_->boxes().size(), "box");
      const model::Box& box = model_.box(component_->first_box + b);
      item.point = box.first_return + exit_named(box.callee, word());
    } else {
      const std::uint32_t n = number_below(component_->plain_nodes().size(), "node");
      item.point = component_->first_node + n;
    }
    return item;
  }

  void fact(bool is_return) {
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
      if (!rest_.empty()) {
        expect(model_.kind(next) == model::NodeKind::Call, "only a call returns through an exit");
        fact.through = exit_named(model_.box(model_.box_of(next)).callee, word());
      }
    }
    c_.items.push_back(fact);
  }

  void dead(bool is_return) {
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

  base::LineReader& lines_;
  const model::Rsm& model_;
  logic::FormulaPool& pool_;
  Certificate c_;
  std::string_view line_;
  std::string_view rest_;  // of line_: what has not been read
  simdjson::dom::parser json_;
  std::unordered_map<std::string_view, model::ComponentId> component_of_name_;
  const model::Component* component_ = nullptr;  // of the instance being read
  Certificate::Instance next_;                   // the first rows of the instance after it
};

}  // namespace

Certificate read_certificate(base::LineReader& lines, const model::Rsm& model,
                             logic::FormulaPool& pool) {
  return Reader(lines, model, pool).read();
}

}  // namespace nestor::check
