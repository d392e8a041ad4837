// Bytes as a certificate for a fixed model, with each of two formulas. They are refused with a line
// and a reason, or accepted; what is accepted must be true, and the two formulas' verdicts are
// known.

#include "check/verify.h"
#include "model/builder.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using nestor::ModelBuilder;
using Ref = ModelBuilder::Ref;

/// The model of the corpus: main calls f, which may call itself, and then stays at c.
nestor::Rsm make_model() {
  ModelBuilder builder("fuzz");
  builder.component("main");
  builder.node({.name = "a", .is_entry = true});
  builder.label("p");
  builder.node({.name = "c"});
  builder.label("q");
  builder.box("b", "f");
  builder.transition(Ref::node("a"), Ref::box_node("b", "en"));
  builder.transition(Ref::box_node("b", "x"), Ref::node("c"));
  builder.transition(Ref::node("c"), Ref::node("c"));
  builder.component("f");
  builder.node({.name = "en", .is_entry = true});
  builder.label("p");
  builder.node({.name = "x", .is_exit = true});
  builder.label("p");
  builder.box("again", "f");
  builder.transition(Ref::node("en"), Ref::node("x"));
  builder.transition(Ref::node("en"), Ref::box_node("again", "en"));
  builder.transition(Ref::box_node("again", "x"), Ref::node("x"));
  builder.initial_component("main");
  return builder.finish();
}

nestor::Verification verify(std::string_view text, nestor::FormulaPool& pool,
                            nestor::FormulaId formula) {
  static const nestor::Rsm model = make_model();
  nestor::LineReader lines = nestor::LineReader::from_text("fuzz", text);
  return nestor::verify(model, "fuzz", lines, pool, formula);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  nestor::FormulaPool pool;
  const nestor::FormulaId q = pool.atom("q");
  const nestor::Verification any = verify(text, pool, nestor::FormulaId());
  if (!any.accepted && (any.line == 0 || any.why.empty())) {
    std::abort();
  }
  // EF q holds: f may return. AF q does not: f may call itself forever.
  const nestor::Verification possible = verify(text, pool, pool.unary(nestor::Op::EF, q));
  const nestor::Verification certain = verify(text, pool, pool.unary(nestor::Op::AF, q));
  if ((possible.accepted && !possible.holds) || (certain.accepted && certain.holds) ||
      ((possible.accepted || certain.accepted) && !any.accepted)) {
    std::abort();
  }
  return 0;
}
