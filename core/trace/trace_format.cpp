#include "core/trace/trace_format.h"

#include <xxhash.h>

#include <memory>

#include "core/error.h"

namespace ringscope {

std::uint64_t file_hash(const FileHeader& header, std::span<const std::byte> payload) {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_64bits_reset(state.get());
  XXH3_64bits_update(state.get(), &header, offsetof(FileHeader, hash));
  XXH3_64bits_update(state.get(), payload.data(), payload.size());
  return XXH3_64bits_digest(state.get());
}

std::uint64_t file_bytes_at_most(const Trace& trace) {
  constexpr std::uint64_t tables = 1024;  // all that is there once
  constexpr std::uint64_t a_text = 16;    // its offset, length, end and padding
  constexpr std::uint64_t a_row = 64;     // a small table or struct in a list
  const auto message = [&](const std::optional<Message>& value) {
    std::uint64_t bytes = a_row;
    if (!value) return bytes;
    bytes += a_text + value->id.size();
    for (const auto& [name, argument] : value->arguments)
      bytes += a_row + 2 * a_text + name.size() + argument.size();
    return bytes;
  };
  const Schedule& schedule = trace.schedule;
  const Trouble& trouble = trace.run.trouble;
  std::uint64_t bytes = tables + sizeof(FileHeader);
  bytes += 28 * schedule.transfers.size() + sizeof(Event) * trace.events.size();
  bytes += 4 * (schedule.order.size() + schedule.initial.size() + schedule.goal.size());
  bytes += trace.values.inputs.size() + trace.values.results.size() + trace.values.landed.size();
  bytes += a_row * (trouble.late.size() + trouble.delays.size() + trouble.deaths.size());
  bytes += a_row + 12 * trace.where.links.size();
  for (const Phase& phase : schedule.phases) bytes += a_row + a_text + phase.id.size();
  for (const std::string& device : trace.where.devices) bytes += a_text + device.size();
  const Provenance& where = trace.where;
  for (const std::string* const text :
       {&schedule.algorithm, &trace.run.engine, &trace.run.input_file, &where.program_version,
        &where.host, &where.processor, &where.system, &where.compiler})
    bytes += a_text + text->size();
  if (trace.opaque)
    bytes += a_row + a_text + trace.opaque->library.size() + 8 * trace.opaque->rank_times.size();
  return bytes + message(trace.verdict.failure) + message(trace.stopped);
}

void refuse_two_gigabytes(std::uint64_t bytes, const std::string& name) {
  if (bytes > most_file_bytes) throw Error({"error.file.too_large", {{"file", name}}});
}

}  // namespace ringscope
