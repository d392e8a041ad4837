#include "witness/path_text.h"

#include "witness/witness_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace nestor::witness {

namespace {

constexpr std::size_t kNever = static_cast<std::size_t>(-1);
constexpr std::size_t kShortPath = 40;            // states; shorter ones are shown in full
constexpr std::size_t kLeastFolded = 3;           // states inside a call
constexpr std::size_t kLinesAtEnds = 30;          // of a long path
constexpr std::uint32_t kMostIndentedCalls = 20;  // calls

constexpr const char* kNothingChanges = "(nothing changes)";

template <class... Arguments>
void print(std::string& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

const char* mark(model::Step step) {
  switch (step) {
    case model::Step::Call:
      return "call ";
    case model::Step::Return:
      return "return to ";
    case model::Step::ReturnCall:
      return "return, call ";
    case model::Step::Stay:
      return "stays at ";
    case model::Step::Local:
      return "";
  }
  return "";
}

/// What is different in `after`, if both are lists `x = 1, y = 2` of the same variables; else all
/// of it. Names of explored states are such lists, and long ones.
std::string changed_values(std::string_view before, std::string_view after) {
  constexpr std::string_view kComma = ", ";
  constexpr std::string_view kEquals = " = ";
  const std::string_view whole = after;
  const auto next = [&](std::string_view& rest) {
    const std::size_t end = std::min(rest.find(kComma), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + kComma.size(), rest.size()));
    return part;
  };
  std::string changed;
  while (!before.empty() && !after.empty()) {
    const std::string_view old_part = next(before);
    const std::string_view new_part = next(after);
    const std::size_t equals = new_part.find(kEquals);
    if (equals == std::string_view::npos || old_part.substr(0, equals + kEquals.size()) !=
                                                new_part.substr(0, equals + kEquals.size())) {
      return std::string(whole);
    }
    if (old_part != new_part) {
      changed += fmt::format("{}{}", changed.empty() ? "" : kComma, new_part);
    }
  }
  if (!before.empty() || !after.empty()) {
    return std::string(whole);
  }
  return changed.empty() ? kNothingChanges : changed;
}

}  // namespace

PathText::PathText(const model::Rsm& model, const logic::FormulaPool& pool, const Witness& witness,
                   bool whole_states)
    : model_(model),
      witness_(witness),
      whole_states_(whole_states),
      props_(mentioned_props(model, pool, witness.formula)) {}

std::uint32_t PathText::depth(model::StateId state) const {
  return witness_.stacks.depth(witness_.states[state].stack);
}

std::string PathText::labels(model::NodeId node) const {
  std::string text;
  for (const model::PropId p : props_) {
    if (carries(model_, node, p)) {
      text += fmt::format("{}{}", text.empty() ? "  {" : ", ", model_.prop_name(p));
    }
  }
  return text.empty() ? text : text + "}";
}

bool PathText::same_labels(model::NodeId a, model::NodeId b) const {
  return std::all_of(props_.begin(), props_.end(), [&](model::PropId p) {
    return carries(model_, a, p) == carries(model_, b, p);
  });
}

/// `fire(x=1): -p<1> +q<2>`, or `x = 1, y = 2`.
std::string PathText::change_text(model::NodeId before, model::NodeId node) const {
  const std::optional<model::StepName> step = model_.step(before, node);
  const std::string name = step ? to_text(*step) + ": " : std::string();
  if (whole_states_) {
    return name + model_.describe(node);
  }
  if (!step) {
    return changed_values(model_.describe(before), model_.describe(node));
  }
  const std::string change = model_.change(before, node);
  return name + (change.empty() ? kNothingChanges : change);
}

std::string PathText::state_text(model::StateId state, std::optional<model::StateId> before) const {
  const model::NodeId node = witness_.states[state].node;
  std::string text = model_.describe(node);
  if (before && model_.names_on_demand()) {
    text = change_text(witness_.states[*before].node, node);
  }
  if (const std::optional<model::NodePosition> position = model_.position(node)) {
    text += fmt::format("  {}", model_.string(position->file));
    if (position->line != 0) {
      text += fmt::format(":{}", position->line);
    }
  }
  return text + labels(node);
}

