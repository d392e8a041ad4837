#pragma once

#include "engine/engine.h"

namespace nestor::engine::ctl_star {

/// Writes a certificate of a verdict about a formula of CTL* (docs/certificates.md), piece by
/// piece; without fairness. Says whether the formula holds. May throw LimitReached.
bool write_path_certificate(const ExplainTask& task, std::string_view model_hash,
                            base::LimitGuard& guard,
                            const std::function<void(std::string_view)>& write);

}  // namespace nestor::engine::ctl_star
