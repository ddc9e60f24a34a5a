// The sentence of a round, for every algorithm of the table; one that is not in it is told by what
// its transfers have in common.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "core/figure/captions.h"
#include "core/figure/opaque.h"
#include "core/figure/tree_places.h"
#include "core/figure/unicode.h"
#include "core/figure/views.h"
#include "core/replay/symbols.h"
#include "core/schedule/fold.h"

namespace ringscope {
namespace {

// Adding is what sum and mean do; the others combine.
std::string reducing(Operator op) { return adds(op) ? "sum" : "other"; }

// What the transfers of a round have in common.
struct RoundFacts {
  std::size_t transfers = 0;
  std::size_t done = 0;
  bool all_reduce = true, all_copy = true;
  bool everybody = false;  // every rank sends one run of cells and receives one
  std::vector<std::int32_t> senders, receivers;  // ascending
};

RoundFacts facts_of(const Replay& replay, std::int32_t round) {
  const Trace& trace = replay.trace();
  const Schedule& schedule = trace.schedule;
  RoundFacts facts;
  std::vector<std::int32_t> sent(static_cast<std::size_t>(schedule.ranks)), received = sent;
  for (const std::uint32_t index : replay.transfers_of_round(round)) {
    const Transfer& transfer = schedule.transfers[index];
    ++facts.transfers;
    if (index >= trace.events.size() || trace.events[index].done != 0) ++facts.done;
    if (continues_step(schedule, index)) continue;
    facts.all_reduce = facts.all_reduce && transfer.action == Action::reduce;
    facts.all_copy = facts.all_copy && transfer.action == Action::copy;
    ++sent[static_cast<std::size_t>(transfer.src)];
    ++received[static_cast<std::size_t>(transfer.dst)];
  }
  const auto is_one = [](std::int32_t times) { return times == 1; };
  facts.everybody = std::all_of(sent.begin(), sent.end(), is_one) &&
                    std::all_of(received.begin(), received.end(), is_one);
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    if (sent[static_cast<std::size_t>(rank)] > 0) facts.senders.push_back(rank);
    if (received[static_cast<std::size_t>(rank)] > 0) facts.receivers.push_back(rank);
  }
  return facts;
}

// 'both', 'all four'.
std::string all_of(const Language& language, std::int32_t count) {
  if (count == 2) return language.text("word.both");
  return language.text("word.all",
                       {{"count", language.small_number(static_cast<std::uint64_t>(count))}});
}

// Contributors of the changed cell that has the fewest.
std::int32_t fewest_terms(const Replay& replay, std::int32_t round) {
  std::int32_t fewest = replay.trace().schedule.ranks;
  for (const std::uint32_t index : replay.transfers_of_round(round))
    fewest = std::min(fewest, replay.terms_after(index));
  return fewest;
}

bool is_ideograph(char32_t character) { return character >= 0x4E00 && character < 0xA000; }
bool is_latin(char32_t character) {
  return character < 0x80 && std::isalnum(static_cast<int>(character)) != 0;
}

// What is put in begins a sentence in lower case, and meets Chinese without a space.
std::string polished(const std::string& sentence) {
  std::string text;
  char32_t before = 0;
  for (std::string_view rest = sentence; !rest.empty();) {
    const std::string_view here = rest;
    const char32_t character = next_character(rest);
    if ((is_latin(before) && is_ideograph(character)) ||
        (is_ideograph(before) && is_latin(character)))
      text += ' ';
    text += here.substr(0, here.size() - rest.size());
    before = character;
  }
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// Writes the sentence of one round at one beat.
class Teller {
 public:
  Teller(const ReplayState& state, const Replay& replay, const Language& language)
      : state_(state),
        replay_(replay),
        schedule_(replay.trace().schedule),
        language_(language),
        op_(replay.trace().run.op),
        round_(state.cursor.round - 1),
        phase_(schedule_.phases[static_cast<std::size_t>(phase_of(schedule_, round_))]),
        facts_(facts_of(replay, round_)),
        after_(beat_of(state.cursor) == Beat::after),
        first_(round_ == phase_.first_round),
        left_(phase_.first_round + phase_.round_count - 1 - round_) {}

  const RoundFacts& facts() const { return facts_; }
  std::string tell() const {
    const std::string& name = schedule_.algorithm;
    if (name == "tree") return tree();
    if (name == "double-tree") return say(staged("double-tree." + phase_.id));
    if (name == "parameter-server") return say("star." + phase_.id + beat());
    if (name == "recursive-doubling" || name == "halving-doubling") return doubling();
    // One group alone is a star.
    if (name == "hierarchical" && groups_of(schedule_).size() == 1)
      return say("star." + phase_.id + beat());
    if (name == "hierarchical") return say(staged("hierarchical." + phase_.id));
    if (name == "reduce" || name == "broadcast") return chain();
    if (name == "all-gather") return say(ring_stage("gather"));
    if (name == "bidirectional") return both_ways();
    if (!facts_.everybody || (!facts_.all_reduce && !facts_.all_copy)) return say("any" + beat());
    return say(ring_stage((facts_.all_copy ? "copy." : "reduce.") + reducing(op_)));
  }

 private:
  std::string number(std::int64_t count) const {
    return language_.small_number(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0)));
  }
  std::string gpu(std::int32_t rank) const {
    return language_.text("view.gpu", {{"rank", std::to_string(rank)}});
  }
  // 'GPU 1 and GPU 2', of many 'eight GPUs'; the root is called so where it has children.
  std::string gpus(const std::vector<std::int32_t>& ranks) const {
    if (ranks.size() == 1) return ranks[0] == root() ? language_.text("word.root") : gpu(ranks[0]);
    if (ranks.size() == 2)
      return language_.text("word.two", {{"first", gpu(ranks[0])}, {"second", gpu(ranks[1])}});
    if (ranks.size() == 3)
      return language_.text(
          "word.three",
          {{"first", gpu(ranks[0])}, {"second", gpu(ranks[1])}, {"third", gpu(ranks[2])}});
    return language_.text("word.many",
                          {{"count", number(static_cast<std::int64_t>(ranks.size()))}});
  }
  // Where a tree or a chain ends or begins; -1: nowhere.
  std::int32_t root() const {
    const std::string& name = schedule_.algorithm;
    if (name == "tree") return 0;
    if (name == "parameter-server") return star_root(schedule_);
    for (std::int32_t rank = 0; rank < schedule_.ranks && schedule_.chunks == 1; ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      if (name == "reduce" && schedule_.goal[at] == everyone) return rank;
      if (name == "broadcast" && schedule_.initial[at] != nothing) return rank;
    }
    return -1;
  }
  std::string beat() const { return after_ ? ".after" : ".moving"; }
  std::string staged(const std::string& id) const {
    return id + (!after_ ? ".moving" : left_ == 0 ? ".last" : ".after");
  }
  std::string ring_stage(const std::string& id) const {
    return id + (after_ ? (left_ == 0 ? ".last" : ".after") : first_ ? ".first" : ".later");
  }

