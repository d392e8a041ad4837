#include "check/certificate_frame.h"

#include "base/simdjson.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace nestor::check {

namespace {

/// The next line that is not empty, without its comment.
bool next_full_line(base::LineReader& lines, std::string_view& line) {
  while (lines.next(line)) {
    bool quoted = false;
    // Hardly any line has one, even in a string.
    const bool has_hash = line.find('#') != std::string_view::npos;
    for (std::size_t i = has_hash ? 0 : line.size(); i < line.size(); ++i) {
      if (line[i] == '"') {
        quoted = !quoted;
      } else if (line[i] == '\\' && quoted) {
        ++i;
      } else if (line[i] == '#' && !quoted) {
        line = line.substr(0, i);
      }
    }
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    if (!line.empty()) {
      return true;
    }
  }
  return false;
}

}  // namespace

struct FrameReader::Json {
  simdjson::dom::parser parser;
};

FrameReader::FrameReader(base::LineReader& lines, const model::Rsm& model, logic::FormulaPool& pool,
                         CertificateFrame& frame)
    : model_(model), lines_(lines), pool_(pool), frame_(frame), json_(std::make_unique<Json>()) {
  for (const model::ComponentId c : model.components()) {
    component_of_name_.emplace(model.component_name(c), c);
  }
}

FrameReader::~FrameReader() = default;

// ---- lines and fields ----

void FrameReader::refuse(std::string why) const {
  throw Refusal{std::max(lines_.line_number(), 1U), std::move(why)};
}

void FrameReader::expect(bool condition, const char* what) const {
  if (!condition) {
    refuse(what);
  }
}

bool FrameReader::next_line() {
  const bool is_there = next_full_line(lines_, line_);
  rest_ = is_there ? line_ : rest_;
  return is_there;
}

std::string_view FrameReader::take_rest() {
  return std::exchange(rest_, std::string_view());
}

std::string_view FrameReader::word() {
  const std::size_t space = rest_.find(' ');
  const std::string_view field = rest_.substr(0, space);
  expect(!field.empty(), "expected another field");
  rest_ = space == std::string_view::npos ? std::string_view() : rest_.substr(space + 1);
  return field;
}

std::uint32_t FrameReader::number(std::string_view field) const {
  std::uint32_t value = 0;
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  expect(error == std::errc() && stop == end && value != CertificateFrame::kNone,
         "expected a number below 4294967295");
  return value;
}

std::uint32_t FrameReader::below(std::uint32_t value, std::size_t end,
                                 std::string_view what) const {
  if (value >= end) {
    refuse(fmt::format("there is no {} {}", what, value));
  }
  return value;
}

std::string FrameReader::string() {
  const simdjson::padded_string text(rest_);
  std::string_view value;
  expect(rest_.starts_with('"') && json_->parser.parse(text).get(value) == simdjson::SUCCESS,
         "expected a JSON string");
  rest_ = {};
  return std::string(value);
}

std::uint32_t FrameReader::exit_named(model::ComponentId component, std::string_view field) const {
  const std::uint32_t position = number(field);
  const model::Component& c = model_.component(component);
  if (position >= c.plain_nodes().size() || !model_.is_exit(c.first_node + position)) {
    refuse(fmt::format("node {} is no exit of '{}'", position, model_.component_name(component)));
  }
  return model_.exit_index(c.first_node + position);
}

model::NodeId FrameReader::point(bool is_return) {
  if (is_return) {
    const std::uint32_t b = number_below(component_->boxes().size(), "box");
    const model::Box& box = model_.box(component_->first_box + b);
    return box.first_return + exit_named(box.callee, word());
  }
  return component_->first_node + number_below(component_->plain_nodes().size(), "node");
}

// ---- the kinds of lines ----

int certificate_version(base::LineReader& lines) {
  std::string_view line;
  const bool is_there = next_full_line(lines, line);
  if (!is_there || (line != "nestor-certificate 1" && line != "nestor-certificate 2")) {
    throw Refusal{std::max(lines.line_number(), 1U),
                  "expected 'nestor-certificate 1' or 'nestor-certificate 2'"};
  }
  return line.ends_with('1') ? 1 : 2;
}

void FrameReader::line(std::string_view keyword) {
  if (keyword == "box") {
    box();
  } else if (keyword == "context") {
    context();
  } else if (keyword == "value") {
    value();
  } else if (keyword == "fact" || keyword == "point") {
    fact(keyword == "point");
  } else {
    expect(keyword == "dead" || keyword == "deadpoint", "unknown keyword");
    dead(keyword == "deadpoint");
  }
}

void FrameReader::read(std::span<const Operator> operators) {
  head(operators);
  for (expect_line(); line_ != "end"; expect_line()) {
    const std::string_view keyword = word();
    if (keyword == "instance") {
      end_boxes();
      instance();
      begin_instance();
    } else {
      expect(!frame_.instances.empty(), "expected an instance");
      line(keyword);
    }
    expect(rest_.empty(), "expected nothing more on this line");
  }
  end_boxes();
  expect(!frame_.instances.empty(), "expected the root, instance 0, before the end");
  expect(!next_line(), "expected nothing after 'end'");
  for (std::size_t b = 0; b < frame_.callees.size(); ++b) {
    if (frame_.callees[b] >= frame_.instances.size()) {
      throw Refusal{frame_.callee_lines[b],
                    fmt::format("there is no instance {}", frame_.callees[b])};
    }
  }
}

