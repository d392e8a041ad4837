// A pushdown system as a recursive state machine, step by step (docs/formats.md).
//
//   configuration (p, g w)       state (stack, n): n the node of head (p, g), the stack a box for
//                                each symbol of w but the lowest frame's
//   rewrite to (q, g')           transition to the node of (q, g')
//   push to (q, g1 g2)           transition to call node (b, en): en the node of (q, g1), which is
//                                an entry; b the box of the callee and g2
//   pop to q                     the node of (p, g) is an exit; for every box b of g2 the return
//                                node (b, (p, g)) leads to the node of (q, g2)
//   pop to q, nothing below      transition to the node of (q, empty), a dead end
//
// The map from states to configurations keeps labels and, in both directions, successors.

#include "format/pds/to_rsm.h"

#include "format/pds/procedures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <deque>
#include <unordered_map>
#include <utility>

namespace nestor::format {

namespace {

constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 31;

class ToRsm {
 public:
  ToRsm(const model::PushdownSystem& system, const std::string& file)
      : system_(system), procedures_(system), file_(file), builder_(file) {}

  model::Rsm convert(model::DeadEnds dead_ends) {
    unwrap_bottom();
    name_heads();
    name_procedures();
    index_labels();
    collect_exits();
    for (std::size_t i = 0; i < procedures_.count(); ++i) {
      if (ProcedureId(i) != inlined_) {
        add_procedure(ProcedureId(i));
      }
    }
    builder_.initial_component(procedure_names_[Procedures::kBottom]);
    std::vector<std::string_view> added;
    for (const model::Head head : system_.initial_heads()) {
      const std::string_view name = names_[procedures_.find(head, true)];
      if (std::find(added.begin(), added.end(), name) == added.end()) {
        builder_.initial_node(name);
        added.push_back(name);
      }
    }
    return builder_.finish(dead_ends);
  }

 private:
  /// A call in the procedure being added: what is called and where it returns to.
  struct BoxKey {
    ProcedureId callee;
    model::SymbolId below;

    std::uint64_t key() const { return std::uint64_t{callee.value()} << 32 | below.value(); }
  };

  const Place& place(PlaceId p) const { return procedures_.places()[p]; }
  /// The procedure whose component holds the place: its own, unless that is inlined.
  ProcedureId component_of(PlaceId p) const {
    return place(p).procedure == inlined_ ? Procedures::kBottom : place(p).procedure;
  }
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

  // Systems made of programs begin with `(p0, #) -> (p, main #)`: a lowest frame that only holds
  // the bottom marker. It is no procedure of the program, so main's frame, which it alone calls, is
  // merged with it. (Inlining a call changes no successors.)
  void unwrap_bottom() {
    const std::span<const model::Head> initial = system_.initial_heads();
    if (initial.size() != 1) {
      return;
    }
    const model::SymbolId marker = initial.front().symbol;
    const PlaceId start = procedures_.find(initial.front(), true);
    const std::span<const model::PushdownRule* const> first = procedures_.rules_of(start);
    if (first.size() != 1 || !first.front()->is_push() || first.front()->second != marker) {
      return;
    }
    const PlaceId entry = procedures_.find({first.front()->target, first.front()->first}, false);
    const ProcedureId callee = place(entry).procedure;
    for (const PlaceId p : procedures_.places().ids()) {
      const bool in_callee = place(p).procedure == callee;
      if (place(p).bottom ? place(p).head.symbol != marker
                          : in_callee && place(p).head.symbol == marker) {
        return;
      }
      for (const model::PushdownRule* rule : procedures_.rules_of(p)) {
        const bool calls =
            rule->is_push() &&
            place(procedures_.find({rule->target, rule->first}, false)).procedure == callee;
        if (p != start && (calls || (place(p).bottom && rule->is_push()))) {
          return;
        }
      }
    }
    inlined_ = callee;
    marker_ = marker;
  }

  /// A symbol that occurs under one control state names its node alone, `p<g>` names any other.
  void name_heads() {
    base::IdVector<model::SymbolId, model::ControlId> control(system_.symbol_count());
    base::IdVector<model::SymbolId, bool> several(system_.symbol_count());
    for (const Place& p : procedures_.places()) {
      model::ControlId& first = control[p.head.symbol];
      several[p.head.symbol] = several[p.head.symbol] || (first.valid() && first != p.head.control);
      first = p.head.control;
    }
    names_.reserve(procedures_.places().size());
    for (const Place& p : procedures_.places()) {
      const std::string_view symbol = system_.name(p.head.symbol);
      names_.push_back(several[p.head.symbol]
                           ? keep(fmt::format("{}<{}>", system_.name(p.head.control), symbol))
                           : symbol);
    }
  }

