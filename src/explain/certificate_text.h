#pragma once

#include "logic/formula.h"
#include "model/rsm.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::explain {

/// The lines of a certificate (docs/certificates.md): what all kinds of them have in common. Pieces
/// are handed on when enough has come together.
class CertificateText {
 public:
  /// `formulas`, operands first, are those of the certificate, by their numbers. All arguments must
  /// outlive this.
  CertificateText(const model::Rsm& model, const logic::FormulaPool& pool,
                  const std::vector<logic::FormulaId>& formulas,
                  const std::function<void(std::string_view)>& write)
      : model_(model), pool_(pool), formulas_(formulas), write_(write) {}

  void head(std::string_view version, std::string_view model_hash);
  void instance(std::uint32_t number, model::ComponentId component);
  void end();

  void add(std::string_view text) { out_.append(text); }
  /// After a space, or another separator.
  void number(std::size_t value, char separator = ' ');
  /// The number of a formula.
  std::size_t place(logic::FormulaId f) const;
  /// Where a plain node stands in its component.
  std::size_t position(model::NodeId n) const {
    return n - model_.component(model_.component_of(n)).first_node;
  }
  /// A line's beginning: its keyword, the subformula, and the node or return point.
  void point(std::string_view of_node, std::string_view of_return, std::size_t formula,
             model::NodeId n);

 private:
  void formula(std::size_t number);
  void flush(std::size_t enough);

  const model::Rsm& model_;
  const logic::FormulaPool& pool_;
  const std::vector<logic::FormulaId>& formulas_;
  const std::function<void(std::string_view)>& write_;
  std::string out_;
};

}  // namespace nestor::explain