  // Ranks whose chunks are all complete.
  std::int64_t complete_ranks() const {
    std::int64_t complete = 0;
    for (std::int32_t rank = 0; rank < schedule_.ranks; ++rank)
      if (replay_.cell(state_, rank, 0).holding == Holding::complete) ++complete;
    return complete;
  }
  // Of the first rank that received.
  std::int64_t complete_chunks() const {
    const std::int32_t rank = facts_.receivers.empty() ? 0 : facts_.receivers[0];
    const bool gathers = schedule_.algorithm == "all-gather";
    std::int64_t complete = 0;
    for (std::int32_t chunk = 0; chunk < schedule_.chunks; ++chunk)
      if (replay_.terms(state_, rank, chunk) >= (gathers ? 1 : schedule_.ranks)) ++complete;
    return complete;
  }

  // A text of the section with all that any of them speaks of.
  std::string say(const std::string& id) const {
    const auto count = [](const std::vector<std::int32_t>& ranks) {
      return std::to_string(ranks.size());
    };
    const bool copies = facts_.all_copy;
    const auto branch = [&](const std::vector<std::int32_t>& ranks) {
      return language_.text("word.branch." + reducing(op_), {{"n", count(ranks)}});
    };
    return polished(language_.text(
        "sentence." + id,
        {{"senders", gpus(facts_.senders)},
         {"receivers", gpus(facts_.receivers)},
         {"n", count(facts_.senders)},
         {"m", count(facts_.receivers)},
         {"branches", branch(facts_.senders)},
         {"branch", branch(facts_.receivers)},
         {"takes", language_.text("word.takes." + reducing(op_))},
         {"adds", language_.text("word.adds." + reducing(op_))},
         {"sum", language_.text("word.sum." + reducing(op_))},
         {"result", language_.text("result." + std::string(name_of(op_)))},
         {"sending", number(static_cast<std::int64_t>(facts_.senders.size()))},
         {"held", number(copies ? complete_chunks() : fewest_terms(replay_, round_))},
         {"places", number(fold_of(schedule_.ranks).places)},
         {"ranks", number(schedule_.ranks)},
         {"all_ranks", all_of(language_, schedule_.ranks)},
         {"chunks", number(schedule_.chunks)},
         {"all_chunks", all_of(language_, schedule_.chunks)},
         {"left", number(left_)}}));
  }
  bool is_last_round() const { return round_ + 1 == replay_.rounds(); }

  std::string tree() const {
    if (phase_.id == "reduce") {
      if (after_) return say(left_ == 0 ? "tree.reduce.last" : "tree.reduce.after");
      const bool leaves =
          std::all_of(facts_.senders.begin(), facts_.senders.end(),
                      [&](std::int32_t rank) { return 2 * rank + 1 >= schedule_.ranks; });
      return say(leaves ? "tree.reduce.leaves" : "tree.reduce.inner");
    }
    if (after_ && left_ > 0)
      return language_.text("sentence.tree.broadcast.after",
                            {{"held", number(complete_ranks())},
                             {"ranks", number(schedule_.ranks)},
                             {"result", language_.text("result." + std::string(name_of(op_)))}});
    return say(after_ ? "done" : "tree.broadcast.moving");
  }

