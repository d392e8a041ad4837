#pragma once

#include "base/random.h"

#include <span>
#include <string>
#include <string_view>

namespace nestor::test {

/// A way to damage a certificate of the second kind. It may leave the text as it is where there is
/// nothing to damage.
struct PathCertificateDamage {
  std::string_view name;
  std::string (*apply)(const std::string& certificate, base::Random& random);
};

std::span<const PathCertificateDamage> path_certificate_damages();

}  // namespace nestor::test
