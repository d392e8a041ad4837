#include "format/pds/pds_reader.h"

#include "base/input.h"
#include "format/pds/pdmu_reader.h"
#include "format/pds/pds_writer.h"
#include "model/inspect.h"
#include "read_text.h"

#include <gtest/gtest.h>

namespace nestor::format {
namespace {

model::Rsm pds(std::string_view text) {
  return read_pds(base::Input::from_text("test.pds", text), model::DeadEnds::Keep);
}
model::Rsm pdmu(std::string_view text) {
  return read_pdmu(base::Input::from_text("test.pdmu", text), model::DeadEnds::Keep);
}

/// The nodes that carry a proposition, described.
std::vector<std::string> with(const model::Rsm& model, std::string_view proposition) {
  std::vector<std::string> found;
  const model::PropId p = model.find_prop(proposition);
  if (p.valid()) {
    for (const model::NodeId n : model.nodes_with(p)) {
      found.push_back(model.describe(n));
    }
  }
  return found;
}

using Names = std::vector<std::string>;

TEST(PdsReader, KeepsEveryStep) {
  const model::Rsm model =
      pds("(p <main>)\n"
          "p <main> --> p <f done>\n"
          "p <f> --> p <f2>\n"
          "p <f2> --> p < >\n"
          "p <f2> --> p <f>\n");
  EXPECT_EQ(model.component_count(), 2U);
  EXPECT_EQ(after(model, "main.main"), Names{"main.done.f"});
  EXPECT_EQ(after(model, "f.f"), Names{"f.f2"});
  EXPECT_EQ(after(model, "f.f2"), Names{"f.f"});  // an exit that also goes on
  EXPECT_TRUE(model.is_exit(node(model, "f.f2")));
  EXPECT_EQ(after(model, "main.done.f2"), Names{"main.done"});
  EXPECT_TRUE(model.is_dead_end(node(model, "main.done")));
}

TEST(PdsReader, EndsWhereTheStackIsEmpty) {
  const model::Rsm model = pds("(p <a>)\nATOMS here p\np <a> --> q < >\np <a> --> p < >\n");
  EXPECT_EQ(after(model, "a.a"), (Names{"a.q<>", "a.p<>"}));
  EXPECT_TRUE(model.exits(model.initial_component()).empty());
  EXPECT_EQ(with(model, "here"), (Names{"a.a", "a.p<>"}));
}

TEST(PdsReader, ReturnsInSeveralControlStates) {
  const model::Rsm model =
      pds("(p <a>)\n"
          "p <a> --> p <f b>\n"
          "p <f> --> p <f2>\n"
          "p <f2> --> q < >\n"
          "p <f2> --> r < >\n"
          "q <b> --> q <b>\n");
  EXPECT_EQ(after(model, "a.b.f2"), (Names{"a.q<b>", "a.r<b>"}));
  EXPECT_EQ(after(model, "a.q<b>"), Names{"a.q<b>"});
  EXPECT_FALSE(node(model, "a.p<b>").valid());  // no call returns in p
}

TEST(PdsReader, CopiesTheLowestFrameOnly) {
  // `a` is initial and called: at the bottom its pop empties the stack, elsewhere it returns.
  const model::Rsm model = pds("(p <a>)\np <a> --> p <a b>\np <a> --> p <c>\np <c> --> p < >\n");
  EXPECT_EQ(model.component_count(), 2U);
  EXPECT_EQ(after(model, "a<bottom>.a"), (Names{"a<bottom>.b.a", "a<bottom>.c"}));
  EXPECT_EQ(after(model, "a<bottom>.c"), Names{"a<bottom>.p<>"});
  EXPECT_EQ(after(model, "a.a"), (Names{"a.b.a", "a.c"}));
  EXPECT_EQ(after(model, "a.c"), Names{});
  EXPECT_EQ(after(model, "a.b.c"), Names{"a.b"});
}

TEST(PdsReader, MergesProceduresThatShareCode) {
  const model::Rsm model =
      pds("(p <m>)\n"
          "p <m> --> p <f m2>\n"
          "p <m2> --> p <g m>\n"
          "p <f> --> p <shared>\n"
          "p <g> --> p <shared>\n"
          "p <shared> --> p < >\n"
          "p <m> --> p <h m>\n"
          "p <h> --> p < >\n");
  EXPECT_EQ(model.component_count(), 3U);
  EXPECT_EQ(model.component_of(node(model, "f.f")), model.component_of(node(model, "f.g")));
  EXPECT_EQ(after(model, "m.m"), (Names{"m.m2.f", "m.m.h"}));
}

TEST(PdsReader, TakesAtomsEitherWay) {
  const char* rules = "q <a> --> r <b>\nq10 <b> --> q <a>\n";
  const model::Rsm first = pds(std::string("(q <a>)\nATOMS x q, r<b>\n") + rules);
  EXPECT_EQ(with(first, "x"), (Names{"a.a", "a.b"}));
  const model::Rsm second = pds(std::string("(q <a>)\n ATOMS a x, y\n ATOMS r x\n") + rules);
  EXPECT_EQ(with(second, "x"), (Names{"a.a", "a.b"}));
  EXPECT_EQ(with(second, "y"), Names{"a.a"});
}

TEST(PdsReader, MatchesWholeNames) {
  const model::Rsm model =
      pds("(q1 <a>)\nATOMS x q1\nq1 <a> --> q10 <q1b>\nq10 <q1b> --> q1 <a>\n");
  EXPECT_EQ(with(model, "x"), Names{"a.a"});
}

TEST(PdsReader, TakesTheFilesWordForAmbiguousAtoms) {
  const char* rest = "(p <a>)\nATOMS p a\np <a> --> q <b>\nq <b> --> p <a>\n";
  EXPECT_EQ(with(pds(std::string("# ATOMS: state first\n") + rest), "a"), Names{"a.a"});
  EXPECT_EQ(with(pds(std::string("# ATOMS: proposition first\n") + rest), "p"), Names{"a.a"});
}

TEST(PdsReader, AcceptsTheFormsOfRealFiles) {
  const model::Rsm model =
      pds("(csinit #)\n\n ATOMS csinit csinit\n ATOMS # #\n\n"
          "csq <main> --> csq < >\ncsq <#> --> csend <#>\ncsinit <#> --> csq <main #>\n");
  // The bottom marker's frame is merged with main's.
  EXPECT_EQ(model.component_count(), 1U);
  EXPECT_EQ(after(model, "csinit<#>.csinit<#>"), Names{"csinit<#>.main"});
  EXPECT_EQ(after(model, "csinit<#>.main"), Names{"csinit<#>.csq<#>"});
  EXPECT_EQ(after(model, "csinit<#>.csq<#>"), Names{"csinit<#>.csend<#>"});
  EXPECT_EQ(with(model, "#"),
            (Names{"csinit<#>.csinit<#>", "csinit<#>.csq<#>", "csinit<#>.csend<#>"}));
}

TEST(PdsWriter, WritesWhatItReads) {
  const char* text =
      "# ATOMS: proposition first\n"
      "(p <a>)\n"
      "\n"
      "ATOMS \"two words\" p<a>, q<a>\n"
      "ATOMS x p, <b>, q<b>\n"
      "\n"
      "p <a> --> q < >\n"
      "q <a> --> p <b>\n"
      "p <b> --> p <a b>\n";
  EXPECT_EQ(format_pds(parse_pds(base::Input::from_text("test.pds", text))), text);
}

TEST(PdsWriter, LeavesOutLabelsOfWhatNoRuleMentions) {
  model::PushdownSystem system;
  const model::Head head{system.control("p"), system.symbol("a")};
  const model::Head other{system.control("q"), system.symbol("b")};
  system.initial(head);
  system.label(head, system.intern("x"));
  system.label(other, system.intern("x"));
  system.label(other.control, system.intern("y"));
  system.label(other.symbol, system.intern("z"));
  const std::string text = format_pds(system);
  EXPECT_EQ(text, "# ATOMS: proposition first\n(p <a>)\n\nATOMS x p<a>\n\n");
  EXPECT_EQ(with(pds(text), "x"), Names{"a.a"});
}

TEST(PdsWriter, KeepsOddLabels) {
  const model::Rsm model = pds("(p <a>)\nATOMS \"x, y\" p\nATOMS \"p\" p\n");
  EXPECT_EQ(with(model, "x, y"), Names{"a.a"});
  EXPECT_EQ(with(pds(write_pds(model)), "x, y"), Names{"a.a"});
}

constexpr const char* kProgram =
    "\nRules:\n\ncsinit # -> csq  main #;\ncsq main -> csq  f end;\ncsq f -> csq  _;\n"
    "csq end -> csq  _;\ncsq # -> csend  #;\n\nPropositions:\n\ncsq f csq f used;\n";

TEST(PdmuReader, ReadsPrograms) {
  const model::Rsm model = pdmu(kProgram);
  EXPECT_EQ(model.component_count(), 2U);
  EXPECT_EQ(after(model, "csinit<#>.main"), Names{"csinit<#>.end.f"});
  EXPECT_EQ(with(model, "used"), Names{"f.f"});
  EXPECT_EQ(with(model, "end"), Names{});
}

TEST(PdmuReader, TakesTheInitialConfigurationFromTheFile) {
  const model::Rsm model = pdmu(
      "Propositions:\np a x;\nInteresting Configurations:\np a;\nRules: // a comment\n"
      "p a -> p b;\n");
  EXPECT_EQ(after(model, "a.a"), Names{"a.b"});
}

std::size_t property_count(std::string_view property) {
  logic::FormulaPool pool;
  const std::string text = std::string(kProgram) + std::string(property);
  return read_pdmu_properties(base::Input::from_text("test.pdmu", text), pool).size();
}

TEST(PdmuReader, FindsThePropertyWhereWordsBegin) {
  EXPECT_EQ(property_count(""), 0U);
  EXPECT_EQ(property_count("Mu Property:\nused\n"), 1U);
  EXPECT_EQ(property_count("csq f x; // Mu\nMu // two words\n Property:\nused\n"), 1U);
  EXPECT_EQ(property_count("csq f a//b; csq f x;Mu Property:\nused\n"), 1U);
  EXPECT_EQ(property_count("// Mu Property:\n"), 0U);
  EXPECT_EQ(property_count("csq f x;// Mu Property:\n"), 0U);
  EXPECT_EQ(property_count("csq xMu Property:;\ncsq Mu Properties;\n"), 0U);
}

}  // namespace
}  // namespace nestor::format