  // Two ranks have one neighbour, which they exchange halves with.
  std::string both_ways() const {
    const bool adds = facts_.all_reduce;
    if (schedule_.ranks == 2 && !after_)
      return say(adds ? "halving.reduce-scatter.moving" : "halving.all-gather.moving");
    return say(ring_stage(adds ? "both.reduce" : "both.copy"));
  }

  std::string doubling() const {
    if (after_ && is_last_round()) return say("done");
    if (phase_.id == "fold-in" || phase_.id == "fold-out") return say(phase_.id + beat());
    const std::string family = schedule_.algorithm == "halving-doubling" ? "halving." : "doubling.";
    if (family == "doubling." && after_ && fewest_terms(replay_, round_) == schedule_.ranks)
      return say("doubling.exchange.last");
    return say(staged(family + phase_.id));
  }

  std::string chain() const {
    if (phase_.id == "reduce") return say(ring_stage("chain.reduce"));
    if (after_ && left_ > 0)
      return language_.text("sentence.chain.broadcast.after",
                            {{"held", number(round_ + 2)}, {"ranks", number(schedule_.ranks)}});
    return say(ring_stage("chain.broadcast"));
  }

  const ReplayState& state_;
  const Replay& replay_;
  const Schedule& schedule_;
  const Language& language_;
  Operator op_;
  std::int32_t round_;
  const Phase& phase_;
  RoundFacts facts_;
  bool after_, first_;
  std::int32_t left_;
};

std::string start_sentence(const Trace& trace, const Language& language) {
  const Schedule& schedule = trace.schedule;
  const std::string& name = schedule.algorithm;
  std::string id = "sentence.";
  if (name == "reduce-scatter" || name == "all-gather" || name == "reduce" || name == "broadcast")
    id += "begin." + name;
  else if (schedule.chunks == 1)
    id += "begin.whole";
  else
    id += "start";
  return language.text(
      id, {{"chunks", language.small_number(static_cast<std::uint64_t>(schedule.chunks))},
           {"all_chunks", all_of(language, schedule.chunks)},
           {"result", language.text("result." + std::string(name_of(trace.run.op)))}});
}

// How many chunks are on their way; a chunk in slices is one.
std::size_t moving_chunks(const ReplayState& state, const Schedule& schedule) {
  std::set<std::array<std::int32_t, 4>> chunks;
  for (const Motion& motion : state.moving) {
    const Transfer& transfer = schedule.transfers[motion.transfer];
    const std::int32_t last = (transfer.first_cell + transfer.cell_count - 1) / schedule.slices;
    for (std::int32_t chunk = transfer.first_cell / schedule.slices; chunk <= last; ++chunk)
      chunks.insert({transfer.src, transfer.dst, transfer.round, chunk});
  }
  return chunks.size();
}

// What is on its way at a moment of measured time, and how many wait for others.
std::string measured_sentence(const ReplayState& state, const Trace& trace,
                              const Language& language) {
  const std::size_t moving = moving_chunks(state, trace.schedule);
  const auto waiting = std::count_if(state.waits.begin(), state.waits.end(),
                                     [](const Wait& wait) { return wait.for_rank >= 0; });
  if (moving == 0 && state.nanoseconds >= trace.nanoseconds && !trace.stopped)
    return language.text("sentence.measured.done");
  if (moving == 0 && waiting == 0) return language.text("sentence.measured.idle");
  std::string id = "sentence.measured.";
  id += moving == 0 ? "none" : trace.schedule.chunks == 1 ? "buffers" : "chunks";
  const std::string on_their_way = language.text(id, {{"moving", language.small_number(moving)}});
  const std::string waits =
      language.text(waiting == 0 ? "sentence.measured.nobody" : "sentence.measured.waiting",
                    {{"waiting", language.small_number(static_cast<std::uint64_t>(waiting))}});
  return polished(on_their_way + "\n" + waits);
}

}  // namespace

std::string round_sentence(const ReplayState& state, const Replay& replay,
                           const Language& language) {
  const Trace& trace = replay.trace();
  const auto say = [&](std::uint64_t number) { return language.small_number(number); };
  if (trace.opaque) return opaque_sentence(language);
  if (trace.schedule.ranks == 1) return language.text("sentence.alone");
  if (state.measured) return measured_sentence(state, trace, language);
  if (state.cursor.round <= 0) return start_sentence(trace, language);

  const std::int32_t round = state.cursor.round - 1;
  const Teller teller(state, replay, language);
  const auto is_cut = [](const RoundFacts& facts) { return facts.done < facts.transfers; };
  const RoundFacts& facts = teller.facts();
  if (is_cut(facts) && facts.done == 0 && round > 0 && is_cut(facts_of(replay, round - 1)))
    return language.text("sentence.stopped_before");
  if (is_cut(facts))
    return language.text("sentence.stopped",
                         {{"done", say(facts.done)}, {"transfers", say(facts.transfers)}});
  return teller.tell();
}

}  // namespace ringscope
