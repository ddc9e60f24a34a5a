// Bytes as a trace.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/error.h"
#include "core/trace/plain_text.h"
#include "core/trace/trace_check.h"
#include "core/trace/trace_file.h"
#include "core/trace/trace_format.h"
#include "trace_generated.h"

namespace ringscope {
namespace {

// The place in the payload that is wrong; what opens the file says it in a sentence.
struct Contradiction {
  std::string place;
};

template <class Type>
using Vector = flatbuffers::Vector<Type>;

// Reads texts. Offsets in a hostile file may all lead to one text, so that a few bytes would become
// a great many: there can't be more of them than the payload is long.
class Texts {
 public:
  explicit Texts(std::size_t payload_bytes) : left_(payload_bytes) {}

  std::string read(const flatbuffers::String& value, std::string_view place) {
    if (value.size() > left_ || !is_plain_text(value.string_view()))
      throw Contradiction{std::string(place)};
    left_ -= value.size();
    return value.str();
  }

 private:
  std::size_t left_;
};

std::vector<std::byte> bytes(const Vector<std::uint8_t>& value) {
  const auto view = std::as_bytes(std::span(value.data(), value.size()));
  return {view.begin(), view.end()};
}

std::vector<std::int32_t> numbers(const Vector<std::int32_t>& value) {
  return {value.data(), value.data() + value.size()};
}

// `convert` makes an item of each of the file's structs.
template <class Item, class Struct, class Convert>
std::vector<Item> items(const Vector<const Struct*>& rows, const Convert& convert) {
  // The verifier leaves the alignment of structs to us.
  if (rows.size() > 0 && reinterpret_cast<std::uintptr_t>(rows.Data()) % alignof(Struct) != 0)
    throw Contradiction{"a list's alignment"};
  std::vector<Item> made(rows.size());
  for (flatbuffers::uoffset_t i = 0; i < rows.size(); ++i) made[i] = convert(*rows.Get(i));
  return made;
}

std::optional<Message> message(Texts& texts, const file::Message* value, const std::string& place) {
  if (value == nullptr) return std::nullopt;
  Message made{texts.read(*value->id(), place + ".id"), {}};
  for (flatbuffers::uoffset_t i = 0; i < value->arguments()->size(); ++i) {
    const file::Argument& argument = *value->arguments()->Get(i);
    const std::string here = fmt::format("{}.arguments[{}]", place, i);
    made.arguments.emplace_back(texts.read(*argument.name(), here),
                                texts.read(*argument.value(), here));
  }
  return made;
}

Schedule schedule(Texts& texts, const file::Schedule& value) {
  Schedule made;
  made.algorithm = texts.read(*value.algorithm(), "schedule.algorithm");
  made.ranks = value.ranks();
  made.count = value.count();
  made.chunks = value.chunks();
  made.slices = value.slices();
  made.order = numbers(*value.order());
  for (flatbuffers::uoffset_t i = 0; i < value.phases()->size(); ++i) {
    const file::Phase& phase = *value.phases()->Get(i);
    made.phases.push_back({texts.read(*phase.id(), fmt::format("schedule.phases[{}].id", i)),
                           phase.first_round(), phase.round_count()});
  }
  made.initial = numbers(*value.initial());
  made.goal = numbers(*value.goal());
  made.transfers = items<Transfer>(*value.transfers(), [](const file::Transfer& row) {
    return Transfer{row.src(),
                    row.dst(),
                    row.first_cell(),
                    row.cell_count(),
                    row.round(),
                    row.slice(),
                    static_cast<Action>(row.action())};
  });
  return made;
}

Trouble trouble(const file::RunFacts& value) {
  Trouble made;
  made.late = items<Late>(*value.late(), [](const file::Late& row) {
    return Late{row.rank(), row.nanoseconds()};
  });
  made.delays = items<Delay>(*value.delays(), [](const file::Delay& row) {
    return Delay{row.src(), row.dst(), row.nanoseconds()};
  });
  made.deaths = items<Die>(*value.deaths(), [](const file::Die& row) {
    return Die{row.rank(), row.round()};
  });
  return made;
}

RunFacts run(Texts& texts, const file::RunFacts& value) {
  RunFacts made;
  made.engine = texts.read(*value.engine(), "run.engine");
  made.type = static_cast<ElementType>(value.type());
  made.op = static_cast<Operator>(value.op());
  made.data = static_cast<DataKind>(value.data());
  made.data_version = value.data_version();
  made.seed = value.seed();
  made.input_file = texts.read(*value.input_file(), "run.input_file");
  made.in_place = value.in_place();
  made.lockstep = value.lockstep();
  made.repeats = value.repeats();
  made.trouble = trouble(value);
  made.pace = {value.port_bytes_per_second(), value.port_latency()};
  made.pace_reached = value.port_reached();
  if (const auto user_type = value.user_type())
    made.user_type = static_cast<ElementType>(*user_type);
  return made;
}

Provenance provenance(Texts& texts, const file::Provenance& value) {
  Provenance made;
  made.program_version = texts.read(*value.program_version(), "where.program_version");
  made.host = texts.read(*value.host(), "where.host");
  made.processor = texts.read(*value.processor(), "where.processor");
  made.cores = value.cores();
  made.system = texts.read(*value.system(), "where.system");
  made.compiler = texts.read(*value.compiler(), "where.compiler");
  made.recorded_at = value.recorded_at();
  for (flatbuffers::uoffset_t i = 0; i < value.devices()->size(); ++i)
    made.devices.push_back(
        texts.read(*value.devices()->Get(i), fmt::format("where.devices[{}]", i)));
  if (value.links() != nullptr)
    made.links = items<DeviceLink>(*value.links(), [](const file::Link& row) {
      return DeviceLink{row.src(), row.dst(), static_cast<LinkPath>(row.path())};
    });
  made.clock = {value.clock_resolution(), value.clock_uncertainty()};
  return made;
}

std::vector<Event> events(const Vector<const file::Event*>& value) {
  return items<Event>(value, [](const file::Event& row) {
    return Event{row.waited_from(),  row.delayed(),       row.move_begun(), row.move_landed(),
                 row.reduce_begun(), row.reduce_landed(), row.bytes(),      row.lane(),
                 row.fused(),        row.done()};
  });
}

Verdict verdict(Texts& texts, const file::Verdict& value) {
  Verdict made;
  made.outcome = static_cast<Verdict::Outcome>(value.outcome());
  made.elements = value.elements();
  made.ranks_agree = value.ranks_agree();
  made.exact = value.exact();
  made.largest_error = value.largest_error();
  made.largest_error_in_bounds = value.largest_error_in_bounds();
  made.wrapped = value.wrapped();
  made.overflowed = value.overflowed();
  made.underflowed = value.underflowed();
  made.failure = message(texts, value.failure(), "verdict.failure");
  return made;
}

std::optional<WireCost> wire_cost(const file::WireCost* value) {
  if (value == nullptr) return std::nullopt;
  return WireCost{
      value->elements(),       value->largest_error(),     value->largest_relative_error(),
      value->largest_result(), value->inputs_overflowed(), value->results_overflowed()};
}

std::optional<OpaqueRun> opaque(Texts& texts, const file::Opaque* value) {
  if (value == nullptr) return std::nullopt;
  const auto& times = *value->rank_times();
  return OpaqueRun{texts.read(*value->library(), "opaque.library"),
                   {times.data(), times.data() + times.size()}};
}

Trace decode_payload(std::span<const std::byte> payload) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(payload.data());
  flatbuffers::Verifier verifier(data, payload.size());
  if (!file::VerifyTraceBuffer(verifier)) throw Contradiction{"the payload's offsets"};
  const file::Trace& root = *file::GetTrace(data);
  Texts texts(payload.size());
  Trace trace;
  trace.schedule = schedule(texts, *root.schedule());
  trace.run = run(texts, *root.run());
  trace.where = provenance(texts, *root.where());
  trace.events = events(*root.events());
  trace.nanoseconds = root.nanoseconds();
  trace.values = {static_cast<Kept>(root.values()->kept()), bytes(*root.values()->inputs()),
                  bytes(*root.values()->results()), bytes(*root.values()->landed())};
  trace.verdict = verdict(texts, *root.verdict());
  trace.stopped = message(texts, root.stopped(), "stopped");
  trace.wire_cost = wire_cost(root.wire_cost());
  trace.opaque = opaque(texts, root.opaque());
  if (auto place = contradiction(trace, payload.size())) throw Contradiction{std::move(*place)};
  return trace;
}

// Which sentence a file of `size` bytes deserves that begins with `bytes`, before anybody looks
// into the payload.
FileHeader read_header(std::span<const std::byte> bytes, std::uint64_t size,
                       const std::string& name) {
  const auto fail = [&](const char* id) { throw Error({id, {{"file", name}}}); };
  if (bytes.empty()) fail("error.file.empty");
  FileHeader header;
  std::memcpy(&header, bytes.data(), std::min(bytes.size(), sizeof(header)));
  const auto magic_bytes = static_cast<std::ptrdiff_t>(std::min(bytes.size(), file_magic.size()));
  if (!std::equal(file_magic.begin(), file_magic.begin() + magic_bytes, header.magic.begin()))
    fail("error.file.foreign");
  refuse_two_gigabytes(size, name);
  if (size < sizeof(header) || size - sizeof(header) < header.length) fail("error.file.truncated");
  if (size - sizeof(header) > header.length) fail("error.file.corrupted");
  return header;
}

Trace decode_sound(std::span<const std::byte> payload, const std::string& name) {
  try {
    return decode_payload(payload);
  } catch (const Contradiction& found) {
    throw Error({"error.file.contradicts", {{"file", name}, {"place", found.place}}});
  }
}

// Opens what is a file and may be read.
std::ifstream open_file(const std::string& path) {
  const auto fail = [&](const char* id) { throw Error({id, {{"file", path}}}); };
  std::error_code fault;
  const std::filesystem::file_status status = std::filesystem::status(path, fault);
  if (std::filesystem::is_directory(status)) fail("error.file.is_folder");
  if (fault == std::errc::permission_denied) fail("error.file.not_readable");
  if (!std::filesystem::exists(status)) fail("error.file.missing");
  if (!std::filesystem::is_regular_file(status)) fail("error.file.is_device");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("error.file.not_readable");
  return file;
}

// Fills `bytes`, or as much of it as the file still has.
std::span<const std::byte> read_into(std::span<std::byte> bytes, std::ifstream& file) {
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes.first(static_cast<std::size_t>(file.gcount()));
}

}  // namespace

