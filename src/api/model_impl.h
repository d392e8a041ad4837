#pragma once

#include "session/subject.h"

#include <nestor/model.h>

namespace nestor {

struct Model::Impl {
  explicit Impl(session::Subject given)
      : subject(std::make_shared<session::Subject>(std::move(given))) {}

  std::shared_ptr<session::Subject> subject;
  std::vector<Formula> properties;
};

class ModelAccess {
 public:
  static Model make(std::shared_ptr<Model::Impl> impl) { return Model(std::move(impl)); }
  static const std::shared_ptr<session::Subject>& subject(const Model& model) {
    return model.impl_->subject;
  }
};

}  // namespace nestor
