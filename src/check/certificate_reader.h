#pragma once

#include "base/gzip.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace nestor {

/// Why a certificate proves nothing: what is wrong, by which rule, at which line.
struct Refusal {
  std::uint32_t line = 0;
  std::string why;
};

/// A certificate as it stands in the file (docs/certificates.md): every name is known to the model,
/// every position lies in its component, every line that must be there is there once. That what it
/// says is true is for verify.cpp to find out.
struct Certificate {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t kGoal = kNone;
  static constexpr std::uint32_t kHere = kNone;

  struct Subformula {
    Op op = Op::True;
    std::uint32_t left = 0;   // by number, smaller than its own
    std::uint32_t right = 0;  // likewise
    FormulaId id;             // the same in the pool
  };
  /// Nodes, exits and boxes of all instances are numbered in a row: rows.
  struct Instance {
    ComponentId component;
    std::uint32_t line = 0;
    std::uint32_t first_node = 0;   // row of its first plain node
    std::uint32_t first_exit = 0;   // likewise of its first exit
    std::uint32_t first_box = 0;    // likewise of its first box
    std::uint32_t first_point = 0;  // likewise of its first node, call and return nodes included
  };
  /// `fact` and `point`.
  struct Fact {
    std::uint32_t formula = 0;
    std::uint32_t instance = 0;
    NodeId point;                  // a plain node or a return node
    std::uint32_t target = kGoal;  // or an exit, by its index
    std::uint32_t rank = 0;
    std::uint32_t choice = kHere;   // or the position of a successor
    std::uint32_t through = kNone;  // or the callee's exit by which the call returns, by its index
    std::uint32_t line = 0;
  };
  /// `dead` and `deadpoint`.
  struct Dead {
    std::uint32_t formula = 0;
    std::uint32_t instance = 0;
    NodeId point;
    std::uint32_t rank = 0;
    std::size_t reach_begin = 0;  // its reach, in `reaches`
    std::size_t reach_end = 0;
    std::uint32_t line = 0;
  };

  std::string model_hash;
  std::uint32_t model_line = 0;
  std::vector<Subformula> formulas;
  bool holds = false;
  std::uint32_t verdict_line = 0;
  std::vector<Instance> instances;
  std::vector<std::uint32_t> callees;        // by box row: an instance
  std::vector<std::uint32_t> callee_lines;   // by box row
  std::vector<std::string> values;           // by formula, by node row: '0' or '1'
  std::vector<std::string> contexts;         // by formula, by exit row: '0' or '1'
  std::vector<std::uint32_t> value_lines;    // by instance × formula
  std::vector<std::uint32_t> context_lines;  // likewise
  std::vector<Fact> facts;                   // in the order of the file
  std::vector<Dead> dead;                    // likewise
  std::vector<std::uint32_t> reaches;        // exits by their index
};

/// Reads a certificate line by line. Throws Refusal for one that is damaged, Error as LineReader.
Certificate read_certificate(LineReader& lines, const Rsm& model, FormulaPool& pool);

}  // namespace nestor
