#include "net/colour_flow.h"

#include <algorithm>
#include <optional>
#include <set>

namespace nestor::net {

namespace {

using Kind = ColourTerm::Kind;

/// A variable some steps on: `variable` and how far.
struct Shifted {
  std::uint32_t variable = 0;
  std::uint32_t by = 0;
};

bool is_single(const ColourTerm& term) {
  return term.kind == Kind::Constant || term.kind == Kind::Variable || term.kind == Kind::Step;
}

/// The variable inside; nothing if it is a constant. `constant`: its value then.
std::optional<Shifted> shifted(const ColourTerm& term, std::uint32_t& constant) {
  std::uint32_t by = 0;
  const ColourTerm* inner = &term;
  for (; inner->kind == Kind::Step; inner = &inner->operands[0]) {
    by += inner->number;
  }
  if (inner->kind == Kind::Variable) {
    return Shifted{inner->number, by};
  }
  const std::size_t size = term.sort == nullptr ? 0 : term.sort->names.size();
  constant = size == 0 ? inner->number : static_cast<std::uint32_t>((inner->number + by) % size);
  return std::nullopt;
}

}  // namespace

bool ColourFlow::speaks_of(const Part& part, std::uint32_t variable) {
  std::set<std::uint32_t> found;
  variables_in(*part.term, found);
  return found.contains(variable);
}

ColourFlow::ColourFlow(const SymmetricNet& net) : net_(net) {
  for (const SymmetricNet::Place& place : net.places) {
    places_.emplace_back();
    for (const Sort* part : place.sort->simple()) {
      places_.back().emplace_back(part->names.size());
    }
    matters_.emplace_back(places_.back().size(), false);
  }
  for (const SymmetricNet::Transition& transition : net.transitions) {
    Parts& parts = parts_.emplace_back();
    for (const SymmetricNet::Arc& arc : transition.inputs) {
      collect(arc.term, arc.place, true, true, parts.inputs);
    }
    for (const SymmetricNet::Arc& arc : transition.outputs) {
      collect(arc.term, arc.place, true, true, parts.outputs);
    }
    variables_.emplace_back();
    for (const SymmetricNet::Variable& variable : net.variables) {
      variables_.back().emplace_back(variable.sort->names.size(), false);
    }
    std::set<std::uint32_t> guarded;
    for (const ColourTerm& guard : transition.guards) {
      variables_in(guard, guarded);
    }
    is_guarded_.emplace_back(net.variables.size(), false);
    for (const std::uint32_t variable : guarded) {
      is_guarded_.back()[variable] = true;
    }
  }
  find_values();
  find_what_matters();
}

void ColourFlow::collect(const ColourTerm& term, std::size_t place, bool is_exact, bool is_sure,
                         std::vector<Part>& parts) const {
  const auto add = [&](const ColourTerm& single, std::size_t part) {
    if (part < places_[place].size()) {  // else the arc is refused when it is unfolded
      parts.push_back({&single, place, part, is_exact, is_sure});
    }
  };
  switch (term.kind) {
    case Kind::Tuple:
      // With all values in one part, there are several tokens with the same ones in the others.
      is_exact = is_exact && std::ranges::all_of(term.operands, is_single);
      for (std::size_t i = 0; i < term.operands.size(); ++i) {
        add(term.operands[i], i);
      }
      return;
    case Kind::Sum:
      for (const ColourTerm& operand : term.operands) {
        collect(operand, place, is_exact, is_sure, parts);
      }
      return;
    case Kind::Difference:
      for (const ColourTerm& operand : term.operands) {
        collect(operand, place, false, false, parts);
      }
      return;
    case Kind::Times:
      collect(term.operands[0], place, is_exact && term.number == 1, is_sure && term.number > 0,
              parts);
      return;
    default:
      // All of a product has every value in each of its parts.
      for (std::size_t i = 0; i < (is_single(term) ? 1 : places_[place].size()); ++i) {
        add(term, i);
      }
  }
}

void ColourFlow::find_values() {
  for (std::size_t p = 0; p < net_.places.size(); ++p) {
    for (const auto& [colour, count] : net_.places[p].marking) {
      for (std::size_t i = 0; count > 0 && i < colour.size(); ++i) {
        places_[p][i][colour[i]] = true;
      }
    }
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t t = 0; t < net_.transitions.size(); ++t) {
      changed = flow_through(t) || changed;
    }
  }
}

