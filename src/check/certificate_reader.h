#pragma once

#include "base/gzip.h"
#include "logic/formula.h"
#include "model/rsm.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace nestor::check {

/// Why a certificate proves nothing: what is wrong, by which rule, at which line.
struct Refusal {
  std::uint32_t line = 0;
  std::string why;
};

/// A certificate as it stands in the file (docs/certificates.md): every name is known to the model,
/// every position lies in its component, every line that must be there is there once. Whether what
/// it says is true is for verify.cpp to find out. Exits are given by their index in Rsm::exits().
struct Certificate {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Subformula {
    logic::Op op = logic::Op::True;
    std::uint32_t left = 0;  // by number, smaller than its own
    std::uint32_t right = 0;
    logic::FormulaId id;  // the same in the pool
  };
  /// The first rows of an instance: nodes, exits and boxes of all instances are numbered in a row.
  struct Instance {
    model::ComponentId component;
    std::uint32_t line = 0;
    std::uint32_t node = 0;   // plain nodes
    std::uint32_t exit = 0;   // exits
    std::uint32_t box = 0;    // boxes
    std::uint32_t point = 0;  // all nodes, call and return nodes included
  };
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
  std::vector<Item> items;                   // in the order of the file
  std::vector<std::uint32_t> reaches;        // exits
};

/// Reads a certificate line by line. Throws Refusal for one that is damaged, Error as LineReader.
Certificate read_certificate(base::LineReader& lines, const model::Rsm& model,
                             logic::FormulaPool& pool);

}  // namespace nestor::check
