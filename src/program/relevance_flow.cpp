#include "program/relevance.h"

#include <algorithm>

// The flow between the points that matter, and what is still asked for along it.

namespace nestor::program {

bool Relevance::has_followed(ValueId operand) const {
  for (ValueId at = operand; at.valid(); at = function_.values[at].left) {
    if (is_followed(uses_.place_of_address(at))) {
      return true;
    }
  }
  const std::span<const ValueId> leaves = uses_.leaves_of(operand);
  return std::any_of(leaves.begin(), leaves.end(), [&](ValueId leaf) {
    return tested_values_[leaf] != 0 || holding_values_[leaf] != 0;
  });
}

/// A pointer is written to where another leads: to a global that branches ask for, maybe. Who asks
/// whether something is lost counts the names that it may have.
bool Relevance::may_rename(const Action& write, const HandleSeeds& seeds) {
  return !seeds.only_loss && write.bits == kPointerBits;
}

/// What the point does changes nothing that is followed. `shared` are the places that branches ask
/// for and that other functions can reach, `held` such as may hold the handle.
bool Relevance::is_silent(std::uint32_t p, const Calls& calls, const HandleSeeds& seeds,
                          const std::vector<VariableId>& shared,
                          const std::vector<VariableId>& held) const {
  const Point& point = function_.points[p];
  if (p < Function::kFirst || handle_points_[p] != 0 || point.unwind != UINT32_MAX) {
    return false;
  }
  const Action* action = function_.action_of(p);
  if (action == nullptr) {
    return point.targets.empty() && (point.facts.empty() || !is_followed(uses_.place_at(p)));
  }
  const bool binds = action->result.valid() &&
                     (tested_values_[action->result] != 0 || holding_values_[action->result] != 0);
  switch (action->kind) {
    case Action::Kind::Read:
      return !binds && !has_followed(action->address);
    case Action::Kind::Write:
      return !is_followed(uses_.place_at(p)) &&
             calls.kind_of(location_of(point)) != VariableKind::Memory &&
             !has_followed(action->address) &&
             !(may_rename(*action, seeds) &&
               std::any_of(shared.begin(), shared.end(), [&](VariableId location) {
                 return calls.kind_of(location) == VariableKind::Global;
               }));
    case Action::Kind::Choose:
      return !binds;
    case Action::Kind::Assume:
      return relevant_[p] == 0 && !has_followed(action->value);
    case Action::Kind::Return:
      return !has_followed(action->value);
    case Action::Kind::Call:
      break;
  }
  if (binds || std::any_of(action->arguments.begin(), action->arguments.end(),
                           [&](ValueId argument) { return has_followed(argument); })) {
    return false;
  }
  if (point.targets.empty()) {
    return true;
  }
  const auto may_change = [&](VariableId location) {
    return seeds.only_loss ? calls.may_take_from(point, location)
                           : calls.may_touch(point, location);
  };
  if (!calls.is_harmless(point) ||
      std::any_of(shared.begin(), shared.end(),
                  [&](VariableId location) { return calls.may_touch(point, location); }) ||
      std::any_of(holding_elsewhere_.begin(), holding_elsewhere_.end(), may_change)) {
    return false;
  }
  return std::none_of(held.begin(), held.end(), may_change);
}

/// Points that may not be silent: those that depend on what is followed, and some always.
std::vector<std::uint8_t> Relevance::may_show() const {
  std::vector<std::uint8_t> shows(function_.points.size(), 0);
  const auto mark = [&](std::span<const std::uint32_t> points) {
    for (const std::uint32_t p : points) {
      shows[p] = 1;
    }
  };
  for (const ValueId value : function_.values.ids()) {
    if (tested_values_[value] != 0 || holding_values_[value] != 0) {
      mark(dependents_.users_of(value));
      mark(uses_.binders_of(value));
    }
  }
  for (Place place = 0; place < uses_.place_count(); ++place) {
    if (is_followed(place)) {
      mark(dependents_.users_of(place));
    }
  }
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    if (dependents_.always_matters(p) || handle_points_[p] != 0 || relevant_[p] != 0) {
      shows[p] = 1;
    }
  }
  return shows;
}

void Relevance::find_flow(const Calls& calls, const HandleSeeds& seeds) {
  std::vector<VariableId> shared;
  std::vector<VariableId> held;
  for (Place place = 0; place < tested_.size(); ++place) {
    if (holding_[place] != 0 && calls.kind_of(uses_.location(place)) != VariableKind::Local) {
      held.push_back(uses_.location(place));
    }
    if (tested_[place] != 0 && calls.kind_of(uses_.location(place)) != VariableKind::Local) {
      shared.push_back(uses_.location(place));
    }
  }
  const bool may_rename_shared =
      !seeds.only_loss && std::any_of(shared.begin(), shared.end(), [&](VariableId location) {
        return calls.kind_of(location) == VariableKind::Global;
      });
  FlowGraph flow(function_.points.size());
  std::vector<std::uint8_t> keep = may_show();
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    keep[p] = keep[p] != 0 || may_rename_shared ? !is_silent(p, calls, seeds, shared, held) : 0;
    for (const std::uint32_t to : function_.points[p].next) {
      flow.add(p, to);
      keep[p] = to == p ? 1 : keep[p];
    }
  }
  for (const std::uint32_t p : seeds.points) {
    keep[p] = 1;
  }
  keep[function_.longjmp_target] = 1;
  for (const Point& point : function_.points) {
    if (point.unwind != UINT32_MAX) {
      keep[point.unwind] = 1;
    }
  }
  flow.reduce(keep);
  row_of_.assign(function_.points.size(), kNoRow);
  std::uint32_t rows = 0;
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    next_.append_row(flow.next(p));
    if (!flow.is_dropped(p)) {
      row_of_[p] = rows++;
    }
  }
  find_links(flow);
}