/// True if some place may have new colours.
bool ColourFlow::flow_through(std::size_t t) {
  std::vector<Values>& variables = variables_[t];
  for (Values& values : variables) {
    values.assign(values.size(), true);
  }
  std::uint32_t constant = 0;
  for (const Part& in : parts_[t].inputs) {
    const Values& there = places_[in.place][in.part];
    if (!in.is_sure) {
      continue;
    }
    if (!is_single(*in.term)) {
      continue;  // all of them: when it fires, they are there
    }
    if (const std::optional<Shifted> source = shifted(*in.term, constant)) {
      Values& values = variables[source->variable];
      for (std::size_t c = 0; c < values.size(); ++c) {
        values[c] = values[c] && there[(c + source->by) % there.size()];
      }
    } else if (constant < there.size() && !there[constant]) {
      for (Values& values : variables) {  // it never fires
        values.assign(values.size(), false);
      }
      return false;
    }
  }
  bool changed = false;
  for (const Part& out : parts_[t].outputs) {
    Values& there = places_[out.place][out.part];
    const auto reach = [&](std::size_t c) {
      changed = changed || !there[c];
      there[c] = true;
    };
    if (!is_single(*out.term)) {
      for (std::size_t c = 0; c < there.size(); ++c) {
        reach(c);
      }
    } else if (const std::optional<Shifted> source = shifted(*out.term, constant)) {
      const Values& values = variables[source->variable];
      for (std::size_t c = 0; c < values.size(); ++c) {
        if (values[c]) {
          reach((c + source->by) % there.size());
        }
      }
    } else if (constant < there.size()) {
      reach(constant);
    }
  }
  return changed;
}

// The parts that do not matter are the largest set such that each token in such a place can be
// exchanged for one with another value there: whoever takes it binds the value to a variable that
// is bound nowhere else, that no guard speaks of, and that is given on only where it does not
// matter either. Then a firing with one token is a firing with the other, and leads to markings
// that differ in the same way: markings with the same sums over such parts are strongly bisimilar.
void ColourFlow::find_what_matters() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t t = 0; t < net_.transitions.size(); ++t) {
      for (const Part& in : parts_[t].inputs) {
        if (!matters_[in.place][in.part] && !is_exchangeable(t, in)) {
          matters_[in.place][in.part] = true;
          changed = true;
        }
      }
    }
  }
}

bool ColourFlow::needs(const Part& part, std::uint32_t variable) const {
  return speaks_of(part, variable) &&
         (matters_[part.place][part.part] || !part.is_sure || !is_single(*part.term));
}

bool ColourFlow::is_exchangeable(std::size_t t, const Part& input) const {
  if (!input.is_exact || input.term->kind != Kind::Variable) {
    return false;
  }
  const std::uint32_t variable = input.term->number;
  const auto speaks_of_it = [&](const Part& part) { return speaks_of(part, variable); };
  return !is_guarded_[t][variable] && std::ranges::count_if(parts_[t].inputs, speaks_of_it) == 1 &&
         std::ranges::none_of(parts_[t].outputs,
                              [&](const Part& out) { return needs(out, variable); });
}

bool ColourFlow::merges_something() const {
  for (std::size_t p = 0; p < matters_.size(); ++p) {
    for (std::size_t i = 0; i < matters_[p].size(); ++i) {
      if (!matters_[p][i] && net_.places[p].sort->simple()[i]->names.size() > 1) {
        return true;
      }
    }
  }
  return false;
}

bool ColourFlow::matters_to(std::size_t t, std::uint32_t variable) const {
  const auto is_needed = [&](const Part& part) { return needs(part, variable); };
  return is_guarded_[t][variable] || std::ranges::any_of(parts_[t].inputs, is_needed) ||
         std::ranges::any_of(parts_[t].outputs, is_needed);
}

}  // namespace nestor::net
