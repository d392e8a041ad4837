#pragma once

#include "smv/machine/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace nestor::smv {

/// Thrown where a term has no value; who knows the state turns it into an Error.
struct EvaluationFailed {
  Failure failure = Failure::None;  ///< None: no condition of a case holds
  Place at = 0;
};

/// Runs the code of a model.
class Machine {
 public:
  Machine(const FlatModel& model, const Code& code);

  /// To be called when the code has grown.
  void take_new_code();

  std::span<std::int64_t> current() { return {registers_.data(), variables_}; }
  std::span<std::int64_t> next() { return {registers_.data() + variables_, variables_}; }
  /// To be called after a change of current() or next(), which may make known values wrong.
  void current_changed() { ++current_epoch_, ++next_epoch_; }
  void next_changed() { ++next_epoch_; }

  /// Throws EvaluationFailed.
  std::int64_t value(std::uint32_t entry);
  bool holds(std::uint32_t entry);
  /// Without duplicates, in no order.
  void values(std::uint32_t entry, std::vector<std::int64_t>& result);

 private:
  std::int64_t run(std::uint32_t entry, std::vector<std::int64_t>* yielded);
  std::int64_t wide_value(const Instruction& i, std::int64_t a, std::int64_t b) const;

  const FlatModel& model_;
  const Code& code_;
  std::size_t variables_;
  std::vector<std::int64_t> registers_;
  std::vector<std::uint64_t> computed_;  // by function: in which epoch
  std::uint64_t current_epoch_ = 1;
  std::uint64_t next_epoch_ = 1;
  struct Return {
    std::uint32_t at = 0;
    std::uint32_t function = 0;
  };
  std::vector<Return> returns_;
  std::vector<std::vector<std::int64_t>> lists_;  // open operands, the innermost last
};

}  // namespace nestor::smv
