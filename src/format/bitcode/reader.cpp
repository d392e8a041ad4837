#include "format/bitcode/reader.h"

#include "llvm/read_program.h"
#include "program/externals.h"
#include "program/slice.h"

namespace nestor {

ReadModel read_bitcode(const Input& input, const ReadOptions& options) {
  Program program = read_program(input, options.link, externals_with(options.externals),
                                 {.most_targets = options.most_targets});
  ReadModel read;
  read.model.emplace<ReadModel::Machines>().push_back(full_model(program));
  read.warnings = std::move(program.warnings);
  if (program.over_approximates) {
    read.warnings.emplace_back(
        "the model has more paths than the program: some calls through pointers, or longjmp, have "
        "several targets");
  }
  return read;
}

}  // namespace nestor
