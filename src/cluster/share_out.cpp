#include "base/statistics.h"
#include "cluster/answers.h"
#include "cluster/serial.h"

#include <algorithm>
#include <utility>

namespace nestor::cluster {

namespace {

constexpr std::size_t kMostAtOnce = 64;  // that engines decide at once

/// Formulas `first`, `first + 1`, … of those that are shared out.
struct Batch {
  std::size_t first = 0;
  std::size_t count = 0;
};

class Sharing {
 public:
  Sharing(Communicator& communicator, const Model& model, const Settings& settings,
          const std::vector<Formula>& formulas, std::span<const std::size_t> numbers,
          WitnessWish wish)
      : communicator_(communicator),
        model_(model),
        settings_(settings),
        formulas_(formulas),
        numbers_(numbers),
        wish_(wish) {
    const auto processes = static_cast<std::size_t>(communicator.size());
    batch_size_ =
        std::clamp<std::size_t>((numbers.size() + processes - 1) / processes, 1, kMostAtOnce);
  }

  std::vector<FormulaAnswer> hand_out() {
    answers_.resize(numbers_.size());
    int working = communicator_.size() - 1;
    while (next_ < numbers_.size() || working > 0) {
      // Whoever waits comes first; if nobody does, this process takes a batch.
      while (working > 0 && (next_ >= numbers_.size() || communicator_.has_letter())) {
        const Communicator::Letter letter = communicator_.receive();
        take(letter.text);
        const Batch batch = next();
        working -= batch.count == 0 ? 1 : 0;
        SerialWriter order;
        order.number(batch.first);
        order.number(batch.count);
        communicator_.post(letter.from, order.bytes());
      }
      if (const Batch batch = next(); batch.count > 0) {
        take(answer(batch));
      }
    }
    return std::move(answers_);
  }

  void work() {
    std::string done;
    for (;;) {
      communicator_.post(0, done);
      const Communicator::Letter letter = communicator_.receive(0);
      SerialReader order(letter.text);
      Batch batch;
      batch.first = order.number();
      batch.count = order.number();
      if (batch.count == 0) {
        return;
      }
      done = answer(batch);
    }
  }

 private:
  Batch next() {
    const Batch batch{next_, std::min(batch_size_, numbers_.size() - next_)};
    next_ += batch.count;
    return batch;
  }

  std::string answer(const Batch& batch) {
    const Communicator::Computing computing(communicator_);
    Session session(model_, settings_);
    for (std::size_t i = 0; i < batch.count; ++i) {
      session.ask(formulas_[numbers_[batch.first + i]]);
    }
    SerialWriter out;
    out.number(batch.first);
    out.number(batch.count);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const Result& result = session.verdict(i);
      out.number(static_cast<std::uint64_t>(result.verdict));
      out.text(result.reason);
      out.number(result.contexts);
      out.real(result.seconds);
      out.text(result.how);
      out.text(result.engine);
      driver::WitnessTexts texts;
      std::string without;
      if (wish_.any() && result.verdict != Verdict::Unknown) {
        const Answer<Witness> witness = session.witness(i);
        if (witness) {
          texts.text = wish_.text ? witness->text(wish_.whole_states) : std::string();
          texts.json = wish_.json ? witness->json() : std::string();
        } else {
          without = witness.reason;
        }
      }
      out.text(texts.text);
      out.text(texts.json);
      out.text(without);
    }
    return out.bytes();
  }

  void take(const std::string& text) {
    if (text.empty()) {
      return;  // the first question for work
    }
    SerialReader in(text);
    const std::uint64_t first = in.number();
    const std::uint64_t count = in.number();
    for (std::size_t i = first; i < first + count; ++i) {
      FormulaAnswer& answer = answers_[i];
      answer.result.verdict = static_cast<Verdict>(in.number());
      answer.result.reason = in.text();
      answer.result.contexts = in.number();
      answer.result.seconds = in.real();
      answer.result.how = in.text();
      // A view: of the engine's own name, which stays.
      const std::string engine = in.text();
      answer.result.engine = engine.empty() ? std::string_view() : engine_name(engine);
      answer.witness.text = in.text();
      answer.witness.json = in.text();
      answer.without_witness = in.text();
    }
  }

  static std::string_view engine_name(const std::string& id) {
    static const std::vector<Engine> all = engines();
    const auto found = std::ranges::find(all, id, &Engine::id);
    NESTOR_CHECK(found != all.end());
    return found->id;
  }

  Communicator& communicator_;
  const Model& model_;
  const Settings& settings_;
  const std::vector<Formula>& formulas_;
  std::span<const std::size_t> numbers_;
  WitnessWish wish_;
  std::size_t batch_size_ = 1;
  std::size_t next_ = 0;
  std::vector<FormulaAnswer> answers_;
};

}  // namespace

std::vector<FormulaAnswer> share_out(Communicator& communicator, const Model& model,
                                     const Settings& settings, const std::vector<Formula>& formulas,
                                     std::span<const std::size_t> numbers, WitnessWish wish) {
  Sharing sharing(communicator, model, settings, formulas, numbers, wish);
  if (communicator.is_first()) {
    return sharing.hand_out();
  }
  sharing.work();
  return {};
}

}  // namespace nestor::cluster