void PathText::append(std::string& out, const Evidence& evidence, std::size_t indent) const {
  const std::size_t last = evidence.path.size() - 1;
  const std::string margin(indent, ' ');
  if (evidence.ending != Evidence::Ending::Loop) {
    append_part(out, evidence, 0, last, indent);
    if (evidence.ending == Evidence::Ending::DeadEnd) {
      print(out, "{}        ends here: a dead end\n", margin);
    }
    if (evidence.ending == Evidence::Ending::Joins) {
      print(out, "{}        goes on as [{}] does from step {}\n", margin, evidence.joins.value(),
            evidence.join_at);
    }
    return;
  }
  if (evidence.loop > 0) {
    append_part(out, evidence, 0, evidence.loop - 1, indent);
  }
  print(out, "{}        loop:\n", margin);
  append_part(out, evidence, evidence.loop, last, indent);
  const std::vector<model::BoxId> grown = grown_by(witness_, evidence);
  if (grown.empty()) {
    print(out, "{}        is step {} again\n", margin, evidence.loop);
    return;
  }
  print(out, "{}        repeats step {} with the stack grown by", margin, evidence.loop);
  constexpr std::size_t kMostBoxes = 10;
  for (std::size_t i = 0; i < grown.size() && i < kMostBoxes; ++i) {
    print(out, " {}", model_.box_name(grown[i]));
  }
  if (grown.size() > kMostBoxes) {
    print(out, " … ({} calls)", grown.size());
  }
  print(out, "\n");
}

void PathText::append_part(std::string& out, const Evidence& evidence, std::size_t first,
                           std::size_t last, std::size_t indent) const {
  const std::vector<Line> all = lines(evidence, first, last);
  const std::string margin(indent, ' ');
  bool skipped = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.size() > 2 * kLinesAtEnds + 1 && i == kLinesAtEnds) {
      const std::size_t next = all.size() - kLinesAtEnds;
      print(out, "{}        … {} steps …\n", margin, all[next].first - all[i].first);
      i = next;
      skipped = true;
    }
    if (all[i].first == all[i].last) {
      // Only after the state before it can a state be told by what changed.
      const bool follows = i > 0 && !skipped && all[i - 1].last + 1 == all[i].first;
      append_step(out, evidence, all[i].first, indent, follows);
      skipped = false;
      continue;
    }
    const model::StateId callee = evidence.path[all[i].first];
    const std::uint32_t calls = std::min(depth(callee), kMostIndentedCalls);
    print(out, "{}        {:{}}… {} steps inside {}() …\n", margin, "", 2 * calls,
          all[i].last - all[i].first + 1,
          model_.component_name(model_.component_of(witness_.states[callee].node)));
  }
}

void PathText::append_step(std::string& out, const Evidence& evidence, std::size_t place,
                           std::size_t indent, bool follows) const {
  const model::StateId state = evidence.path[place];
  const std::uint32_t calls = depth(state);
  print(out, "{:{}}{:>6}  {:{}}", "", indent, place, "", 2 * std::min(calls, kMostIndentedCalls));
  if (calls > kMostIndentedCalls) {
    print(out, "({} calls deep) ", calls);
  }
  print(out, "{}{}\n", place == 0 ? "" : mark(evidence.steps[place - 1]),
        state_text(state, follows ? std::optional(evidence.path[place - 1]) : std::nullopt));
}

std::vector<PathText::Line> PathText::lines(const Evidence& evidence, std::size_t first,
                                            std::size_t last) const {
  const std::vector<std::size_t> returns = last - first < kShortPath
                                               ? std::vector<std::size_t>(last - first + 1, kNever)
                                               : uneventful_returns(evidence, first, last);
  std::vector<Line> result;
  for (std::size_t i = first; i <= last; ++i) {
    const std::size_t end = returns[i - first];
    if (end != kNever && end - i + 1 >= kLeastFolded) {
      result.push_back({i, end});
      i = end;
    } else {
      result.push_back({i, i});
    }
  }
  return result;
}

/// For each place where a call has just been made, the last place inside it, if it returns and the
/// labels are those before the call all the time.
std::vector<std::size_t> PathText::uneventful_returns(const Evidence& evidence, std::size_t first,
                                                      std::size_t last) const {
  const auto node = [&](std::size_t i) { return witness_.states[evidence.path[i]].node; };
  std::vector<std::size_t> changes(last - first + 1, 0);  // so far
  std::vector<std::size_t> returns(last - first + 1, kNever);
  std::vector<std::size_t> open;
  for (std::size_t i = first; i < last; ++i) {
    const model::Step step = evidence.steps[i];
    changes[i + 1 - first] = changes[i - first] + (same_labels(node(i), node(i + 1)) ? 0 : 1);
    if ((step == model::Step::Return || step == model::Step::ReturnCall) && !open.empty()) {
      const std::size_t call = open.back();
      open.pop_back();
      if (changes[call - 1 - first] == changes[i - first]) {
        returns[call - first] = i;
      }
    }
    if (step == model::Step::Call || step == model::Step::ReturnCall) {
      open.push_back(i + 1);
    }
  }
  return returns;
}

}  // namespace nestor::witness
