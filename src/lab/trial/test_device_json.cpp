// Results of trials on their way from the judging child: one line of JSON each.

#include "base/json.h"
#include "check/records/finding_json.h"
#include "lab/trial/test_device.h"

namespace warpwise::lab {
namespace {

using Json = nlohmann::json;

Json to_json(const WriteSite& site) {
  Json frames = Json::array();
  for (const SourcePlace& f : site.code.frames) frames.push_back({f.file, f.line, f.column, f.function});
  return {{"frames", frames}, {"grid", site.grid}, {"block", site.block}};
}

WriteSite site_from(const Json& json) {
  WriteSite site;
  for (const Json& f : json.at("frames"))
    site.code.frames.push_back(
        {f.at(0).get<std::string>(), f.at(1).get<uint32_t>(), f.at(2).get<uint32_t>(), f.at(3).get<std::string>()});
  json.at("grid").get_to(site.grid);
  json.at("block").get_to(site.block);
  return site;
}

}  // namespace

std::string to_json(const TrialResult& r) {
  Json out = {{"ran", r.ran},
              {"failure", unsigned(r.failure)},
              {"detail", r.detail},
              {"next", r.next},
              {"code", r.code},
              {"bad_entry", r.bad_entry},
              {"note", r.note},
              {"forbidden", r.forbidden},
              {"printed", r.printed},
              {"not_checked", r.not_checked},
              {"value", r.measured.value},
              {"block", r.measured.block},
              {"thread", r.measured.thread},
              {"seconds", r.seconds},
              {"profile", r.profile},
              {"findings", Json::array()},
              {"sites", Json::array()}};
  if (r.double_store) {
    const DoubleStore& d = *r.double_store;
    out["double_store"] = {d.array,      d.index,        d.first.block,   d.first.thread,
                           d.first.site, d.second.block, d.second.thread, d.second.site};
  }
  if (r.at) out["at"] = {r.at->file, r.at->line};
  for (const Finding& finding : r.findings) out["findings"].push_back(check::finding_to_json(finding));
  for (const WriteSite& site : r.sites) out["sites"].push_back(to_json(site));
  return dump_json(out);
}

Result<TrialResult> trial_result_from_json(std::string_view text) {
  try {
    const Json in = parse_json<Json>(text);
    TrialResult r;
    r.ran = in.at("ran").get<bool>();
    const auto failure = in.at("failure").get<unsigned>();
    if (failure > unsigned(device::Failure::LaunchTimeout))
      return Error{"L0009", "a result of the judging child cannot be read: no such failure"};
    r.failure = device::Failure(failure);
    r.detail = in.at("detail").get<std::string>();
    r.next = in.at("next").get<std::string>();
    r.code = in.at("code").get<std::string>();
    if (in.contains("double_store")) {
      const Json& d = in.at("double_store");
      auto writer = [&](size_t i) {
        return Writer{d.at(i).get<uint32_t>(), d.at(i + 1).get<uint16_t>(), d.at(i + 2).get<uint16_t>()};
      };
      r.double_store = DoubleStore{d.at(0).get<size_t>(), d.at(1).get<uint64_t>(), writer(2), writer(5)};
    }
    if (in.contains("at"))
      r.at = SourcePlace{.file = in.at("at").at(0).get<std::string>(), .line = in.at("at").at(1).get<uint32_t>()};
    r.bad_entry = in.at("bad_entry").get<bool>();
    r.forbidden = in.at("forbidden").get<std::string>();
    r.note = in.at("note").get<std::string>();
    r.printed = in.at("printed").get<std::string>();
    r.not_checked = in.at("not_checked").get<std::vector<std::string>>();
    in.at("value").get_to(r.measured.value);
    in.at("block").get_to(r.measured.block);
    in.at("thread").get_to(r.measured.thread);
    r.seconds = in.at("seconds").get<double>();
    r.profile = in.at("profile").get<std::string>();
    for (const Json& finding : in.at("findings"))
      r.findings.push_back(TRY(check::finding_from_json(finding.get<std::string>())));
    for (const Json& site : in.at("sites")) r.sites.push_back(site_from(site));
    return r;
  } catch (const Json::exception& e) {
    return Error{"L0009", std::string("a result of the judging child cannot be read: ") + e.what()};
  }
}

}  // namespace warpwise::lab