  /// After their first entries, the lowest frame after the first initial head.
  void name_procedures() {
    const PlaceId start = procedures_.find(system_.initial_heads().front(), true);
    procedure_names_.resize(procedures_.count());
    std::string_view bottom = names_[start];
    for (const PlaceId p : procedures_.places().ids()) {
      std::string_view& name = procedure_names_[place(p).procedure];
      if (place(p).is_entry && name.empty()) {
        name = names_[p];
        if (name == bottom) {
          bottom = keep(fmt::format("{}<bottom>", bottom));
        }
      }
    }
    procedure_names_[Procedures::kBottom] = bottom;
  }

  void index_labels() {
    const auto rows = [](std::size_t count, const auto& labels, auto row_of) {
      base::CompressedRows<base::Id<struct RowTag>, base::StringId> result(count);
      for (const auto& label : labels) {
        result.count(row_of(label));
      }
      result.finish_counting();
      for (const auto& label : labels) {
        result.add(row_of(label), label.proposition);
      }
      return result;
    };
    using Row = base::Id<struct RowTag>;
    control_labels_ = rows(system_.control_count(), system_.control_labels(),
                           [](const auto& label) { return Row(label.control.value()); });
    symbol_labels_ = rows(system_.symbol_count(), system_.symbol_labels(),
                          [](const auto& label) { return Row(label.symbol.value()); });
    // Labels of heads that no configuration has go to a row of their own, which nobody reads. Files
    // give the labels of one head together, so the last one found is often the next one sought.
    const std::size_t heads = procedures_.head_count();
    model::Head last{};
    Row row(heads);
    head_labels_ = rows(heads + 1, system_.head_labels(), [&](const auto& label) {
      if (label.head != last) {
        const Procedures::HeadIndex head = procedures_.find_head(label.head);
        last = label.head;
        row = Row(head.valid() ? head.value() : heads);
      }
      return row;
    });
  }

  void collect_exits() {
    exits_.resize(procedures_.count());
    entry_counts_.assign(procedures_.count(), 0);
    for (const PlaceId p : procedures_.places().ids()) {
      if (is_exit(p)) {
        exits_[place(p).procedure].push_back(p);
      }
      entry_counts_[place(p).procedure] += place(p).is_entry ? 1 : 0;
    }
  }

  bool is_exit(PlaceId p) const {
    const std::span<const model::PushdownRule* const> rules = procedures_.rules_of(p);
    return !place(p).bottom && place(p).procedure != inlined_ &&
           std::any_of(rules.begin(), rules.end(),
                       [](const model::PushdownRule* rule) { return rule->is_pop(); });
  }

  void add_procedure(ProcedureId procedure) {
    builder_.component(procedure_names_[procedure]);
    boxes_.clear();
    box_names_.clear();
    box_of_key_.clear();
    const auto for_each_place = [&](auto visit) {
      for (const PlaceId p : procedures_.places_of(procedure)) {
        visit(p);
      }
      if (procedure == Procedures::kBottom && inlined_.valid()) {
        for (const PlaceId p : procedures_.places_of(inlined_)) {
          visit(p);
        }
      }
    };
    for_each_place([this](PlaceId p) { add_node(p); });
    for_each_place([this](PlaceId p) { find_boxes(p); });
    for_each_place([this](PlaceId p) { add_transitions(p); });
    for (std::size_t b = 0; b < boxes_.size(); ++b) {
      add_returns(b, procedure == Procedures::kBottom);
    }
    for (const model::ControlId control : std::exchange(empty_nodes_, {})) {
      builder_.node({.name = empty_node(control)});
      add_labels(control_labels_[Row(control.value())]);
    }
  }

  using Row = base::Id<struct RowTag>;

  void add_node(PlaceId p) {
    const bool in_bottom = component_of(p) == Procedures::kBottom;
    const bool initial = place(p).bottom && is_initial(place(p).head);
    builder_.node({.name = names_[p],
                   .is_entry = in_bottom ? initial : place(p).is_entry,
                   .is_exit = is_exit(p)});
    count_nodes(1);
    add_labels(control_labels_[Row(place(p).head.control.value())]);
    add_labels(symbol_labels_[Row(place(p).head.symbol.value())]);
    add_labels(head_labels_[Row(procedures_.head_of(p).value())]);
  }

  bool is_initial(model::Head head) const {
    const std::span<const model::Head> all = system_.initial_heads();
    return std::find(all.begin(), all.end(), head) != all.end();
  }

  void add_labels(std::span<const base::StringId> labels) {
    for (const base::StringId label : labels) {
      builder_.label(system_.string(label));
    }
  }

  void count_nodes(std::uint64_t more) {
    nodes_ += more;
    if (nodes_ > kMostNodes) {
      throw base::Error(
          base::Error::Kind::Unsupported,
          "too large: every call has a node for each entry and each exit of its procedure, "
          "more than 2^31 in all",
          {file_, 0, 0});
    }
  }

