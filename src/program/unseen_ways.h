#pragma once

#include "program/program.h"

#include <cstdint>
#include <vector>

namespace nestor::program {

/// What a function does between two points that follow each other in a model, which leaves out
/// points at which nothing happens that its rule is about.
struct UnseenWays {
  struct Item {
    std::uint32_t point = 0;
    bool is_sure = false;  ///< on every way, once; else any number of times, also never

    friend bool operator==(const Item&, const Item&) = default;
  };

  std::vector<Item> items;  ///< in the order in which they come, as far as they are sure
  bool is_unknown = false;  ///< the flow has no way: anything may have happened
};

/// Where the flow of a function comes from and goes to, exceptions and longjmp included.
class PointFlow {
 public:
  explicit PointFlow(const Function& function);

  const std::vector<std::uint32_t>& next(std::uint32_t point) const { return next_[point]; }
  /// From after `from` to before `to`. `shown`, by point, are those that the model has and so are
  /// on no way between; null: a model can pass any point without showing it.
  UnseenWays between(std::uint32_t from, std::uint32_t to,
                     const std::vector<std::uint8_t>* shown) const;

 private:
  std::vector<std::vector<std::uint32_t>> next_;
  std::vector<std::vector<std::uint32_t>> before_;
};

}  // namespace nestor::program
