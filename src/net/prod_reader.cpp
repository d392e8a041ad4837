#include "net/prod_reader.h"

#include "net/net_simplifier.h"
#include "net/prod_states.h"
#include "net/prod_unfold.h"

namespace nestor::net {

namespace {

// With more, looking at every place of a marking takes longer than binding.
constexpr std::size_t kMostUnfolded = 256;
constexpr std::uint64_t kStepsToRead = 100'000;

}  // namespace

ProdNetRead read_prod(const base::Input& input) {
  const auto model = std::make_shared<const ProdModel>(input);
  base::Limits limits;
  limits.steps = kStepsToRead;
  try {
    base::LimitGuard guard(limits);
    std::shared_ptr<NetStates> unfolded = unfolded_states(model, kMostUnfolded, guard);
    // Null if there may be mistakes in the net: binding tells them better.
    if (auto simplifier = make_net_simplifier(unfolded)) {
      return {std::move(unfolded), std::move(simplifier)};
    }
  } catch (const base::LimitReached&) {
    // It does not stay small.
  }
  return {std::make_shared<ProdStates>(model), make_prod_simplifier(model)};
}

}  // namespace nestor::net
