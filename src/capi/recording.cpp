#include "capi/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "check/report/json.h"
#include "toolchain/files.h"
#include "trace/complete.h"
#include "trace/json.h"
#include "trace/queries.h"
#include "trace/recorder.h"
#include "trace/text.h"
#include "trace/trace_file.h"

namespace warpwise::capi {
namespace {

using Json = nlohmann::json;

// The first party of a finding that is a thread of a kernel.
const Party* party_in(const std::vector<Finding>& findings, const std::string& kernel) {
  for (const Finding& finding : findings)
    for (const Party& party : finding.parties)
      if (party.block && (kernel.empty() || party.kernel == kernel || party.kernel.starts_with(kernel + "(")))
        return &party;
  return nullptr;
}

Result<std::array<uint32_t, 3>> block_of(const Json& asked) {
  const auto is_index = [](const Json& part) {
    return part.is_number_unsigned() && part.get<uint64_t>() <= ~uint32_t{0};
  };
  if (!asked.is_array() || asked.size() != 3 || !std::all_of(asked.begin(), asked.end(), is_index))
    return Error{"V0007", fmt::format("`{}` is no block: give three numbers", dump_json(asked))};
  return asked.get<std::array<uint32_t, 3>>();
}

}  // namespace

Result<RecordingRequest> read_recording_request(const Json& asked) {
  RecordingRequest request;
  cuda::BlockToRecord& block = request.block;
  try {
    request.output = asked.at("output").get<std::string>();
    block.kernel = asked.value("kernel", "");
    block.launch = asked.value("launch", uint64_t{0});
    block.first_step = asked.value("first", uint64_t{0});
    block.steps = std::clamp<uint64_t>(asked.value("steps", trace::kUsualSteps), 1, trace::kMostSteps);
    block.value_lines = asked.value("lines", std::vector<uint32_t>());
  } catch (const Json::exception& error) {
    return Error{"U0030", fmt::format("this is no recording to make: {}", error.what())};
  }
  if (asked.contains("report")) {
    for (auto& reported : TRY(check::report::report_from_json(dump_json(asked["report"]))).findings)
      request.findings.push_back(std::move(reported.finding));
    request.checked = true;
  }
  const Party* party = party_in(request.findings, block.kernel);
  if (asked.contains("block")) {
    block.block = TRY(block_of(asked["block"]));
    request.choice = trace::Choice::Asked;
  } else if (party) {
    block.kernel = party->kernel;
    block.block = {party->block->x, party->block->y, party->block->z};
    request.choice = trace::Choice::Finding;
  }
  return request;
}

Result<RecordingText> finish_recording(const RecordingRequest& request, const std::string& steps,
                                       const exec::Options& options, const std::string& program) {
  trace::Completion c;
  c.program = program, c.command = "ww.trace", c.tool = WARPWISE_VERSION, c.device = options.device;
  c.schedule = options.schedule.shuffle ? fmt::format("shuffle:{}", options.schedule.seed) : "in-order";
  c.choice = request.choice, c.launch = request.block.launch;
  c.checked = request.checked, c.findings = request.findings;
  c.read_source = [](const std::string& file) -> std::optional<std::string> {
    auto text = toolchain::read_file(file);
    return text ? std::optional(std::move(*text)) : std::nullopt;
  };
  TRY(trace::complete(steps, request.output, c));
  const auto file = TRY(trace::TraceFile::open(request.output));
  trace::Queries ask(*file);
  const trace::Summary summary = TRY(ask.summary());
  return RecordingText{
      trace::to_text(summary, TRY(ask.overview(0)), TRY(ask.lines()), TRY(file->sources())),
      trace::to_json(summary, ""),
  };
}

}  // namespace warpwise::capi
