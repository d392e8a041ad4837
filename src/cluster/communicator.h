#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nestor::cluster {

using Word = std::uint32_t;

/// Before the first Communicator and after the last one, once each.
void start_mpi(int argc, char** argv);
void end_mpi();

/// What has gone over the network.
struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// What a process has spent without work: until others sent some, or had done theirs.
struct Waiting {
  double seconds = 0;
  double processor_seconds = 0;  ///< of these, in which it looked whether something had come
};

/// The processes of one MPI run, seen from one of them. All of them call the functions below in the
/// same order, but for those inside a phase. Nothing else knows MPI.
///
/// A phase is work that makes work for others. Each process does what it has, sends what concerns
/// others in batches and takes what others send, until there is nothing left anywhere:
///
///     communicator.run([&](int from, std::span<const Word> batch) { … },
///                      [&] { while (has work && !communicator.is_stopped()) {
///                              …; communicator.batch(to).push_back(…);
///                              communicator.maybe_send(to); communicator.poll(); } });
///
/// Termination is found by the four-counter method of
///   [Mat87] F. Mattern: Algorithms for distributed termination detection. Distributed Computing 2,
///           1987, section 4: two waves count what was sent and received; if the second finds no
///           more sent than the first found received, nothing happened in between, and nothing is
///           on its way.
/// Deviation: a wave is a sum over all processes (MPI_Iallreduce), to which a process adds its
/// counts when it has nothing to do, and not a visit of one after the other.
class Communicator {
 public:
  /// MPI must have been started, and end after this.
  Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  /// Of this process, since it began.
  static double processor_seconds();

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }

  /// Takes a batch that `from` has sent. Must not send. Also called after the phase was stopped.
  using Handler = std::function<void(int from, std::span<const Word> batch)>;
  /// A phase; `work` does all that there is to do here, and is called again when there is more.
  /// Empty, or why it was stopped: what `stop` was told, or a limit that either of the two has
  /// thrown; the same in all processes.
  [[nodiscard]] std::string run(const Handler& handler, const std::function<void()>& work);
  /// What is to be sent to `to` next; hand it over with maybe_send() after each item.
  std::vector<Word>& batch(int to) { return out_[static_cast<std::size_t>(to)]; }
  /// Sends the batch if it is large enough. May take batches that have come in.
  void maybe_send(int to) {
    if (out_[static_cast<std::size_t>(to)].size() >= kBatchWords) {
      send(to);
    }
  }
  /// Sends the batch unless it is empty.
  void flush(int to) {
    if (!out_[static_cast<std::size_t>(to)].empty()) {
      send(to);
    }
  }
  /// Takes what has come in. Call it now and then while there is work.
  void poll();
  /// Ends the phase early, for all: work is dropped as soon as each hears of it.
  void stop(const std::string& reason);
  bool is_stopped() const { return stopped_; }

  /// While it lives, this process computes by itself: it takes part in nothing, but answers when it
  /// is asked whether it is there.
  class Computing {
   public:
    explicit Computing(Communicator& communicator) : communicator_(communicator) {
      communicator_.set_computing(true);
    }
    ~Computing() { communicator_.set_computing(false); }
    Computing(const Computing&) = delete;
    Computing& operator=(const Computing&) = delete;

   private:
    Communicator& communicator_;
  };

  /// How long another process may say nothing while this one waits for it.
  void set_silence(double seconds) { silence_ = seconds; }
  /// Called when one has said nothing for too long, before everything is ended by MPI_Abort.
  void on_silence(std::function<void()> last_words) { last_words_ = std::move(last_words); }

  /// A word that the processes on the first one's machine share, at first 0; null in others.
  Word* shared_word() const { return shared_word_; }

  /// Ends all processes.
  void abort(int status);

  // All processes call these.
  std::uint64_t sum(std::uint64_t value);
  std::uint64_t largest(std::uint64_t value);
  bool any(bool value) { return largest(value ? 1 : 0) != 0; }
  /// Sums them place by place.
  void sum(std::span<std::uint64_t> values);
  /// What the process `root` has.
  std::string broadcast(std::string text, int root = 0);
  /// What each process has, by rank.
  std::vector<std::vector<Word>> gather(std::span<const Word> words);
  std::vector<std::string> gather(const std::string& text);
  /// Does what each process does by itself. Throws LimitReached in all of them if one has reached a
  /// limit or has no memory.
  void within_limits(const std::function<void()>& work);
  /// Likewise; throws the first Error of any process in all of them.
  void agree(const std::function<void()>& work);

  // Messages from one to one, outside of phases: for work that is handed out.
  void post(int to, std::string_view text);
  /// Waits for one; `from` any process unless given.
  struct Letter {
    int from = 0;
    std::string text;
  };
  Letter receive(std::optional<int> from = std::nullopt);
  bool has_letter();

  const Traffic& traffic() const { return traffic_; }
  const Waiting& waiting() const { return waiting_; }

  static constexpr std::size_t kBatchWords = 8192;

 private:
  struct Mpi;  // keeps MPI's header out of this one
  struct Request;

  void share_word();
  void send(int to);
  template <class Work>
  void guarded(Work work);
  bool is_over();
  std::string end();
  std::string first_of(const std::string& reason);
  bool receive_one();
  bool receive_stop();
  void complete_sends();
  void take_waves();
  static double now();
  /// An allocation has failed; what was kept for that is in use.
  static bool is_short_of_memory();
  void begin_presence();
  void end_presence();
  void set_computing(bool is_computing);
  void watch(bool heard);
  void rest(std::uint32_t& rounds) const;
  bool answer();
  void take_sign_of_life(int from, int tag);
  void wait(Request& request);

  std::unique_ptr<Mpi> mpi_;
  int rank_ = 0;
  int size_ = 1;
  Word* shared_word_ = nullptr;
  Handler handler_;
  std::vector<std::vector<Word>> out_;  // by process
  int phase_ = 0;                       // modulo 2
  std::uint64_t sent_ = 0;              // batches of this phase
  std::uint64_t received_ = 0;
  bool stopped_ = false;
  std::string reason_;                            // if it was stopped here
  std::optional<std::uint64_t> received_before_;  // by all, as the last wave found
  bool over_ = false;
  Traffic traffic_;
  Waiting waiting_;
  double silence_ = 600;
  double waiting_since_ = 0;     // 0: it is not
  double processor_before_ = 0;  // when that began
  std::uint32_t idle_rounds_ = 0;
  std::function<void()> last_words_;
};

}  // namespace nestor::cluster
