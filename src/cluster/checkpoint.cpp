#include "cluster/checkpoint.h"

#include "cluster/checkpoint_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <sstream>
#include <utility>

// A part: `nestor-part-1`, the model, processes, which one, states, of which expanded, initial
// states; the initial states; of each state its length and words, and if it is expanded how many
// successors it has; from each process how many transitions, and of each from, to and marks.

namespace nestor::cluster {

namespace {
constexpr std::string_view kMagic = "nestor-part-1";
constexpr std::string_view kManifestMagic = "nestor checkpoint 1";
}  // namespace

std::string Checkpoint::path_of(std::uint64_t generation, std::uint64_t process) const {
  return fmt::format("{}/part-{}-{}", folder_, generation, process);
}

Checkpoint::Manifest Checkpoint::read_manifest() const {
  const base::Input input = base::Input::read(manifest_path());
  std::istringstream lines{std::string(input.text())};
  std::string magic;
  std::getline(lines, magic);
  std::string model;
  Manifest manifest;
  std::string key;
  std::uint64_t check = 0;
  if (magic != kManifestMagic || !(lines >> key >> model) || key != "model" ||
      !(lines >> key >> manifest.processes) || key != "processes" ||
      !(lines >> key >> manifest.generation) || key != "generation" || !(lines >> key >> check) ||
      key != "sum" || check != manifest.processes + manifest.generation) {
    throw base::Error(base::Error::Kind::Input, "this is no manifest of a checkpoint, or damaged",
                      {manifest_path()});
  }
  if (model != model_) {
    throw base::Error(base::Error::Kind::Input,
                      "the checkpoint is of another model, or one whose dead ends mean another "
                      "thing",
                      {manifest_path()});
  }
  return manifest;
}

void Checkpoint::prepare() {
  communicator_.agree([&] {
    if (!communicator_.is_first()) {
      return;
    }
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) {
      throw base::Error(base::Error::Kind::System,
                        fmt::format("cannot make the folder '{}': {}", folder_, error.message()));
    }
    if (std::filesystem::exists(manifest_path())) {
      throw base::Error(base::Error::Kind::Usage,
                        fmt::format("'{}' holds a checkpoint: --resume goes on from it, else "
                                    "remove it or take another folder",
                                    folder_));
    }
  });
}

void Checkpoint::remove_old(std::uint64_t processes, std::uint64_t generation) const {
  std::error_code none;
  for (std::uint64_t r = 0; r < processes; ++r) {
    std::filesystem::remove(path_of(generation, r), none);
  }
}

void Checkpoint::write(const GraphPart& part) {
  const std::uint64_t generation = last_.generation + 1;
  const auto processes = static_cast<std::uint64_t>(communicator_.size());
  communicator_.agree([&] {
    PartWriter out(path_of(generation, static_cast<std::uint64_t>(communicator_.rank())));
    out.text(kMagic);
    out.text(model_);
    out.number(processes);
    out.number(static_cast<std::uint64_t>(communicator_.rank()));
    out.number(part.states.size());
    out.number(part.out_degree.size());
    out.number(part.initial.size());
    for (const Word s : part.initial) {
      out.word(s);
    }
    std::vector<Word> form;
    for (Word s = 0; s < part.states.size(); ++s) {
      form.clear();
      part.states.write_portable(s, form);
      out.word(static_cast<Word>(form.size()));
      for (const Word w : form) {
        out.word(w);
      }
      if (s < part.out_degree.size()) {
        out.word(part.out_degree[s]);
      }
    }
    for (const EdgeStream& edges : part.edges) {
      out.number(edges.size());
      edges.for_each([&](const Edge& edge) {
        out.word(edge.from);
        out.word(edge.to);
        out.word(edge.marks);
      });
    }
    out.commit();
  });
  communicator_.agree([&] {
    if (communicator_.is_first()) {
      base::OutputFile file(manifest_path());
      file.write(fmt::format("{}\nmodel {}\nprocesses {}\ngeneration {}\nsum {}\n", kManifestMagic,
                             model_, processes, generation, processes + generation));
      file.commit();
      remove_old(last_.processes, last_.generation);
    }
  });
  last_ = {processes, generation};
  ++written_;
}

