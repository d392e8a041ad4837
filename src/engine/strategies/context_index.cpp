// The bookkeeping of a ContextMachine: which instance has which context, who calls whom, which
// instances are reachable, which boxes are contextualisable.
#include "engine/strategies/context_machine.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cassert>
#include <cstring>

namespace nestor::engine::strategies {

std::uint64_t ContextMachine::hash_context(model::ComponentId base,
                                           const std::vector<Ternary>& gamma) const {
  return XXH3_64bits_withSeed(gamma.data(), gamma.size() * sizeof(Ternary), base.value());
}

// As fast as memory is: with 10^5 formulas contexts are long.
bool ContextMachine::same_context(const std::vector<Ternary>& a, const std::vector<Ternary>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Ternary)) == 0);
}

InstanceId ContextMachine::find_context(model::ComponentId base,
                                        const std::vector<Ternary>& gamma) const {
  const auto [first, last] = index_.equal_range(hash_context(base, gamma));
  InstanceId best;
  for (auto it = first; it != last; ++it) {
    const Instance& in = instances_[it->second];
    // The oldest of several equal ones, whatever order the hash table keeps them in.
    if (in.base == base && same_context(in.gamma, gamma) && (!best.valid() || it->second < best)) {
      best = it->second;
    }
  }
  return best;
}

void ContextMachine::enter_in_index(InstanceId instance) {
  Instance& in = instances_[instance];
  in.context_hash = hash_context(in.base, in.gamma);
  index_.emplace(in.context_hash, instance);
}

void ContextMachine::remove_from_index(InstanceId instance) {
  const auto [first, last] = index_.equal_range(instances_[instance].context_hash);
  for (auto it = first; it != last; ++it) {
    if (it->second == instance) {
      index_.erase(it);
      return;
    }
  }
  assert(false);
}

void ContextMachine::link(CallSite site, InstanceId callee) {
  const std::size_t box = site.box - model_.component(instances_[site.instance].base).first_box;
  std::vector<CallSite>& callers = instances_[callee].callers;
  assert(instances_[callee].base == model_.box(site.box).callee);
  assert(!instances_[site.instance].callee[box].valid());
  instances_[site.instance].callee[box] = callee;
  instances_[site.instance].caller_place[box] = static_cast<std::uint32_t>(callers.size());
  callers.push_back(site);
}

void ContextMachine::unlink(CallSite site) {
  const auto box_in = [this](CallSite at) {
    return at.box - model_.component(instances_[at.instance].base).first_box;
  };
  Instance& caller = instances_[site.instance];
  std::vector<CallSite>& callers = instances_[caller.callee[box_in(site)]].callers;
  const std::uint32_t place = caller.caller_place[box_in(site)];
  assert(callers[place] == site);
  const CallSite moved = callers.back();
  callers[place] = moved;
  instances_[moved.instance].caller_place[box_in(moved)] = place;
  callers.pop_back();
  caller.callee[box_in(site)] = InstanceId();
}

// REMOVEUNREACHABLECOMPONENTS, looking only at what may have become unreachable: walk from the
// instance that lost a caller back to the root. If the walk does not get there, all that it met is
// unreachable; then the callees of what is removed may be.
void ContextMachine::remove_if_unreachable(InstanceId instance) {
  std::vector<InstanceId> suspects{instance};
  std::vector<InstanceId> dead;
  while (!suspects.empty()) {
    const InstanceId suspect = suspects.back();
    suspects.pop_back();
    if (!alive(suspect) || !collect_unreachable_callers(suspect, dead)) {
      continue;
    }
    for (const InstanceId i : dead) {
      assert(i != root() && alive(i));
      guard_.tick();
      for (const model::BoxId b : model_.component(instances_[i].base).boxes()) {
        suspects.push_back(callee_of({i, b}));
        unlink({i, b});
      }
      remove_from_index(i);
    }
    for (const InstanceId i : dead) {
      assert(instances_[i].callers.empty());
      const model::ComponentId base = instances_[i].base;
      instances_[i] = Instance();
      instances_[i].base = base;
      instances_[i].alive = false;
    }
  }
}

// False if the root is among the direct and indirect callers.
bool ContextMachine::collect_unreachable_callers(InstanceId instance,
                                                 std::vector<InstanceId>& found) {
  found.clear();
  if (instance == root()) {
    return false;
  }
  visited_.resize(instances_.size(), 0);
  ++visit_;
  std::vector<InstanceId> stack{instance};
  visited_[instance] = visit_;
  while (!stack.empty()) {
    const InstanceId here = stack.back();
    stack.pop_back();
    found.push_back(here);
    for (const CallSite& site : instances_[here].callers) {
      guard_.tick();
      if (site.instance == root()) {
        return false;
      }
      if (visited_[site.instance] != visit_) {
        visited_[site.instance] = visit_;
        stack.push_back(site.instance);
      }
    }
  }
  return true;
}

void ContextMachine::list_if_contextualisable(State return_node, SubId f) {
  assert(known(value(return_node, f)));
  const CallSite site{return_node.instance, model_.box_of(return_node.node)};
  const Instance& callee = instances_[callee_of(site)];
  const std::size_t exit = return_node.node - model_.box(site.box).first_return;
  const std::size_t row = std::size_t{table_[f].existential.value()} * callee.exits;
  if (!known(callee.gamma[row + exit]) && listed(site) == 0) {
    listed(site) = 1;
    contextualisable_.push_back(site);
  }
}

bool ContextMachine::still_listed(CallSite site) const {
  const Instance& in = instances_[site.instance];
  return in.alive && in.listed[site.box - model_.component(in.base).first_box] != 0;
}

std::vector<CallSite> ContextMachine::take_contextualisable() {
  std::vector<CallSite> taken;
  taken.swap(contextualisable_);
  std::erase_if(taken, [this](CallSite site) { return !still_listed(site); });
  return taken;
}

std::vector<CallSite> ContextMachine::take_newly_contextualisable() {
  std::vector<CallSite> taken = take_contextualisable();
  for (const CallSite& site : taken) {
    listed(site) = 0;
  }
  return taken;
}

void ContextMachine::list_all_contextualisable() {
  const std::span<const SubId> open = unsettled();
  for (const InstanceId i : alive_instances()) {
    for (const model::BoxId b : model_.component(instances_[i].base).boxes()) {
      for (const model::NodeId n : model_.box(b).return_nodes()) {
        guard_.tick();
        for (const SubId f : open) {
          if (known(value({i, n}, f))) {
            list_if_contextualisable({i, n}, f);
          }
        }
      }
    }
  }
}

std::optional<CallSite> ContextMachine::take_random_contextualisable(std::mt19937_64& random) {
  while (!contextualisable_.empty()) {
    CallSite& chosen = contextualisable_[random() % contextualisable_.size()];
    const CallSite site = chosen;
    chosen = contextualisable_.back();
    contextualisable_.pop_back();
    if (still_listed(site)) {
      return site;
    }
  }
  return std::nullopt;
}

}  // namespace nestor::engine::strategies