void Relevance::find_links(const FlowGraph& flow) {
  std::vector<std::uint8_t> comes_from(function_.points.size(), 0);  // none, one, more
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    for (const std::uint32_t to : flow.next(p)) {
      comes_from[to] = comes_from[to] == 0 ? 1 : 2;
    }
    if (const std::uint32_t handler = function_.points[p].unwind; handler != UINT32_MAX) {
      comes_from[handler] = 2;
    }
  }
  comes_from[function_.longjmp_target] = 2;
  links_.resize(function_.points.size());
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    const Point& point = function_.points[p];
    links_[p] = point.kind == PointKind::Step && point.targets.empty() &&
                        point.unwind == UINT32_MAX && comes_from[p] == 1 && flow.next(p).size() == 1
                    ? 1
                    : 0;
  }
}

/// Liveness, of what can matter only: a value that decides nothing and holds nothing has no bit,
/// and a point that the flow leaves out no row that is filled.
void Relevance::find_live() {
  std::vector<std::uint32_t> points;  // by row
  for (std::uint32_t p = 0; p < function_.points.size(); ++p) {
    if (row_of_[p] != kNoRow) {
      points.push_back(p);
    }
  }
  std::uint32_t bits = 0;
  bit_of_place_.assign(uses_.place_count(), kNoBit);
  bit_of_value_.assign(function_.values.size(), kNoBit);
  for (const ValueId value : function_.values.ids()) {
    if (tested_values_[value] != 0 || holding_values_[value] != 0) {
      bit_of_value_[value] = bits++;
    }
  }
  const auto bit_of = [&](Place place) {
    if (bit_of_place_[place] == kNoBit) {
      bit_of_place_[place] = bits++;
    }
    return bit_of_place_[place];
  };
  struct Effect {
    std::uint32_t first_use = 0;  // in `uses`
    std::uint32_t end_of_uses = 0;
    std::uint32_t kills[2] = {kNoBit, kNoBit};
  };
  std::vector<Effect> effects(points.size());
  std::vector<std::uint32_t> uses;
  const auto use = [&](ValueId operand) {
    for (const ValueId leaf : uses_.leaves_of(operand)) {
      if (bit_of_value_[leaf] != kNoBit) {
        uses.push_back(bit_of_value_[leaf]);
      }
    }
  };
  for (std::size_t r = 0; r < points.size(); ++r) {
    const std::uint32_t p = points[r];
    const Action* action = function_.action_of(p);
    Effect& effect = effects[r];
    effect.first_use = effect.end_of_uses = static_cast<std::uint32_t>(uses.size());
    if (action == nullptr) {
      continue;
    }
    use(action->value);
    use(action->address);
    std::for_each(action->arguments.begin(), action->arguments.end(), use);
    if (action->result.valid()) {
      effect.kills[0] = bit_of_value_[action->result];
    }
    const Place place = uses_.place_at(p);
    if (action->kind == Action::Kind::Read && place != FunctionUses::kNoPlace &&
        action->result.valid() && bit_of_value_[action->result] != kNoBit) {
      uses.push_back(bit_of(place));
    } else if (action->kind == Action::Kind::Write && place != FunctionUses::kNoPlace &&
               function_.points[p].facts.front().kind == FactKind::Def) {
      effect.kills[1] = bit_of(place);
    }
    effect.end_of_uses = static_cast<std::uint32_t>(uses.size());
  }
  words_ = (bits + 63) / 64;
  live_.assign(points.size() * words_, 0);
  std::vector<std::uint64_t> row(words_);
  // A row is looked at again only when one that it depends on has changed.
  std::vector<std::uint32_t> changed_at(points.size(), 1);
  std::vector<std::uint32_t> looked_at(points.size(), 0);
  std::uint32_t now = 1;
  const auto for_each_after = [&](std::uint32_t p, const auto& visit) {
    const auto visit_row = [&](std::uint32_t to) {
      if (row_of_[to] != kNoRow) {
        visit(row_of_[to]);
      }
    };
    const Point& point = function_.points[p];
    const std::span<const std::uint32_t> after = next(p);
    std::for_each(after.begin(), after.end(), visit_row);
    if (point.unwind != UINT32_MAX) {
      visit_row(point.unwind);
    }
    if (!point.targets.empty()) {
      visit_row(function_.longjmp_target);
    }
  };
  for (bool changed = words_ > 0; changed;) {
    changed = false;
    for (std::size_t r = points.size(); r-- > 0;) {
      const std::uint32_t p = points[r];
      bool is_news = looked_at[r] == 0;
      for_each_after(p, [&](std::uint32_t to) { is_news |= changed_at[to] > looked_at[r]; });
      if (!is_news) {
        continue;
      }
      looked_at[r] = now;
      std::fill(row.begin(), row.end(), 0);
      for_each_after(p, [&](std::uint32_t to) {
        for (std::size_t w = 0; w < words_; ++w) {
          row[w] |= live_[to * words_ + w];
        }
      });
      for (const std::uint32_t bit : effects[r].kills) {
        if (bit != kNoBit) {
          row[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
        }
      }
      for (std::uint32_t i = effects[r].first_use; i < effects[r].end_of_uses; ++i) {
        row[uses[i] / 64] |= std::uint64_t{1} << (uses[i] % 64);
      }
      const auto old = live_.begin() + static_cast<std::ptrdiff_t>(r * words_);
      if (!std::equal(row.begin(), row.end(), old)) {
        std::copy(row.begin(), row.end(), old);
        changed_at[r] = ++now;
        changed = true;
      }
    }
  }
}

}  // namespace nestor::program
