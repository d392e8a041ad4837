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

using nestor::model::ModelBuilder;
using Ref = ModelBuilder::Ref;

/// The model of the corpus: main calls f, which may call itself, and then stays at c.
nestor::model::Rsm make_model() {
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

nestor::check::Verification verify(std::string_view text, nestor::logic::FormulaPool& pool,
                                   nestor::logic::FormulaId formula) {
  static const nestor::model::Rsm model = make_model();
  nestor::base::LineReader lines = nestor::base::LineReader::from_text("fuzz", text);
  return nestor::check::verify(model, "fuzz", lines, pool, formula);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  nestor::logic::FormulaPool pool;
  const nestor::logic::FormulaId q = pool.atom("q");
  const nestor::check::Verification any = verify(text, pool, nestor::logic::FormulaId());
  if (!any.accepted && (any.line == 0 || any.why.empty())) {
    std::abort();
  }
  // EF q holds: f may return. AF q does not: f may call itself forever.
  const nestor::check::Verification possible =
      verify(text, pool, pool.unary(nestor::logic::Op::EF, q));
  const nestor::check::Verification certain =
      verify(text, pool, pool.unary(nestor::logic::Op::AF, q));
  if ((possible.accepted && !possible.holds) || (certain.accepted && certain.holds) ||
      ((possible.accepted || certain.accepted) && !any.accepted)) {
    std::abort();
  }
  return 0;
}
