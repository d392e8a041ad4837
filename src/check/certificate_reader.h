#pragma once

#include "check/certificate_frame.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nestor::check {

/// A certificate as it stands in the file (docs/certificates.md): every name is known to the model,
/// every position lies in its component, every line that must be there is there once. Whether what
/// it says is true is for verify.cpp to find out. Exits are given by their index in Rsm::exits().
struct Certificate : CertificateFrame {
  /// What is said of a node or return point: `fact` and `point` of EU, `dead` and `deadpoint` of
  /// EG.
  struct Item {
    std::uint32_t formula = 0;
    std::uint32_t instance = 0;
    model::NodeId point;           // a plain node or a return node
    std::uint32_t target = kNone;  // of EU: an exit, or none: goal
    std::uint32_t rank = 0;
    std::uint32_t choice = kNone;   // of EU: the position of a successor, or none: here
    std::uint32_t through = kNone;  // of EU: the callee's exit by which the call returns, or none
    std::uint32_t reach_begin = 0;  // of EG: reach, in `reaches`
    std::uint32_t reach_end = 0;
    std::uint32_t line = 0;
  };

  std::vector<std::string> values;           // by formula, by node row: '0' or '1'
  std::vector<std::string> contexts;         // by formula, by exit row: '0' or '1'
  std::vector<std::uint32_t> value_lines;    // by instance × formula
  std::vector<std::uint32_t> context_lines;  // likewise
  std::vector<Item> items;                   // in the order of the file
  std::vector<std::uint32_t> reaches;        // exits
};

/// Reads what follows the first line of a certificate of the first kind. Throws Refusal for one
/// that is damaged, Error as LineReader.
Certificate read_certificate(base::LineReader& lines, const model::Rsm& model,
                             logic::FormulaPool& pool);

}  // namespace nestor::check
