#include "check/certificate_reader.h"

#include "base/error.h"
#include "logic/normal_form.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace nestor {

namespace {

class Reader {
 public:
  Reader(LineReader& lines, const Rsm& model, FormulaPool& pool)
      : lines_(lines), model_(model), pool_(pool) {
    for (const ComponentId c : model.components()) {
      component_of_name_.emplace(model.component_name(c), c);
    }
  }

  Certificate read() {
    expect(next_line() && line_ == "nestor-certificate 1", "expected 'nestor-certificate 1'");
    expect_line();
    expect(word() == "model", "expected 'model' and the model's SHA-256");
    c_.model_hash = string();
    c_.model_line = lines_.line_number();
    for (expect_line(); starts_with("formula "); expect_line()) {
      formula();
    }
    expect(!c_.formulas.empty(), "expected a formula");
    verdict();
    for (expect_line(); line_ != "end"; expect_line()) {
      item();
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
  void expect(bool condition, std::string_view what) const {
    if (!condition) {
      refuse(std::string(what));
    }
  }

  /// The next line that is not empty, without its comment.
  bool next_line() {
    while (lines_.next(line_)) {
      bool quoted = false;
      for (std::size_t i = line_.find_first_of("#\""); i < line_.size(); ++i) {
        if (line_[i] == '"') {
          quoted = !quoted;
        } else if (line_[i] == '\\') {
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
  bool starts_with(std::string_view prefix) const {
    return line_.substr(0, prefix.size()) == prefix;
  }

  bool at_end() const { return rest_.empty(); }
  void expect_end() const { expect(at_end(), "expected nothing more on this line"); }
  /// The next field; fields are separated by one space.
  std::string_view word() {
    const std::size_t space = rest_.find(' ');
    const std::string_view field = rest_.substr(0, space);
    expect(!field.empty(), "expected another field");
    rest_ = space == std::string_view::npos ? std::string_view() : rest_.substr(space + 1);
    return field;
  }
  std::uint32_t number_in(std::string_view field) const {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    expect(
        error == std::errc() && end == field.data() + field.size() && value != Certificate::kNone,
        "expected a number below 4294967295");
    return value;
  }
  std::uint32_t number() { return number_in(word()); }
  std::uint32_t number_below(std::size_t end, std::string_view what) {
    const std::uint32_t value = number();
    if (value >= end) {
      refuse(fmt::format("there is no {} {}", what, value));
    }
    return value;
  }
  /// The rest of the line, a JSON string.
  std::string string() {
    const simdjson::padded_string text(rest_);
    std::string_view value;
    expect(json_.parse(text).get(value) == simdjson::SUCCESS, "expected a JSON string");
    rest_ = {};
    return std::string(value);
  }

  // ---- before the instances ----

  void formula() {
    rest_.remove_prefix(std::string_view("formula ").size());
    const std::size_t count = c_.formulas.size();
    expect(number() == count, "expected formulas to be numbered from 0 upwards");
    const std::string_view op = word();
    Certificate::Subformula f;
    const auto operand = [&] { return number_below(count, "earlier formula"); };
    const auto unary = [&](Op which) {
      f.op = which;
      f.left = operand();
      f.id = pool_.unary(which, c_.formulas[f.left].id);
    };
    const auto binary = [&](Op which) {
      f.op = which;
      f.left = operand();
      f.right = operand();
      f.id = pool_.binary(which, c_.formulas[f.left].id, c_.formulas[f.right].id);
    };
    if (op == "true") {
      f.id = pool_.constant(true);
    } else if (op == "ap") {
      f.op = Op::Atom;
      f.id = pool_.atom(string());
    } else if (op == "not") {
      unary(Op::Not);
    } else if (op == "or") {
      binary(Op::Or);
    } else if (op == "and") {
      binary(Op::And);
    } else if (op == "EX") {
      unary(Op::EX);
    } else if (op == "EU") {
      binary(Op::EU);
    } else if (op == "EG") {
      unary(Op::EG);
    } else {
      refuse(fmt::format("unknown operator '{}'", op));
    }
    expect_end();
    c_.formulas.push_back(f);
  }

  void verdict() {
    expect(line_ == "verdict holds" || line_ == "verdict fails",
           "expected 'formula', 'verdict holds' or 'verdict fails'");
    c_.holds = line_ == "verdict holds";
    c_.verdict_line = lines_.line_number();
    c_.values.resize(c_.formulas.size());
    c_.contexts.resize(c_.formulas.size());
  }

  // ---- instances ----

  void item() {
    const std::string_view keyword = word();
    if (keyword == "instance") {
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
      refuse(fmt::format("unknown keyword '{}'", keyword));
    }
    expect_end();
  }

  void instance() {
    end_instance();
    expect(number() == c_.instances.size(), "expected instances to be numbered from 0 upwards");
    const std::string name = string();
    const auto found = component_of_name_.find(name);
    if (found == component_of_name_.end()) {
      refuse(fmt::format("there is no component '{}'", name));
    }
    component_ = &model_.component(found->second);
    Certificate::Instance instance;
    instance.component = found->second;
    instance.line = lines_.line_number();
    instance.first_node = nodes_;
    instance.first_exit = exits_;
    instance.first_box = static_cast<std::uint32_t>(c_.callees.size());
    instance.first_point = points_;
    const std::uint64_t points = std::uint64_t{points_} + component_->nodes().size();
    expect(points < Certificate::kNone, "more than 4294967294 nodes");
    points_ = static_cast<std::uint32_t>(points);
    nodes_ += static_cast<std::uint32_t>(component_->plain_nodes().size());
    exits_ += static_cast<std::uint32_t>(model_.exits(found->second).size());
    c_.callees.resize(c_.callees.size() + component_->boxes().size(), Certificate::kNone);
    c_.callee_lines.resize(c_.callees.size());
    c_.value_lines.resize(c_.value_lines.size() + c_.formulas.size());
    c_.context_lines.resize(c_.value_lines.size());
    c_.instances.push_back(instance);
  }

  /// That nothing is missing of the instance read last.
  void end_instance() {
    if (c_.instances.empty()) {
      return;
    }
    for (std::size_t b = c_.instances.back().first_box; b < c_.callees.size(); ++b) {
      expect(c_.callees[b] != Certificate::kNone, "expected a line 'box' for each box before this");
    }
    for (std::uint32_t f = 0; f < c_.formulas.size(); ++f) {
      expect(c_.value_lines[line_of(f)] != 0,
             "expected a line 'value' for each formula before this");
      expect(c_.context_lines[line_of(f)] != 0 || !is_existential(c_.formulas[f].op),
             "expected a line 'context' for each EX, EU and EG before this");
    }
  }

  void box() {
    const std::uint32_t b = number_below(component_->boxes().size(), "box");
    const std::uint32_t row = c_.instances.back().first_box + b;
    expect(c_.callees[row] == Certificate::kNone, "a second line for this box");
    c_.callees[row] = number();
    c_.callee_lines[row] = lines_.line_number();
  }

  std::uint32_t formula_number() { return number_below(c_.formulas.size(), "formula"); }
  std::size_t line_of(std::uint32_t f) const {
    return c_.value_lines.size() - c_.formulas.size() + f;
  }

  void context() {
    const std::uint32_t f = formula_number();
    const Certificate::Instance& instance = c_.instances.back();
    expect(is_existential(c_.formulas[f].op), "only EX, EU and EG have contexts");
    expect(c_.context_lines[line_of(f)] == 0, "a second context for this formula");
    c_.context_lines[line_of(f)] = lines_.line_number();
    c_.contexts[f].resize(exits_, '0');
    while (!at_end()) {
      c_.contexts[f][instance.first_exit + exit(instance.component, word())] = '1';
    }
  }

  void value() {
    const std::uint32_t f = formula_number();
    expect(c_.value_lines[line_of(f)] == 0, "second values for this formula");
    c_.value_lines[line_of(f)] = lines_.line_number();
    expect(rest_.size() == component_->plain_nodes().size() &&
               rest_.find_first_not_of("01") == std::string_view::npos,
           "expected a digit 0 or 1 for each node");
    c_.values[f] += rest_;
    rest_ = {};
  }

  /// The index of an exit that is given by its position among the nodes of a component.
  std::uint32_t exit(ComponentId component, std::string_view field) const {
    const std::uint32_t position = number_in(field);
    const Component& c = model_.component(component);
    if (position >= c.plain_nodes().size() || !model_.is_exit(c.first_node + position)) {
      refuse(fmt::format("node {} is no exit of '{}'", position, model_.component_name(component)));
    }
    return model_.exit_index(c.first_node + position);
  }

  /// A node, or a return point: a box and an exit of its callee.
  NodeId point(bool is_return) {
    if (!is_return) {
      return component_->first_node + number_below(component_->plain_nodes().size(), "node");
    }
    const Box& box =
        model_.box(component_->first_box + number_below(component_->boxes().size(), "box"));
    return box.first_return + exit(box.callee, word());
  }

  void fact(bool is_return) {
    Certificate::Fact fact;
    fact.formula = formula_number();
    expect(c_.formulas[fact.formula].op == Op::EU, "only EU has facts");
    fact.instance = static_cast<std::uint32_t>(c_.instances.size() - 1);
    fact.point = point(is_return);
    const std::string_view target = word();
    fact.target =
        target == "goal" ? Certificate::kGoal : exit(c_.instances.back().component, target);
    fact.rank = number();
    fact.line = lines_.line_number();
    const std::string_view choice = word();
    if (choice != "here") {
      const std::span<const NodeId> successors = model_.successors(fact.point);
      fact.choice = number_in(choice);
      expect(fact.choice < successors.size(), "there is no such successor to choose");
      if (!at_end()) {
        const NodeId next = successors[fact.choice];
        expect(model_.kind(next) == NodeKind::Call, "only a call returns through an exit");
        fact.through = exit(model_.box(model_.box_of(next)).callee, word());
      }
    }
    c_.facts.push_back(fact);
  }

  void dead(bool is_return) {
    Certificate::Dead dead;
    dead.formula = formula_number();
    expect(c_.formulas[dead.formula].op == Op::EG, "only EG has dead nodes");
    dead.instance = static_cast<std::uint32_t>(c_.instances.size() - 1);
    dead.point = point(is_return);
    dead.rank = number();
    dead.line = lines_.line_number();
    dead.reach_begin = c_.reaches.size();
    const std::string_view reach = word();
    for (std::size_t from = 0, comma = 0; reach != "none" && comma < reach.size();
         from = comma + 1) {
      comma = std::min(reach.find(',', from), reach.size());
      c_.reaches.push_back(exit(c_.instances.back().component, reach.substr(from, comma - from)));
    }
    dead.reach_end = c_.reaches.size();
    c_.dead.push_back(dead);
  }

  LineReader& lines_;
  const Rsm& model_;
  FormulaPool& pool_;
  Certificate c_;
  std::string_view line_;
  std::string_view rest_;  // of line_: what has not been read
  simdjson::dom::parser json_;
  std::unordered_map<std::string_view, ComponentId> component_of_name_;
  const Component* component_ = nullptr;  // of the instance being read
  std::uint32_t nodes_ = 0;               // rows so far
  std::uint32_t exits_ = 0;
  std::uint32_t points_ = 0;
};

}  // namespace

Certificate read_certificate(LineReader& lines, const Rsm& model, FormulaPool& pool) {
  return Reader(lines, model, pool).read();
}

}  // namespace nestor
