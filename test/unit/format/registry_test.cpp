#include "format/registry.h"

#include "logic/parser.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace nestor::format {
namespace {

TEST(FormatRegistry, FindsByIdAndByExtension) {
  EXPECT_EQ(find_format("rsm", "model.txt").id, "rsm");
  EXPECT_EQ(find_format("", "dir.x/model.rsm").id, "rsm");
  EXPECT_EQ(find_format("", "-").id, "rsm");
  EXPECT_EQ(find_format("", "a.bc").id, "llvm");
  EXPECT_EQ(find_format("", "a.ll").id, "llvm");
}

TEST(FormatRegistry, RefusesWhatItDoesNotKnow) {
  const auto message = [](std::string_view id, std::string_view path) -> std::string {
    try {
      find_format(id, path);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::Error::Kind::Usage);
      return error.message();
    }
    return {};
  };
  const auto begins = [&](std::string_view id, std::string_view path, std::string_view text) {
    const std::string whole = message(id, path);
    EXPECT_TRUE(whole.starts_with(text)) << whole;
    for (const FormatInfo& format : format_registry()) {
      EXPECT_NE(whole.find(format.extension), std::string::npos) << whole;
    }
  };
  begins("xml", "m.rsm", "unknown format 'xml', expected one of: rsm (.rsm)");
  begins("", "m.txt", "cannot tell the format of 'm.txt' by its name, expected one of: rsm (.rsm)");
  begins("", "rsm", "cannot tell the format of 'rsm' by its name, expected one of: rsm (.rsm)");
}

TEST(FormatRegistry, AtomsOfEveryFormatAreReadOnce) {
  const logic::AtomDialects all = atom_dialects();
  for (const FormatInfo& format : format_registry()) {
    EXPECT_EQ(std::ranges::count(all, format.atoms), format.atoms == nullptr ? 0 : 1) << format.id;
  }
  logic::FormulaPool pool(all);
  EXPECT_EQ(logic::parse_formula(pool, "EF (tokens(p)>0 & x==1)", {}),
            pool.unary(logic::Op::EF, pool.binary(logic::Op::And, pool.atom("tokens(p) > 0"),
                                                  pool.atom("x = 1"))));
}

TEST(FormatRegistry, RowsAreComplete) {
  for (const FormatInfo& format : format_registry()) {
    EXPECT_FALSE(format.description.empty());
    EXPECT_TRUE(format.extension.starts_with('.'));
    EXPECT_NE(format.read, nullptr) << format.id;
    EXPECT_EQ(&find_format(format.id, ""), &format);
  }
}

}  // namespace
}  // namespace nestor::format
