// Certifies and verifies every formula of a file, in one process.
//
//   certify_file MODEL FORMULA-FILE
//
// Prints how many hold and how many fail; exit status 1 if a certificate is refused or proves
// another verdict than the check found.

#include "base/input.h"
#include "base/sha256.h"
#include "check/verify.h"
#include "engine/registry.h"
#include "explain/certificate.h"
#include "format/registry.h"
#include "logic/parser.h"

#include <fmt/format.h>

int main(int argc, char** argv) {
  using namespace nestor;  // NOLINT(google-build-using-namespace): a test's main file
  if (argc != 3) {
    fmt::print(stderr, "usage: {} MODEL FORMULA-FILE\n", argv[0]);
    return 2;
  }
  const base::Input input = base::Input::read(argv[1]);
  const model::Rsm model = format::read_machine(format::find_format("", argv[1]), input);
  const std::string hash = base::sha256_hex(input.text());
  logic::FormulaPool pool(format::atom_dialects());
  std::vector<logic::FormulaId> formulas;
  const base::Input formula_file = base::Input::read(argv[2]);
  for (const logic::NamedFormula& formula :
       logic::parse_formula_file(pool, formula_file.text(), argv[2])) {
    formulas.push_back(formula.formula);
  }
  const std::unique_ptr<engine::Engine> engine = engine::default_engine().make();
  engine::Env env;
  const std::vector<engine::Result> results = engine->check({model, pool, formulas}, env);
  std::size_t holding = 0;
  std::size_t problems = 0;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    std::string text;
    base::LimitGuard guard(env.limits);
    explain::write_certificate(model, pool, *engine->label(model, pool, formulas[i], env), hash,
                               guard, [&](std::string_view piece) { text += piece; });
    base::LineReader lines = base::LineReader::from_text("certificate", text);
    const check::Verification found = check::verify(model, hash, lines, pool, formulas[i]);
    if (!found.accepted || found.holds != (results[i].verdict == engine::Verdict::Holds)) {
      ++problems;
      fmt::print("formula {}: {}, certificate line {}: {}\n", i + 1,
                 engine::to_string(results[i].verdict), found.line,
                 found.accepted ? "proves the opposite" : found.why);
    }
    holding += found.holds ? 1 : 0;
  }
  fmt::print("{} formulas, {} hold, {} fail, {} problems\n", formulas.size(), holding,
             formulas.size() - holding, problems);
  return problems == 0 ? 0 : 1;
}
