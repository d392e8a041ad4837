#pragma once

#include "check/decider.h"
#include "engine/registry.h"
#include "session/settings.h"

#include <string>
#include <vector>

namespace nestor::session {

/// Decides what no path can show by engines other than the one that made a witness, one after the
/// other until one knows: `reference` first where the model is small. An engine that the settings
/// name is asked alone.
class SecondOpinion final : public check::Decider {
 public:
  SecondOpinion(const Settings& settings, std::string maker)
      : settings_(settings), maker_(std::move(maker)) {}

  std::vector<check::Decision> decide(const model::Rsm& model, logic::FormulaPool& pool,
                                      std::span<const logic::FormulaId> formulas) override;

 private:
  std::vector<const engine::EngineInfo*> engines(const model::Rsm& model) const;
  void ask(const engine::EngineInfo& info, const engine::Task& task,
           std::vector<check::Decision>& decisions) const;

  const Settings& settings_;
  std::string maker_;  // id
};

}  // namespace nestor::session