void Checkpoint::read_own(GraphPart& part, const Manifest& manifest) {
  base::LimitGuard guard({});
  PartReader in(path_of(manifest.generation, static_cast<std::uint64_t>(communicator_.rank())));
  const auto head = read_head(in, manifest, static_cast<std::uint64_t>(communicator_.rank()));
  for (std::uint64_t i = 0; i < head.initial; ++i) {
    part.initial.push_back(in.word());
  }
  std::vector<Word> form;
  for (std::uint64_t s = 0; s < head.states; ++s) {
    form.resize(in.word());
    for (Word& w : form) {
      w = in.word();
    }
    if (part.states.insert(form, guard).number != s) {
      in.refuse("a state comes twice");
    }
    if (s < head.expanded) {
      part.out_degree.push_back(in.word());
    }
    part.parent.push_back(static_cast<Word>(s));
    part.parent_process.push_back(static_cast<std::uint16_t>(communicator_.rank()));
  }
  for (EdgeStream& edges : part.edges) {
    for (std::uint64_t left = in.number(); left > 0; --left) {
      Edge edge;
      edge.from = in.word();
      edge.to = in.word();
      edge.marks = in.word();
      edges.append(edge);
    }
  }
}

Checkpoint::Head Checkpoint::read_head(PartReader& in, const Manifest& manifest,
                                       std::uint64_t process) const {
  if (!in.text(kMagic)) {
    in.refuse("it does not begin as one does");
  }
  if (!in.text(model_)) {
    in.refuse("it is of another model");
  }
  if (in.number() != manifest.processes || in.number() != process) {
    in.refuse("it belongs to another checkpoint");
  }
  Head head;
  head.states = in.number();
  head.expanded = in.number();
  head.initial = in.number();
  return head;
}

/// Parts of another number of processes. Each process reads some of the parts and tells the owners
/// their states, those that are expanded first; the owners say which numbers they have now. Then
/// each transition goes to who has read the part it comes from, who knows the number of its source,
/// and from there to the owner of its target.
class Checkpoint::Redistribution {
 public:
  Redistribution(Checkpoint& checkpoint, GraphPart& part, const Manifest& manifest)
      : checkpoint_(checkpoint),
        communicator_(checkpoint.communicator_),
        part_(part),
        manifest_(manifest),
        owners_(communicator_.size()),
        guard_({}) {}

  void run() {
    // A mistake in a file is found by who reads it; all stop.
    communicator_.agree([&] {
      for (std::uint64_t p = first_part(); p < manifest_.processes; p += step()) {
        PartReader in(checkpoint_.path_of(manifest_.generation, p));
        checkpoint_.read_head(in, manifest_, p);
      }
    });
    for (const bool expanded : {true, false}) {
      phase([&] { read_parts([&](PartReader& in, std::uint64_t p) { tell(in, p, expanded); }); });
    }
    edges_.resize(part_.edges.size());
    phase([&] { read_parts([&](PartReader& in, std::uint64_t p) { tell_edges(in, p); }); });
    for (std::size_t r = 0; r < edges_.size(); ++r) {
      std::ranges::sort(edges_[r], {}, [](const Edge& e) { return std::pair(e.from, e.to); });
      for (const Edge& edge : edges_[r]) {
        part_.edges[r].append(edge);
      }
      edges_[r] = {};
    }
    find_initial();
  }

 private:
  enum Kind : Word { kState, kNumber, kFromSource, kToTarget };
  struct Place {
    Word process = 0;
    Word number = 0;
  };
  using Message = std::vector<Word>;
  struct Pending {
    int to = 0;
    Message words;
  };

  std::uint64_t first_part() const { return static_cast<std::uint64_t>(communicator_.rank()); }
  std::uint64_t step() const { return static_cast<std::uint64_t>(communicator_.size()); }
  int reader_of(std::uint64_t part) const { return static_cast<int>(part % step()); }

  void phase(const std::function<void()>& read) {
    bool has_read = false;
    const std::string reason =
        communicator_.run([&](int from, std::span<const Word> batch) { take_batch(from, batch); },
                          [&] {
                            if (!std::exchange(has_read, true)) {
                              read();
                            }
                            send_pending();
                          });
    if (!reason.empty()) {
      throw base::Error(base::Error::Kind::System, "the checkpoint cannot be read: " + reason);
    }
  }

  template <class Visit>
  void read_parts(Visit visit) {
    for (std::uint64_t p = first_part(); p < manifest_.processes; p += step()) {
      PartReader in(checkpoint_.path_of(manifest_.generation, p));
      visit(in, p);
    }
  }

  /// Each message with its length before it.
  void send(int to, const Message& words) {
    if (to == communicator_.rank()) {
      take(to, words);
      return;
    }
    std::vector<Word>& batch = communicator_.batch(to);
    batch.push_back(static_cast<Word>(words.size()));
    batch.insert(batch.end(), words.begin(), words.end());
    communicator_.maybe_send(to);
  }
  /// Not by recursion: what is taken may have to be passed on.
  void send_pending() {
    while (!pending_.empty()) {
      const Pending next = std::move(pending_.front());
      pending_.pop_front();
      send(next.to, next.words);
    }
  }
  void take_batch(int from, std::span<const Word> batch) {
    for (std::size_t at = 0; at < batch.size();) {
      const std::size_t size = batch[at];
      take(from, batch.subspan(at + 1, size));
      at += 1 + size;
    }
  }