  PlaceId entry_of(const model::PushdownRule& push) const {
    return procedures_.find({push.target, push.first}, false);
  }

  /// The box of a push; not valid for the call that is inlined.
  std::size_t box_of(const model::PushdownRule& push) const {
    return box_of_key_.at(BoxKey{place(entry_of(push)).procedure, push.second}.key());
  }

  void find_boxes(PlaceId p) {
    for (const model::PushdownRule* rule : procedures_.rules_of(p)) {
      if (!rule->is_push() || place(entry_of(*rule)).procedure == inlined_) {
        continue;
      }
      const BoxKey box{place(entry_of(*rule)).procedure, rule->second};
      if (box_of_key_.try_emplace(box.key(), boxes_.size()).second) {
        // Named after the symbol to return to, which says where the call stands.
        const std::size_t same = ++box_names_[box.below];
        const std::string_view symbol = system_.name(box.below);
        boxes_.push_back({box, same == 1 ? symbol : keep(fmt::format("{}<{}>", symbol, same))});
        builder_.box(boxes_.back().name, procedure_names_[box.callee]);
        count_nodes(exits_[box.callee].size() + entry_counts_[box.callee]);
      }
    }
  }

  void add_transitions(PlaceId p) {
    const bool bottom = place(p).bottom;
    builder_.source(model::ModelBuilder::Ref::node(names_[p]));
    for (const model::PushdownRule* rule : procedures_.rules_of(p)) {
      if (rule->is_push()) {
        const PlaceId entry = entry_of(*rule);
        if (place(entry).procedure == inlined_) {
          builder_.target(model::ModelBuilder::Ref::node(names_[entry]));
        } else {
          builder_.target(
              model::ModelBuilder::Ref::box_node(boxes_[box_of(*rule)].name, names_[entry]));
        }
      } else if (!rule->is_pop()) {
        target({rule->target, rule->first}, bottom);
      } else if (bottom) {
        builder_.target(model::ModelBuilder::Ref::node(empty_node(rule->target)));
      } else if (place(p).procedure == inlined_) {
        target({rule->target, marker_}, true);
      }
    }
  }

  void target(model::Head head, bool bottom) {
    const PlaceId to = procedures_.find(head, bottom);
    assert(to.valid());
    builder_.target(model::ModelBuilder::Ref::node(names_[to]));
  }

  void add_returns(std::size_t b, bool in_bottom) {
    // Returns into an inlined frame stay in it; returns into the lowest frame proper do not exist
    // then, since that frame makes no other call.
    const bool bottom = in_bottom && !inlined_.valid();
    const auto [key, name] = boxes_[b];
    for (const PlaceId exit : exits_[key.callee]) {
      builder_.source(model::ModelBuilder::Ref::box_node(name, names_[exit]));
      for (const model::PushdownRule* rule : procedures_.rules_of(exit)) {
        if (rule->is_pop()) {
          target({rule->target, key.below}, bottom);
        }
      }
    }
  }

  std::string_view empty_node(model::ControlId control) {
    const auto [found, is_new] = empty_names_.try_emplace(control);
    if (is_new) {
      found->second = fmt::format("{}<>", system_.name(control));
      empty_nodes_.push_back(control);
    }
    return found->second;
  }

  struct NamedBox {
    BoxKey key;
    std::string_view name;
  };

  const model::PushdownSystem& system_;
  Procedures procedures_;
  std::string file_;
  model::ModelBuilder builder_;
  ProcedureId inlined_;     // not valid if none is
  model::SymbolId marker_;  // below the inlined frame
  std::deque<std::string> kept_;
  base::IdVector<PlaceId, std::string_view> names_;
  base::IdVector<ProcedureId, std::string_view> procedure_names_;
  base::CompressedRows<Row, base::StringId> control_labels_;
  base::CompressedRows<Row, base::StringId> symbol_labels_;
  base::CompressedRows<Row, base::StringId> head_labels_;  // by head
  base::IdVector<ProcedureId, std::vector<PlaceId>> exits_;
  base::IdVector<ProcedureId, std::size_t> entry_counts_;
  std::uint64_t nodes_ = 0;

  // Of the procedure being added.
  std::vector<NamedBox> boxes_;
  std::unordered_map<model::SymbolId, std::size_t> box_names_;
  std::unordered_map<std::uint64_t, std::size_t> box_of_key_;
  std::vector<model::ControlId> empty_nodes_;  // to which the lowest frame pops
  std::unordered_map<model::ControlId, std::string> empty_names_;
};

}  // namespace

model::Rsm to_rsm(const model::PushdownSystem& system, const std::string& file,
                  model::DeadEnds dead_ends) {
  return ToRsm(system, file).convert(dead_ends);
}

}  // namespace nestor::format
