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
  const Input input = Input::read(argv[1]);
  const Rsm model = read_machine(find_format("", argv[1]), input);
  const std::string hash = sha256_hex(input.text());
  FormulaPool pool(atom_dialects());
  std::vector<FormulaId> formulas;
  const Input formula_file = Input::read(argv[2]);
  for (const NamedFormula& formula : parse_formula_file(pool, formula_file.text(), argv[2])) {
    formulas.push_back(formula.formula);
  }
  const std::unique_ptr<Engine> engine = default_engine().make();
  Env env;
  const std::vector<Result> results = engine->check({model, pool, formulas}, env);
  std::size_t holding = 0;
  std::size_t problems = 0;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    std::string text;
    LimitGuard guard(env.limits);
    write_certificate(model, pool, *engine->label(model, pool, formulas[i], env), hash, guard,
                      [&](std::string_view piece) { text += piece; });
    LineReader lines = LineReader::from_text("certificate", text);
    const Verification found = verify(model, hash, lines, pool, formulas[i]);
    if (!found.accepted || found.holds != (results[i].verdict == Verdict::Holds)) {
      ++problems;
      fmt::print("formula {}: {}, certificate line {}: {}\n", i + 1, to_string(results[i].verdict),
                 found.line, found.accepted ? "proves the opposite" : found.why);
    }
    holding += found.holds ? 1 : 0;
  }
  fmt::print("{} formulas, {} hold, {} fail, {} problems\n", formulas.size(), holding,
             formulas.size() - holding, problems);
  return problems == 0 ? 0 : 1;
}
