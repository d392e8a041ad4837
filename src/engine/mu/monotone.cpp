#include "engine/mu/monotone.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nestor::engine::mu {

namespace {

std::size_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t h = (a * 0x9e3779b97f4a7c15U) ^ (b * 0xbf58476d1ce4e5b9U + c * 0x94d049bb133111ebU);
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9U;
  return h ^ (h >> 32);
}

constexpr std::size_t kFirstSlots = 1 << 10;

}  // namespace

MonotoneFunctions::MonotoneFunctions(base::LimitGuard& guard) : guard_(guard) {
  nodes_.push_back({{}, kFalse, kFalse});
  nodes_.push_back({{}, kTrue, kTrue});
  slots_.resize(kFirstSlots);
  known_.resize(kFirstSlots);
}

void MonotoneFunctions::grow() {
  const std::size_t size = slots_.size() * 2;
  guard_.reserve(size * (sizeof(Function) + sizeof(Known)));
  slots_.assign(size, Function());
  known_.assign(size, Known());
  for (std::uint32_t i = 2; i < nodes_.size(); ++i) {
    const Node& node = nodes_[Function(i)];
    std::size_t slot = mixed(node.atom.value(), node.high.value(), node.low.value());
    while (slots_[slot & (size - 1)].valid()) {
      ++slot;
    }
    slots_[slot & (size - 1)] = Function(i);
  }
}

Function MonotoneFunctions::make(AtomId atom, Function high, Function low) {
  if (high == low) {
    return low;
  }
  if (atom.value() >= kMostAtoms) {
    throw base::LimitReached{fmt::format(
        "more than {} pairs of an exit and a subformula matter in one procedure", kMostAtoms)};
  }
  guard_.tick();
  std::size_t slot = mixed(atom.value(), high.value(), low.value());
  for (;; ++slot) {
    const Function found = slots_[slot & (slots_.size() - 1)];
    if (!found.valid()) {
      break;
    }
    const Node& node = nodes_[found];
    if (node.atom == atom && node.high == high && node.low == low) {
      return found;
    }
  }
  if (nodes_.size() % 4096 == 0) {
    guard_.reserve(nodes_.size() * sizeof(Node));
  }
  const Function made = nodes_.push_back({atom, high, low});
  slots_[slot & (slots_.size() - 1)] = made;
  if (nodes_.size() * 2 > slots_.size()) {
    grow();
  }
  return made;
}

Function MonotoneFunctions::combine(Operation operation, Function f, Function g) {
  const Function neutral = operation == Operation::Both ? kTrue : kFalse;
  const Function dominant = operation == Operation::Both ? kFalse : kTrue;
  if (f == dominant || g == dominant) {
    return dominant;
  }
  if (f == neutral || f == g) {
    return g;
  }
  if (g == neutral) {
    return f;
  }
  if (g < f) {
    std::swap(f, g);
  }
  const std::size_t hash = mixed(f.value(), g.value(), static_cast<std::uint64_t>(operation));
  const Known& known = known_[hash & (known_.size() - 1)];
  if (known.f == f && known.g == g && known.operation == operation) {
    return known.result;
  }
  const Node a = nodes_[f];
  const Node b = nodes_[g];
  const AtomId atom = std::max(a.atom, b.atom);  // what is new comes on top of what is known
  const Function high =
      combine(operation, a.atom == atom ? a.high : f, b.atom == atom ? b.high : g);
  const Function low = combine(operation, a.atom == atom ? a.low : f, b.atom == atom ? b.low : g);
  const Function result = make(atom, high, low);
  known_[hash & (known_.size() - 1)] = {f, g, result, operation};
  return result;
}

void MonotoneFunctions::begin_walk() {
  ++walk_;
  if (visited_.size() < nodes_.size()) {
    guard_.reserve(nodes_.size() * sizeof(Visited));
    visited_.resize(nodes_.size());
  }
}

void MonotoneFunctions::collect(Function f, std::vector<AtomId>& atoms) {
  if (is_constant(f) || visited_[f].walk == walk_) {
    return;
  }
  guard_.tick();
  visited_[f].walk = walk_;
  atoms.push_back(nodes_[f].atom);
  collect(nodes_[f].high, atoms);
  collect(nodes_[f].low, atoms);
}

std::vector<AtomId> MonotoneFunctions::atoms_of(Function f) {
  std::vector<AtomId> atoms;
  begin_walk();
  collect(f, atoms);
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms;
}

Function MonotoneFunctions::substitute(Function f, const std::vector<AtomId>& atoms,
                                       const std::vector<Function>& values) {
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (atoms[i].value() >= value_of_.size()) {
      value_of_.resize(atoms[i].value() + std::size_t{1});
    }
    value_of_[atoms[i]] = values[i];
  }
  begin_walk();
  return replace(f);
}

// match: if a then high else low, where low implies high   result: low | a & high
Function MonotoneFunctions::replace(Function f) {
  if (is_constant(f)) {
    return f;
  }
  if (visited_[f].walk == walk_) {
    return visited_[f].result;
  }
  const Node node = nodes_[f];
  const Function low = replace(node.low);
  const Function high = replace(node.high);
  const Function result = either(low, both(value_of_[node.atom], high));
  visited_[f] = {walk_, result};
  return result;
}

}  // namespace nestor::engine::mu
