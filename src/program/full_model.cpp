#include "program/slice.h"

#include <fmt/format.h>

namespace nestor::program {

namespace {

/// Every label that docs/c-programs.md lists.
class AllLabels final : public SliceLabels {
 public:
  explicit AllLabels(const Program& program) : program_(program) {}

  void of(const ComponentKey& component, std::uint32_t p,
          std::vector<std::string>& labels) const override {
    const Function& function = program_.functions[component.function];
    const Point& point = function.points[p];
    const std::string_view name = program_.text(function.name);
    switch (point.kind) {
      case PointKind::Entry:
        labels.push_back(fmt::format("entry_{}", name));
        return;
      case PointKind::Return:
        labels.push_back(fmt::format("exit_{}", name));
        return;
      case PointKind::Unwind:
        labels.push_back(fmt::format("unwind_{}", name));
        return;
      case PointKind::Longjmp:
        labels.push_back(fmt::format("longjmp_{}", name));
        return;
      case PointKind::Halt:
        labels.emplace_back("halt");
        return;
      default:
        break;
    }
    if (point.callee.valid()) {
      labels.push_back(fmt::format("call_{}", program_.text(point.callee)));
    }
    for (const base::StringId label : point.labels) {
      labels.emplace_back(program_.text(label));
    }
    for (const Fact& fact : point.facts) {
      add(fact, labels);
    }
  }

  bool enters(const ComponentKey&, const Point&, FunctionId, ComponentKey&) const override {
    return true;
  }
  bool keeps_all() const override { return true; }

 private:
  void add(const Fact& fact, std::vector<std::string>& labels) const {
    const Variable& variable = program_.variables[fact.variable];
    if (variable.is_artificial) {
      return;
    }
    const std::string_view prefix = fact.kind == FactKind::Scope    ? "scope_"
                                    : fact.kind == FactKind::Def    ? "def_"
                                    : fact.kind == FactKind::MayDef ? "maydef_"
                                    : fact.kind == FactKind::Use    ? "use_"
                                                                    : "";
    if (!prefix.empty()) {
      labels.push_back(fmt::format("{}{}", prefix, program_.text(variable.name)));
    }
  }

  const Program& program_;
};

}  // namespace

model::Rsm full_model(const Program& program) {
  std::vector<ComponentKey> roots;
  for (const FunctionId root : program.roots) {
    roots.push_back({root, {}});
  }
  return slice(program, roots, AllLabels(program)).model;
}

}  // namespace nestor::program