Trace decode_trace(std::span<const std::byte> bytes, const std::string& name) {
  const FileHeader header = read_header(bytes, bytes.size(), name);
  const auto payload = bytes.subspan(sizeof(header));
  // A flipped bit in the version is a fault of the disk, not a newer program: the hash comes first.
  if (file_hash(header, payload) != header.hash)
    throw Error({"error.file.corrupted", {{"file", name}}});
  if (header.version != file_version)
    throw Error({"error.file.version",
                 {{"file", name},
                  {"version", std::to_string(header.version)},
                  {"known", std::to_string(file_version)}}});
  // FlatBuffers reads numbers where they lie: they must lie where numbers may.
  if (reinterpret_cast<std::uintptr_t>(payload.data()) % alignof(std::max_align_t) == 0)
    return decode_sound(payload, name);
  return decode_sound(std::vector<std::byte>(payload.begin(), payload.end()), name);
}

Trace load_trace(const std::string& path) {
  std::ifstream file = open_file(path);
  std::error_code fault;
  const std::uint64_t size = std::filesystem::file_size(path, fault);
  // A film, say, is told from a trace before it is read as a whole.
  std::array<std::byte, sizeof(FileHeader)> head;
  read_header(read_into(head, file), size, path);
  file.seekg(0);
  const auto bytes = std::make_unique_for_overwrite<std::byte[]>(size);
  return decode_trace(read_into({bytes.get(), size}, file), path);
}

}  // namespace ringscope
