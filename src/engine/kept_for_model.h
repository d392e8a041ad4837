#pragma once

#include "base/limits.h"
#include "model/rsm.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace nestor::engine {

/// What an engine has made of a machine whatever the formula, kept for the next question about the
/// same machine. The machine must not be moved as long as it is asked about.
template <class T>
class KeptForModel {
 public:
  /// What is kept if it is of `model`; else T(model, more...). Kept for the next question only if
  /// there is no memory limit, which counts whatever is kept.
  template <class... More>
  std::shared_ptr<const T> of(const model::Rsm& model, const base::Limits& limits, More&&... more) {
    if (value_ == nullptr || model_ != &model || identity_ != model.identity()) {
      value_ = nullptr;
      auto made = std::make_shared<const T>(model, std::forward<More>(more)...);
      if (limits.megabytes) {
        return made;
      }
      value_ = std::move(made);
      model_ = &model;
      identity_ = model.identity();
    }
    return value_;
  }

 private:
  std::shared_ptr<const T> value_;
  const model::Rsm* model_ = nullptr;  // what the value refers to, and
  std::uint64_t identity_ = 0;         // that it is still the one, not another at its address
};

}  // namespace nestor::engine
