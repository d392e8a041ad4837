// Label placement through an index, after section 5.2 of the thesis on recursive Kripke structures
// (docs/smv.md): a label such as `state = s1` looks only at the states in which `state` is s1.

#include "model/placement.h"

#include "base/bit_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace nestor::model {

namespace {

constexpr std::size_t kMostLabels = std::numeric_limits<std::uint32_t>::max();
// A part with many more values than there are states is not worth a row for each value.
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 16;
constexpr std::uint64_t kMostValuesAState = 4;
// From this share of all states on, a bit for each state is sorted faster than a list.
constexpr std::size_t kDense = 16;

using ValueId = base::Id<struct ValueTag>;
using ValueIndex = base::CompressedRows<ValueId, NodeId>;
using Key = SuccessorFunction::Key;

class Placement {
 public:
  Placement(const StateStore& store, base::LimitGuard& guard)
      : store_(store), guard_(guard), members_(store.size()) {}

  base::CompressedRows<PropId, NodeId> run(std::span<const std::uint32_t> propositions) {
    std::vector<std::uint32_t> plain;
    for (const std::uint32_t p : propositions) {
      if (!indexed_key(p)) {
        plain.push_back(p);
      }
    }
    std::vector<base::BitSet> values = evaluate(plain);
    std::size_t next_plain = 0;
    base::CompressedRows<PropId, NodeId> rows;
    std::vector<NodeId> row;
    for (const std::uint32_t p : propositions) {
      row.clear();
      if (const std::optional<Key> key = indexed_key(p)) {
        look_up(p, *key, row);
      } else {
        base::BitSet& value = values[next_plain++];
        value.for_each([&](std::size_t n) { row.emplace_back(n); });
        value = base::BitSet();
      }
      if (rows.item_count() + row.size() > kMostLabels) {
        throw base::LimitReached{fmt::format("more than {} labels", kMostLabels)};
      }
      rows.append_row(row);
    }
    return rows;
  }

 private:
  std::optional<Key> indexed_key(std::uint32_t proposition) const {
    const std::optional<Key> key = store_.model().key(proposition);
    const std::uint64_t most =
        std::max<std::uint64_t>(kMostValues, kMostValuesAState * store_.size());
    return key && key->values <= most ? key : std::nullopt;
  }

  /// State by state, since a model may have to unpack one to evaluate anything in it.
  std::vector<base::BitSet> evaluate(std::span<const std::uint32_t> propositions) {
    guard_.reserve(propositions.size() * store_.size() / 8);
    std::vector<base::BitSet> values(propositions.size(), base::BitSet(store_.size()));
    for (const NodeId n : base::IdRange<NodeId>(NodeId(0), NodeId(store_.size()))) {
      for (std::size_t p = 0; p < propositions.size(); ++p) {
        guard_.tick();
        if (store_.model().holds(propositions[p], store_[n])) {
          values[p].set(n.value());
        }
      }
    }
    return values;
  }

  const ValueIndex& index_of(const Key& key) {
    const auto [place, is_new] = indices_.try_emplace(key.part);
    if (is_new) {
      ValueIndex index(static_cast<std::size_t>(key.values));
      const base::IdRange<NodeId> nodes(NodeId(0), NodeId(store_.size()));
      for (const NodeId n : nodes) {
        guard_.tick();
        index.count(ValueId(store_.model().part(key.part, store_[n])));
      }
      index.finish_counting();
      for (const NodeId n : nodes) {
        guard_.tick();
        index.add(ValueId(store_.model().part(key.part, store_[n])), n);
      }
      place->second = std::move(index);
    }
    return place->second;
  }

  void look_up(std::uint32_t proposition, const Key& key, std::vector<NodeId>& row) {
    const ValueIndex& index = index_of(key);
    const auto take = [&](ValueId value) {
      row.insert(row.end(), index[value].begin(), index[value].end());
    };
    if (key.holds_at) {
      for (const std::uint64_t value : *key.holds_at) {
        guard_.tick();
        take(ValueId(value));
      }
    } else {
      for (std::size_t v = 0; v < index.row_count(); ++v) {
        guard_.tick();
        const std::span<const NodeId> states = index[ValueId(v)];
        // Only where the value occurs: elsewhere the proposition may make no sense.
        if (!states.empty() && store_.model().holds(proposition, store_[states.front()])) {
          take(ValueId(v));
        }
      }
    }
    sort(row);
  }

  void sort(std::vector<NodeId>& row) {
    if (row.size() < store_.size() / kDense) {
      std::ranges::sort(row);
      return;
    }
    for (const NodeId n : row) {
      members_.set(n.value());
    }
    row.clear();
    members_.for_each([&](std::size_t n) { row.emplace_back(n); });
    for (const NodeId n : row) {
      members_.reset(n.value());
    }
  }

  const StateStore& store_;
  base::LimitGuard& guard_;
  std::map<std::uint32_t, ValueIndex> indices_;  // by part
  base::BitSet members_;                         // empty between uses
};

}  // namespace

base::CompressedRows<PropId, NodeId> place_propositions(const StateStore& store,
                                                        std::span<const std::uint32_t> propositions,
                                                        base::LimitGuard& guard) {
  return Placement(store, guard).run(propositions);
}

}  // namespace nestor::model
