#include "explain/certificate_text.h"

#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace nestor::explain {

namespace {

constexpr std::size_t kEnough = std::size_t{1} << 16;

std::string_view operator_name(logic::Op op) {
  switch (op) {
    case logic::Op::True:
      return "true";
    case logic::Op::False:
      return "false";
    case logic::Op::Atom:
      return "ap";
    case logic::Op::Not:
      return "not";
    case logic::Op::Or:
      return "or";
    case logic::Op::And:
      return "and";
    case logic::Op::EX:
      return "EX";
    case logic::Op::EU:
      return "EU";
    case logic::Op::EG:
      return "EG";
    case logic::Op::E:
      return "E";
    case logic::Op::X:
      return "X";
    case logic::Op::U:
      return "U";
    case logic::Op::R:
      return "R";
    case logic::Op::Y:
      return "Y";
    case logic::Op::Z:
      return "Z";
    case logic::Op::S:
      return "S";
    default:
      assert(op == logic::Op::T);
      return "T";
  }
}

}  // namespace

void CertificateText::head(std::string_view version, std::string_view model_hash) {
  add("nestor-certificate ");
  add(version);
  add("\nmodel ");
  base::append_json_string(out_, model_hash);
  add("\n");
  for (std::size_t f = 0; f < formulas_.size(); ++f) {
    formula(f);
  }
}

void CertificateText::instance(std::uint32_t number_of, model::ComponentId component) {
  flush(kEnough);
  add("instance");
  number(number_of);
  add(" ");
  base::append_json_string(out_, model_.component_name(component));
  add("\n");
}

void CertificateText::end() {
  add("end\n");
  flush(0);
}

void CertificateText::number(std::size_t value, char separator) {
  const fmt::format_int text(value);
  out_.push_back(separator);
  out_.append(text.data(), text.size());
}

std::size_t CertificateText::place(logic::FormulaId f) const {
  const auto found = std::ranges::lower_bound(formulas_, f);
  assert(found != formulas_.end() && *found == f);
  return static_cast<std::size_t>(found - formulas_.begin());
}

void CertificateText::point(std::string_view of_node, std::string_view of_return,
                            std::size_t formula, model::NodeId n) {
  if (model_.kind(n) == model::NodeKind::Plain) {
    add(of_node);
    number(formula);
    number(position(n));
    return;
  }
  const model::BoxId b = model_.box_of(n);
  add(of_return);
  number(formula);
  number(b - model_.component(model_.box(b).owner).first_box);
  number(position(model_.origin(n)));
}

void CertificateText::formula(std::size_t number_of) {
  const logic::FormulaId id = formulas_[number_of];
  const logic::Formula& f = pool_[id];
  add("formula");
  number(number_of);
  add(" ");
  add(operator_name(f.op));
  if (f.op == logic::Op::Atom) {
    add(" ");
    base::append_json_string(out_, pool_.atom_name(id));
  }
  if (logic::operand_count(f.op) >= 1) {
    number(place(f.left));
  }
  if (logic::operand_count(f.op) == 2) {
    number(place(f.right));
  }
  add("\n");
}

void CertificateText::flush(std::size_t enough) {
  if (out_.size() > enough) {
    write_(out_);
    out_.clear();
  }
}

}  // namespace nestor::explain
