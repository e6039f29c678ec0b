#include "perf/counters/json.h"

#include "base/json.h"

namespace warpwise::perf {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kFormat = 1;

Json metrics_of(const Counts& counts, bool zeros) {
  Json json = Json::object();
  for (unsigned c = 0; c < kCounters; ++c)
    if (zeros || counts.value[c] != 0) json[std::string(info_of(Counter(c)).name) + ".sum"] = counts.value[c];
  return json;
}

// Quotients that Nsight Compute shows beside the counters; left out where there is nothing to divide by.
void add_ratios(Json& json, const Counts& counts) {
  auto ratio_of = [&](const char* name, Counter above, Counter below) {
    if (counts[below] != 0) json[name] = ratio(counts, above, below);
  };
  ratio_of("smsp__thread_inst_executed_per_inst_executed.ratio", Counter::ThreadInstructions, Counter::Instructions);
  ratio_of("smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", Counter::ThreadInstructionsOn,
           Counter::Instructions);
  ratio_of("smsp__sass_average_branch_targets_threads_uniform.ratio", Counter::UniformBranches, Counter::Branches);
  ratio_of("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", Counter::GlobalLoadSectors,
           Counter::GlobalLoadRequests);
  ratio_of("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", Counter::GlobalStoreSectors,
           Counter::GlobalStoreRequests);
  ratio_of("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", Counter::GlobalLoadBytes,
           Counter::GlobalLoadSectors);
  ratio_of("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", Counter::GlobalStoreBytes,
           Counter::GlobalStoreSectors);
  ratio_of("l1tex__t_sector_op_read_hit_rate.ratio", Counter::L1ReadHits, Counter::L1ReadSectors);
  ratio_of("lts__t_sector_op_read_hit_rate.ratio", Counter::L2ReadHits, Counter::L2AllReadSectors);
}

Json size_of(const device::Dim3& d) { return Json::array({d.x, d.y, d.z}); }

Json line_to_json(const LineCounts& line) {
  Json frames = Json::array();
  for (const SourceFrame& f : line.frames)
    frames.push_back({{"file", f.file}, {"line", f.line}, {"column", f.column}, {"function", f.function}});
  return {{"frames", frames}, {"metrics", metrics_of(line.counts, false)}};
}

Json launch_to_json(const LaunchCounts& l) {
  Json json;
  json["index"] = l.index;
  json["kernel"] = l.kernel;
  json["symbol"] = l.symbol;
  json["launch__grid_size"] = size_of(l.grid);
  json["launch__block_size"] = size_of(l.block);
  json["launch__cluster_size"] = size_of(l.cluster);
  json["launch__registers_per_thread"] = l.registers;
  json["registers_from"] = l.register_source == RegisterSource::Ptxas ? "ptxas" : "estimate";
  json["launch__shared_mem_per_block_static"] = l.static_shared_bytes;
  json["launch__shared_mem_per_block_dynamic"] = l.dynamic_shared_bytes;
  json["local_bytes_per_thread"] = l.local_bytes;
  json["barriers"] = l.barriers_used;
  json["failed"] = l.failed;
  json["blocks"] = l.blocks;
  json["counted_blocks"] = l.counted_blocks;
  json["metrics"] = metrics_of(l.totals, true);
  add_ratios(json["metrics"], l.totals);
  Json errors = Json::object();
  for (unsigned c = 0; c < kCounters; ++c)
    if (l.error[c] != 0) errors[std::string(info_of(Counter(c)).name) + ".sum"] = l.error[c];
  json["relative_error_95"] = errors;
  Json lines = Json::array();
  for (const LineCounts& line : l.lines) lines.push_back(line_to_json(line));
  json["lines"] = lines;
  json["notes"] = l.notes;
  return json;
}

}  // namespace

std::string metrics_to_json(const Counts& counts) { return dump_json(metrics_of(counts, /*zeros=*/false)); }

std::string counters_to_json(const Profile& profile) {
  Json json;
  json["format"] = kFormat;
  json["program"] = profile.program;
  json["device"] = profile.device;
  json["complete"] = profile.complete;
  json["not_counted"] = profile.not_counted;
  Json launches = Json::array();
  for (const LaunchCounts& launch : profile.launches) launches.push_back(launch_to_json(launch));
  json["launches"] = launches;
  return dump_json(json, 2) + "\n";
}

}  // namespace warpwise::perf
