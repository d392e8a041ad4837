#pragma once

#include "check/decider.h"
#include "engine/registry.h"
#include "session/settings.h"

#include <string>
#include <vector>

namespace nestor {

/// Decides what no path can show by engines other than the one that made a witness, one after the
/// other until one knows: `reference` first where the model is small. An engine that the settings
/// name is asked alone.
class SecondOpinion final : public Decider {
 public:
  SecondOpinion(const Settings& settings, std::string maker)
      : settings_(settings), maker_(std::move(maker)) {}

  std::vector<Decision> decide(const Rsm& model, FormulaPool& pool,
                               std::span<const FormulaId> formulas) override;

 private:
  std::vector<const EngineInfo*> engines(const Rsm& model) const;
  void ask(const EngineInfo& info, const Task& task, std::vector<Decision>& decisions) const;

  const Settings& settings_;
  std::string maker_;  // id
};

}  // namespace nestor
