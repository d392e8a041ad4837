#include "check/labels.h"

#include <algorithm>

namespace nestor::check {

Labels::Prepared& Labels::prepared(logic::FormulaId formula) {
  const auto [place, is_new] = prepared_.try_emplace(formula);
  Prepared& result = place->second;
  if (is_new) {
    result.parts = logic::subformulas(pool_, formula);
    for (const logic::FormulaId f : result.parts) {
      const logic::Op op = pool_[f].op;
      result.is_temporal = result.is_temporal || op >= logic::Op::EX;
      result.props.push_back(op == logic::Op::Atom ? model_.find_prop(pool_.atom_name(f))
                                                   : model::PropId());
    }
    result.values.resize(result.parts.size());
  }
  return result;
}

bool Labels::value(logic::FormulaId formula, model::NodeId plain) {
  Prepared& p = prepared(formula);
  const auto value_of = [&p](logic::FormulaId f) {
    const auto place = std::lower_bound(p.parts.begin(), p.parts.end(), f);
    return p.values[static_cast<std::size_t>(place - p.parts.begin())] != 0;
  };
  for (std::size_t i = 0; i < p.parts.size(); ++i) {
    const logic::Formula& f = pool_[p.parts[i]];
    bool value = false;
    switch (f.op) {
      case logic::Op::True:
        value = true;
        break;
      case logic::Op::Atom:
        if (p.props[i].valid()) {
          const auto nodes = model_.nodes_with(p.props[i]);
          value = std::binary_search(nodes.begin(), nodes.end(), plain);
        }
        break;
      case logic::Op::Not:
        value = !value_of(f.left);
        break;
      case logic::Op::And:
        value = value_of(f.left) && value_of(f.right);
        break;
      case logic::Op::Or:
        value = value_of(f.left) || value_of(f.right);
        break;
      case logic::Op::Implies:
        value = !value_of(f.left) || value_of(f.right);
        break;
      case logic::Op::Iff:
        value = value_of(f.left) == value_of(f.right);
        break;
      case logic::Op::Xor:
        value = value_of(f.left) != value_of(f.right);
        break;
      default:
        break;
    }
    p.values[i] = value ? 1 : 0;
  }
  return p.values.back() != 0;
}

}  // namespace nestor::check
