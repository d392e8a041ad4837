#pragma once

#include "model/rsm.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace nestor::engine {

/// What an engine has made of a machine whatever the formula, kept for the next question about the
/// same machine. The machine must not be moved as long as it is asked about.
template <class T>
class KeptForModel {
 public:
  /// What is kept if it is of `model`; else T(model, more...), of which nothing is kept if that
  /// throws.
  template <class... More>
  const T& of(const model::Rsm& model, More&&... more) {
    if (!value_ || model_ != &model || identity_ != model.identity()) {
      value_.reset();
      value_.emplace(model, std::forward<More>(more)...);
      model_ = &model;
      identity_ = model.identity();
    }
    return *value_;
  }
  void drop() { value_.reset(); }

 private:
  std::optional<T> value_;
  const model::Rsm* model_ = nullptr;  // what the value refers to, and
  std::uint64_t identity_ = 0;         // that it is still the one, not another at its address
};

}  // namespace nestor::engine
