// Runs every file of test/malformed/ctl: each holds one defect, and the file beside it with the
// extension .expected the line that Nestor must print.

#include "format/registry.h"
#include "logic/parser.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace nestor::format {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(MalformedFormula, IsRefusedWithItsExactMessage) {
  std::size_t files = 0;
  std::size_t expectations = 0;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(NESTOR_SOURCE_DIR "/test/malformed/ctl")) {
    fs::path path = entry.path();
    if (path.extension() != ".ctl") {
      expectations += path.extension() == ".expected" ? 1U : 0U;
      continue;
    }
    ++files;
    logic::FormulaPool pool(atom_dialects());
    std::string message;
    try {
      logic::parse_formula_file(pool, contents(path), path.filename().string());
      message = "accepted";
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::Error::Kind::Input);
      message = error.what();
    }
    EXPECT_EQ(message + "\n", contents(path.replace_extension(".expected")));
  }
  EXPECT_GE(files, 20U);
  EXPECT_EQ(files, expectations) << "each .ctl file has its .expected file";
}

}  // namespace
}  // namespace nestor::format
