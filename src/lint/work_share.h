#pragma once

#include "lint/findings.h"
#include "lint/rule.h"
#include "program/program.h"

#include <cstddef>
#include <ctime>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nestor::lint {

/// Several runs share the work on one program: each computes who does what, without asking the
/// others, and does its part. Loads go on from rule to rule, so that the sums are balanced.
class WorkShare {
 public:
  using Costs = std::map<std::pair<std::string, std::string>, double>;  ///< by rule and unit

  /// `number` from 0 on; `known`: costs that were measured.
  WorkShare(std::size_t number, std::size_t count, Costs known)
      : number_(number), loads_(count), known_(std::move(known)) {}

  struct Unit {
    std::string name;     ///< that tells it from other units of the rule, whatever else changes
    double estimate = 0;  ///< of its seconds
  };
  /// For each unit of a rule, whether it is this run's.
  std::vector<bool> taken(const std::string& rule, const std::vector<Unit>& units);

 private:
  std::size_t number_;
  std::vector<double> loads_;
  Costs known_;
};

/// How the functions that a rule looks at are shared out, and how long each takes.
class FunctionShare {
 public:
  /// Functions that are looked at together, one as often as there is something to look at.
  struct Group {
    std::vector<program::FunctionId> functions;
    program::VariableId handle = {};  ///< if it is about one
  };

  /// Without `share` all are taken, and nothing is measured.
  FunctionShare(WorkShare* share, const Rule& rule, const program::Program& program,
                const std::vector<Group>& groups, std::vector<Findings::Cost>& costs);
  ~FunctionShare();
  FunctionShare(const FunctionShare&) = delete;
  FunctionShare& operator=(const FunctionShare&) = delete;

  bool takes(std::size_t group) const { return taken_.empty() || taken_[group]; }

  /// Adds the processor time until it goes away to what a group takes: what else the machine does
  /// is no cost.
  class Clock {
   public:
    explicit Clock(double* seconds) : seconds_(seconds), start_(std::clock()) {}
    ~Clock() {
      if (seconds_ != nullptr) {
        *seconds_ += static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC;
      }
    }
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;

   private:
    double* seconds_;
    std::clock_t start_;
  };
  Clock clock(std::size_t group) { return Clock(seconds_.empty() ? nullptr : &seconds_[group]); }

 private:
  const Rule& rule_;
  std::vector<Findings::Cost>& costs_;
  std::vector<WorkShare::Unit> units_;
  std::vector<bool> taken_;      // by group; empty: all
  std::vector<double> seconds_;  // likewise; empty: nobody asks
};

}  // namespace nestor::lint
