// Bytes as a witness. They are refused with an Error or read; what is read is looked up in a model
// and replayed, whatever comes of it. What can be looked up and is written reads as the same again.

#include "base/input.h"
#include "check/bind.h"
#include "check/replay.h"
#include "logic/printer.h"
#include "model/builder.h"
#include "witness/witness_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using Ref = nestor::model::ModelBuilder::Ref;

/// main calls f, which calls itself or leaves.
nestor::model::Rsm make_model() {
  nestor::model::ModelBuilder builder("model");
  builder.component("main");
  builder.node({.name = "start", .is_entry = true});
  builder.label("p");
  builder.node({.name = "end", .is_exit = true});
  builder.label("q");
  builder.box("c", "f");
  builder.transition(Ref::node("start"), Ref::box_node("c", "in"));
  builder.transition(Ref::box_node("c", "out"), Ref::node("end"));
  builder.component("f");
  builder.node({.name = "in", .is_entry = true});
  builder.label("p");
  builder.node({.name = "out", .is_exit = true});
  builder.box("d", "f");
  builder.transition(Ref::node("in"), Ref::box_node("d", "in"));
  builder.transition(Ref::node("in"), Ref::node("out"));
  builder.transition(Ref::box_node("d", "out"), Ref::node("out"));
  builder.initial_component("main");
  return builder.finish();
}

std::string written(const nestor::model::Rsm& model, const nestor::logic::FormulaPool& pool,
                    const nestor::witness::Witness& witness) {
  return nestor::witness::witness_json(model, pool, witness,
                                       nestor::logic::to_string(pool, witness.formula));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const nestor::model::Rsm model = make_model();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const nestor::witness::WitnessDocument& document :
         nestor::witness::read_witnesses(nestor::base::Input::from_text("fuzz.json", text))) {
      nestor::logic::FormulaPool pool;
      const nestor::check::BoundWitness bound = nestor::check::bind_witness(document, model, pool);
      if (!bound.fault.empty()) {
        continue;
      }
      const nestor::check::Replay result =
          nestor::check::replay(model, pool, bound.witness.formula, bound.witness, nullptr);
      if (result.outcome == nestor::check::Replay::Outcome::Rejected) {
        continue;
      }
      const std::string once = written(model, pool, bound.witness);
      const auto again =
          nestor::witness::read_witnesses(nestor::base::Input::from_text("again.json", once));
      if (again.size() != 1 ||
          written(model, pool, nestor::check::bind_witness(again[0], model, pool).witness) !=
              once) {
        std::abort();
      }
    }
  } catch (const nestor::base::Error&) {
    return 0;  // refused
  }
  return 0;
}
