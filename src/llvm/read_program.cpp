#include "llvm/read_program.h"

#include "llvm/crash_guard.h"
#include "llvm/function_lowering.h"
#include "llvm/linked_module.h"
#include "program/constants.h"
#include "program/result_checks.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

namespace nestor::bitcode {

namespace {

bool has_body(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage();
}

void declare_functions(const llvm::Module& module, LoweringContext& context) {
  for (const llvm::Function& source : module) {
    if (!has_body(source)) {
      continue;
    }
    program::Function function;
    function.name = context.program.strings.intern(source.getName().str());
    function.source_name = function.name;
    function.is_visible = !source.hasLocalLinkage();
    if (const llvm::DISubprogram* subprogram = source.getSubprogram(); subprogram != nullptr) {
      function.place = context.variables.place(subprogram, subprogram->getLine(), 0);
      function.source_name = context.program.strings.intern(subprogram->getName().str());
    }
    context.functions[&source] = context.program.functions.push_back(std::move(function));
  }
}

/// What runs before main.
void add_constructors(const llvm::Module& module, LoweringContext& context) {
  const llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors");
  const auto* rows = list == nullptr || !list->hasInitializer()
                         ? nullptr
                         : llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
  for (unsigned i = 0; rows != nullptr && i < rows->getNumOperands(); ++i) {
    const auto* row = llvm::dyn_cast<llvm::ConstantStruct>(rows->getOperand(i));
    const auto* function =
        row == nullptr ? nullptr
                       : llvm::dyn_cast<llvm::Function>(row->getOperand(1)->stripPointerCasts());
    if (const auto found = context.functions.find(function);
        function != nullptr && found != context.functions.end()) {
      context.program.roots.push_back(found->second);
    }
  }
}

/// main, or in a library every function that others can call.
void find_roots(const llvm::Module& module, LoweringContext& context) {
  const llvm::Function* main = module.getFunction("main");
  if (main != nullptr && has_body(*main)) {
    context.program.roots.push_back(context.functions[main]);
    add_constructors(module, context);
    return;
  }
  for (const program::FunctionId f : context.program.functions.ids()) {
    if (context.program.functions[f].is_visible) {
      context.program.roots.push_back(f);
    }
  }
}

void remove_duplicates(std::vector<program::FunctionId>& functions) {
  std::sort(functions.begin(), functions.end());
  functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
}

/// `struct sigaction action = {.sa_handler = f}`: handlers that no instruction stores.
void find_initial_handlers(const llvm::Module& module, LoweringContext& context) {
  struct Part {
    const llvm::Constant* constant;
    bool is_inside;  ///< such a structure
  };
  std::vector<Part> work;
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (global.hasInitializer()) {
      work.push_back({global.getInitializer(), false});
    }
  }
  while (!work.empty()) {
    const Part part = work.back();
    work.pop_back();
    if (const auto* function = llvm::dyn_cast<llvm::Function>(part.constant)) {
      if (const auto found = context.functions.find(function);
          part.is_inside && found != context.functions.end()) {
        context.stored_handlers.push_back(found->second);
      }
    } else if (llvm::isa<llvm::ConstantAggregate>(part.constant)) {
      const bool is_inside = part.is_inside || is_sigaction(part.constant->getType());
      for (const llvm::Use& operand : part.constant->operands()) {
        work.push_back({llvm::cast<llvm::Constant>(operand.get()), is_inside});
      }
    }
  }
}

/// Which of them a call of sigaction installs is not known: any.
void install_handlers(LoweringContext& context) {
  program::Program& program = context.program;
  for (const LoweringContext::SignalPoint& at : context.signal_points) {
    program.functions[at.function].points[at.point].targets = context.stored_handlers;
  }
  program.signal_handlers.insert(program.signal_handlers.end(), context.stored_handlers.begin(),
                                 context.stored_handlers.end());
  program.over_approximates |= !context.signal_points.empty() && context.stored_handlers.size() > 1;
}

/// What std::thread runs is a virtual function that nobody in the program calls.
void find_threads(const llvm::Module& module, LoweringContext& context) {
  for (const llvm::Function& function : module) {
    const auto found = context.functions.find(&function);
    if (found != context.functions.end() &&
        function.getName().starts_with("_ZNSt6thread11_State_impl") &&
        function.getName().ends_with("6_M_runEv")) {
      context.program.started.push_back(found->second);
    }
  }
}

program::Program lower_module(const LinkedModule& linked, const std::string& name,
                              const program::Externals& externals,
                              const ReadProgramOptions& options) {
  const llvm::Module& module = *linked.module;
  program::Program program;
  program.warnings = linked.warnings;
  DebugTypes types(module);
  const IndirectCalls indirect_calls(module, types);
  VariableTable variables(types, program);
  LoweringContext context{program,   externals,
                          options,   indirect_calls,
                          variables, llvm::DenseMap<const llvm::Function*, program::FunctionId>()};
  declare_functions(module, context);
  if (program.functions.empty()) {
    throw base::Error(base::Error::Kind::Input, "no function has a body, expected a program",
                      {name, 0, 0});
  }
  if (module.debug_compile_units().empty()) {
    program.warnings.emplace_back(
        "no debug information: variables and lines have no names, compile with -g");
  }
  for (const llvm::Function& source : module) {
    if (const auto found = context.functions.find(&source); found != context.functions.end()) {
      FunctionLowering(context, source, found->second).run();
    }
  }
  find_roots(module, context);
  if (program.roots.empty()) {
    throw base::Error(
        base::Error::Kind::Input,
        "no function can be called from outside, expected 'main' or another visible one",
        {name, 0, 0});
  }
  find_initial_handlers(module, context);
  remove_duplicates(context.stored_handlers);
  install_handlers(context);
  remove_duplicates(program.signal_handlers);
  remove_duplicates(program.exit_handlers);
  find_threads(module, context);
  remove_duplicates(program.started);
  return program;
}

}  // namespace

program::Program read_program(const base::Input& first, std::span<const std::string> more,
                              const program::Externals& externals,
                              const ReadProgramOptions& options) {
  LinkedModule linked = link_modules(first, more);
  program::Program program;
  // LLVM does not verify all of the debug information that this looks at.
  if (!run_guarded([&] { program = lower_module(linked, first.name(), externals, options); })) {
    static_cast<void>(linked.module.release());  // not safe to take apart either
    static_cast<void>(linked.context.release());
    refuse_damaged(first.name());
  }
  if (options.propagates_constants) {
    program::propagate_constants(program);
  }
  program::find_misjudged_results(program, externals);
  program::infer_outcomes(program);
  program::infer_divergence(program);
  return program;
}

}  // namespace nestor::bitcode