  void take(int from, std::span<const Word> words) {
    switch (Kind{words[0]}) {
      case kState: {  // part, place there, expanded, successors, form
        const auto inserted = part_.states.insert(words.subspan(5), guard_);
        NESTOR_CHECK(inserted.is_new);
        part_.parent.push_back(inserted.number);
        part_.parent_process.push_back(static_cast<std::uint16_t>(communicator_.rank()));
        if (words[3] != 0) {
          part_.out_degree.push_back(words[4]);
        }
        pending_.push_back({from, {kNumber, words[1], words[2], inserted.number}});
        break;
      }
      case kNumber:  // part, place there, number
        places_[words[1]][words[2]] = {static_cast<Word>(from), words[3]};
        break;
      case kFromSource: {  // part, place there, target's process and number, marks
        const Place source = places_[words[1]][words[2]];
        pending_.push_back({static_cast<int>(words[3]),
                            {kToTarget, source.process, source.number, words[4], words[5]}});
        break;
      }
      default:  // kToTarget: source's process and number, number, marks
        edges_[words[1]].push_back({words[2], words[3], words[4]});
    }
  }

  void tell(PartReader& in, std::uint64_t p, bool expanded) {
    const Head head = checkpoint_.read_head(in, manifest_, p);
    for (std::uint64_t i = 0; i < head.initial; ++i) {
      in.word();
    }
    std::vector<Place>& places = places_[static_cast<Word>(p)];
    places.resize(head.states);
    Message words;
    for (std::uint64_t s = 0; s < head.states; ++s) {
      const std::size_t size = in.word();
      const bool is_expanded = s < head.expanded;
      words.assign({kState, static_cast<Word>(p), static_cast<Word>(s), is_expanded ? 1U : 0U, 0});
      for (std::size_t i = 0; i < size; ++i) {
        words.push_back(in.word());
      }
      words[4] = is_expanded ? in.word() : 0;
      if (is_expanded == expanded) {
        send(owners_.of(Portable(words).subspan(5)), words);
        send_pending();
        communicator_.poll();
      }
    }
  }

  void tell_edges(PartReader& in, std::uint64_t p) {
    const Head head = checkpoint_.read_head(in, manifest_, p);
    for (std::uint64_t i = 0; i < head.initial; ++i) {
      in.word();
    }
    for (std::uint64_t s = 0; s < head.states; ++s) {
      for (std::size_t size = in.word() + (s < head.expanded ? 1 : 0); size > 0; --size) {
        in.word();
      }
    }
    for (std::uint64_t q = 0; q < manifest_.processes; ++q) {
      for (std::uint64_t left = in.number(); left > 0; --left) {
        const Word from = in.word();
        const Place target = places_[static_cast<Word>(p)].at(in.word());
        const Word marks = in.word();
        send(reader_of(q),
             {kFromSource, static_cast<Word>(q), from, target.process, target.number, marks});
        send_pending();
        if (left % 64 == 0) {
          communicator_.poll();
        }
      }
    }
  }

  void find_initial() {
    SuccessorList list;
    part_.states.initial(list, guard_);
    for (const SuccessorList::Item& item : list.items()) {
      if (owners_.of_hash(item.hash) == communicator_.rank()) {
        part_.initial.push_back(part_.states.find(list.portable(item), guard_));
      }
    }
    std::ranges::sort(part_.initial);
  }

  Checkpoint& checkpoint_;
  Communicator& communicator_;
  GraphPart& part_;
  const Manifest& manifest_;
  Owners owners_;
  base::LimitGuard guard_;
  std::map<Word, std::vector<Place>> places_;  // by part that is read here: where its states are
  std::deque<Pending> pending_;
  std::vector<std::vector<Edge>> edges_;  // by process that they come from
};

void Checkpoint::read(GraphPart& part) {
  Manifest manifest;
  communicator_.agree([&] {
    if (!std::filesystem::exists(manifest_path())) {
      throw base::Error(base::Error::Kind::Input,
                        fmt::format("'{}' holds no checkpoint to go on from", folder_));
    }
    manifest = read_manifest();
  });
  if (manifest.processes == static_cast<std::uint64_t>(communicator_.size())) {
    communicator_.agree([&] { read_own(part, manifest); });
  } else {
    Redistribution(*this, part, manifest).run();
  }
  last_ = manifest;
}

}  // namespace nestor::cluster
