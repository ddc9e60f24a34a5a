// Who touched which bytes last, by vector clocks: the part of the stand-in that finds accesses
// which no order covers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ringscope {

// What an actor (the host, a stream) knows of the others: the latest step of each that is over.
class VectorClock {
 public:
  std::uint64_t of(std::size_t actor) const { return actor < steps_.size() ? steps_[actor] : 0; }
  void learn(const VectorClock& other);
  std::uint64_t step(std::size_t actor);

 private:
  std::vector<std::uint64_t> steps_;
};

struct Accessor {
  std::size_t actor;
  std::uint64_t step;
};

// The bytes of one allocation.
class ShadowMemory {
 public:
  explicit ShadowMemory(std::uint64_t bytes);

  // What is wrong with it; empty where nothing is.
  std::string read(std::uint64_t begin, std::uint64_t end, std::size_t actor,
                   const VectorClock& clock);
  std::string write(std::uint64_t begin, std::uint64_t end, std::size_t actor,
                    const VectorClock& clock);

 private:
  struct Segment {
    Accessor writer{0, 0};
    bool written = false;
    std::vector<Accessor> readers;  // since it was written
  };
  using Segments = std::map<std::uint64_t, Segment>;  // by where it begins

  Segments::iterator split(std::uint64_t at);

  std::uint64_t bytes_;
  Segments segments_;
};

}  // namespace ringscope
