#pragma once

#include "witness/witness.h"

#include <optional>
#include <string>
#include <vector>

namespace nestor::witness {

/// Prints paths for people: one line a step, calls indented; where a path is long, calls that
/// return without anything happening are one line, and of what is left the middle is left out.
class PathText {
 public:
  PathText(const model::Rsm& model, const logic::FormulaPool& pool, const Witness& witness,
           bool whole_states);

  void append(std::string& out, const Evidence& evidence, std::size_t indent) const;
  /// `main.start  file:3  {p, q}`. With the state before it, a state of an explored model is told
  /// by what happened, if steps have names, and by what is different there.
  std::string state_text(model::StateId state,
                         std::optional<model::StateId> before = std::nullopt) const;

 private:
  struct Line {
    std::size_t first = 0;  ///< place on the path
    std::size_t last = 0;   ///< the same, unless it stands for several states
  };

  void append_part(std::string& out, const Evidence& evidence, std::size_t first, std::size_t last,
                   std::size_t indent) const;
  void append_step(std::string& out, const Evidence& evidence, std::size_t place,
                   std::size_t indent, bool follows) const;
  std::vector<Line> lines(const Evidence& evidence, std::size_t first, std::size_t last) const;
  std::vector<std::size_t> uneventful_returns(const Evidence& evidence, std::size_t first,
                                              std::size_t last) const;
  std::uint32_t depth(model::StateId state) const;
  std::string change_text(model::NodeId before, model::NodeId node) const;
  std::string labels(model::NodeId node) const;
  bool same_labels(model::NodeId a, model::NodeId b) const;

  const model::Rsm& model_;
  const Witness& witness_;
  bool whole_states_;
  std::vector<model::PropId> props_;
};

}  // namespace nestor::witness