void FrameReader::head(std::span<const Operator> operators) {
  expect_line();
  expect(word() == "model", "expected 'model' and the model's SHA-256");
  frame_.model_hash = string();
  frame_.model_line = line_number();
  for (expect_line(); line_.substr(0, 8) == "formula "; expect_line()) {
    formula(operators);
  }
  expect(!frame_.formulas.empty(), "expected a formula");
  while (head_line()) {
    expect(rest_.empty(), "expected nothing more on this line");
    expect_line();
  }
  end_head();
  frame_.holds = line_ == "verdict holds";
  frame_.verdict_line = line_number();
  expect(frame_.holds || line_ == "verdict fails", "expected 'verdict holds' or 'verdict fails'");
}

void FrameReader::formula(std::span<const Operator> operators) {
  word();
  expect(number(word()) == frame_.formulas.size(),
         "expected formulas to be numbered from 0 upwards");
  const auto found = std::ranges::find(operators, word(), &Operator::name);
  expect(found != operators.end(), "unknown operator");
  CertificateFrame::Subformula f;
  f.op = found->op;
  const int operands = logic::operand_count(f.op);
  f.left = operands >= 1 ? formula_number() : 0;
  f.right = operands == 2 ? formula_number() : 0;
  if (operands == 0) {
    f.id = f.op == logic::Op::Atom ? pool_.atom(string()) : pool_.constant(f.op == logic::Op::True);
  } else if (operands == 1) {
    f.id = pool_.unary(f.op, frame_.formulas[f.left].id);
  } else {
    f.id = pool_.binary(f.op, frame_.formulas[f.left].id, frame_.formulas[f.right].id);
  }
  expect(rest_.empty(), "expected nothing more on this line");
  frame_.formulas.push_back(f);
}

void FrameReader::instance() {
  expect(number(word()) == frame_.instances.size(),
         "expected instances to be numbered from 0 upwards");
  const std::string name = string();
  const auto found = component_of_name_.find(name);
  expect(found != component_of_name_.end(), "there is no such component");
  next_.component = found->second;
  next_.line = line_number();
  frame_.instances.push_back(next_);
  component_ = &model_.component(found->second);
  expect(component_->nodes().size() < CertificateFrame::kNone - next_.point, "too many nodes");
  next_.node += static_cast<std::uint32_t>(component_->plain_nodes().size());
  next_.exit += static_cast<std::uint32_t>(model_.exits(found->second).size());
  next_.box += static_cast<std::uint32_t>(component_->boxes().size());
  next_.point += static_cast<std::uint32_t>(component_->nodes().size());
  frame_.callees.resize(next_.box, CertificateFrame::kNone);
  frame_.callee_lines.resize(next_.box);
}

/// That nothing is missing of the instance read last.
void FrameReader::end_boxes() {
  if (frame_.instances.empty()) {
    return;
  }
  for (std::size_t b = frame_.instances.back().box; b < next_.box; ++b) {
    expect(frame_.callees[b] != CertificateFrame::kNone,
           "expected a line 'box' for each box before this");
  }
  end_instance();
}

void FrameReader::box() {
  const std::uint32_t row =
      frame_.instances.back().box + number_below(component_->boxes().size(), "box");
  expect(frame_.callees[row] == CertificateFrame::kNone, "a second line for this box");
  frame_.callees[row] = number(word());
  frame_.callee_lines[row] = line_number();
}

// ---- rules ----

void FrameRules::require(bool condition, std::uint32_t line, const char* why, Instance i,
                         model::NodeId n) const {
  if (!condition) {
    throw Refusal{line, fmt::format("{}, in instance {} at {}", why, i, model_.describe(n))};
  }
}

void FrameRules::check_box_map() const {
  if (frame_.instances[0].component != model_.initial_component()) {
    throw Refusal{frame_.instances[0].line, "the root is no instance of the initial component"};
  }
  for (Instance i = 0; i < frame_.instances.size(); ++i) {
    for (const model::BoxId b : component(i).boxes()) {
      if (frame_.instances[callee(i, b)].component != model_.box(b).callee) {
        throw Refusal{frame_.callee_lines[box_row(i, b)], "the box calls another component"};
      }
    }
  }
}

std::string FrameRules::labelled(const logic::FormulaPool& pool, logic::FormulaId atom) const {
  std::string labelled(model_.node_count(), '0');
  const model::PropId p = model_.find_prop(pool.atom_name(atom));
  for (const model::NodeId n :
       p.valid() ? model_.nodes_with(p) : std::span<const model::NodeId>()) {
    labelled[n.value()] = '1';
  }
  return labelled;
}

}  // namespace nestor::check
