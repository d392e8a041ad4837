#include "format/bitcode/reader.h"

#include "llvm/read_program.h"
#include "program/externals.h"
#include "program/slice.h"

namespace nestor::format {

logic::ReadModel read_bitcode(const base::Input& input, const logic::ReadOptions& options) {
  program::Program program =
      bitcode::read_program(input, options.link, program::externals_with(options.externals),
                            {.most_targets = options.most_targets});
  logic::ReadModel read;
  read.model.emplace<logic::ReadModel::Machines>().push_back(program::full_model(program));
  read.warnings = std::move(program.warnings);
  if (program.over_approximates) {
    read.warnings.emplace_back(
        "the model has more paths than the program: some calls through pointers, or longjmp, have "
        "several targets");
  }
  return read;
}

}  // namespace nestor::format
