#include "witness/witness_writer.h"

#include "base/json.h"
#include "witness/witness_names.h"

#include <algorithm>
#include <iterator>

namespace nestor {

namespace {

class Writer {
 public:
  Writer(fmt::memory_buffer& out, const Rsm& model, const FormulaPool& pool, const Witness& witness)
      : out_(out),
        model_(model),
        pool_(pool),
        witness_(witness),
        formulas_(subformulas(pool, witness.formula)),
        props_(mentioned_props(model, pool, witness.formula)) {}

  void write(std::string_view text) {
    raw("{\"formula\":");
    append_json_string(out_, text);
    raw(witness_.holds ? ",\"verdict\":\"holds\"" : ",\"verdict\":\"fails\"");
    raw(",\"engine\":");
    append_json_string(out_, witness_.engine);
    if (witness_.fairness > 0) {
      print(",\"fairness\":{}", witness_.fairness);
    }
    list("formulas", formulas_, [this](FormulaId f) { formula(f); });
    list("stacks", witness_.stacks.ids(), [this](StackId s) { stack(s); });
    list("states", witness_.states, [this](const State& s) { state(s); });
    list("evidence", witness_.evidence, [this](const Evidence& e) { evidence(e); });
    ids("roots", witness_.roots);
    raw("}");
  }

 private:
  void raw(std::string_view text) { out_.append(text); }
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  /// One item a line.
  template <class Items, class Write>
  void list(const char* key, const Items& items, Write write) {
    print(",\n\"{}\":[", key);
    const char* separator = "\n";
    for (const auto& item : items) {
      raw(separator);
      write(item);
      separator = ",\n";
    }
    raw("]");
  }
  template <class Ids>
  void ids(const char* key, const Ids& items) {
    print(",\"{}\":[", key);
    const char* separator = "";
    for (const auto item : items) {
      print("{}{}", separator, item.value());
      separator = ",";
    }
    raw("]");
  }

  std::size_t place(FormulaId f) const {
    return static_cast<std::size_t>(std::lower_bound(formulas_.begin(), formulas_.end(), f) -
                                    formulas_.begin());
  }

  void formula(FormulaId f) {
    const Formula& formula = pool_[f];
    print("{{\"op\":\"{}\"", kOpNames[static_cast<std::size_t>(formula.op)]);
    if (formula.op == Op::Atom) {
      raw(",\"name\":");
      append_json_string(out_, pool_.atom_name(f));
    }
    const int operands = operand_count(formula.op);
    if (operands >= 1) {
      print(",\"left\":{}", place(formula.left));
    }
    if (operands == 2) {
      print(",\"right\":{}", place(formula.right));
    }
    raw("}");
  }

  void stack(StackId s) {
    if (witness_.stacks.is_empty(s)) {
      raw("{}");
      return;
    }
    print("{{\"below\":{},\"box\":", witness_.stacks.below(s).value());
    append_json_string(out_, model_.box_name(witness_.stacks.top(s)));
    raw("}");
  }

  void state(const State& s) {
    print("{{\"stack\":{},\"procedure\":", s.stack.value());
    append_json_string(out_, model_.component_name(model_.component_of(s.node)));
    raw(",\"node\":");
    append_json_string(out_, model_.node_name(s.node));
    raw(",\"labels\":[");
    const char* separator = "";
    for (const PropId p : props_) {
      if (carries(model_, s.node, p)) {
        raw(separator);
        append_json_string(out_, model_.prop_name(p));
        separator = ",";
      }
    }
    raw("]");
    if (const std::optional<NodePosition> position = model_.position(s.node)) {
      raw(",\"file\":");
      append_json_string(out_, model_.string(position->file));
      if (position->line != 0) {
        print(",\"line\":{}", position->line);
      }
    }
    raw("}");
  }

  void evidence(const Evidence& e) {
    print("{{\"kind\":\"{}\",\"formula\":{},\"holds\":{},\"state\":{}",
          kKindNames[static_cast<std::size_t>(e.kind)], place(e.claim.formula), e.claim.holds,
          e.state.value());
    if (!e.path.empty()) {
      path(e);
    }
    if (!e.along.empty()) {
      ids("along", e.along);
    }
    if (!e.parts.empty()) {
      ids("parts", e.parts);
    }
    raw("}");
  }

  void path(const Evidence& e) {
    ids("path", e.path);
    raw(",\"steps\":[");
    const char* separator = "";
    for (const Step step : e.steps) {
      print("{}\"{}\"", separator, kStepNames[static_cast<std::size_t>(step)]);
      separator = ",";
    }
    print("],\"ending\":\"{}\"", kEndingNames[static_cast<std::size_t>(e.ending)]);
    if (e.ending == Evidence::Ending::Joins) {
      print(",\"joins\":{},\"join_at\":{}", e.joins.value(), e.join_at);
    }
    if (e.ending == Evidence::Ending::Loop) {
      print(",\"loop\":{},\"grown\":[", e.loop);
      separator = "";
      for (const BoxId b : grown_by(witness_, e)) {
        raw(separator);
        append_json_string(out_, model_.box_name(b));
        separator = ",";
      }
      raw("]");
    }
  }

  fmt::memory_buffer& out_;
  const Rsm& model_;
  const FormulaPool& pool_;
  const Witness& witness_;
  std::vector<FormulaId> formulas_;
  std::vector<PropId> props_;
};

}  // namespace

void append_witness_json(fmt::memory_buffer& out, const Rsm& model, const FormulaPool& pool,
                         const Witness& witness, std::string_view text) {
  Writer(out, model, pool, witness).write(text);
}

std::vector<PropId> mentioned_props(const Rsm& model, const FormulaPool& pool, FormulaId formula) {
  std::vector<PropId> props;
  for (const FormulaId f : subformulas(pool, formula)) {
    if (pool[f].op == Op::Atom) {
      const PropId p = model.find_prop(pool.atom_name(f));
      if (p.valid()) {
        props.push_back(p);
      }
    }
  }
  return props;
}

bool carries(const Rsm& model, NodeId plain, PropId prop) {
  const auto nodes = model.nodes_with(prop);
  return std::binary_search(nodes.begin(), nodes.end(), plain);
}

std::vector<BoxId> grown_by(const Witness& witness, const Evidence& evidence) {
  if (evidence.ending != Evidence::Ending::Loop) {
    return {};
  }
  const StackTable& stacks = witness.stacks;
  return stacks.boxes(witness.states[evidence.path.back()].stack,
                      stacks.depth(witness.states[evidence.path[evidence.loop]].stack));
}

}  // namespace nestor
