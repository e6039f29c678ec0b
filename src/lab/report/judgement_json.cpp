#include <cmath>

#include "base/json.h"
#include "check/records/finding_json.h"
#include "lab/report/judgement_text.h"

namespace warpwise::lab {
namespace {

using Json = nlohmann::json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

Json to_json(const Index3& i) { return {i.x, i.y, i.z}; }

Json to_json(const WroteIt& who) {
  Json out = {{"block", to_json(who.block)}, {"thread", to_json(who.thread)}};
  if (!who.code.frames.empty()) out["file"] = who.code.frames[0].file, out["line"] = who.code.frames[0].line;
  return out;
}

Json to_json(const BudgetLine& b) {
  return {{"counter", name_of(b.counter)},
          {b.least ? "at_least" : "allowed", b.limit},
          {"used", b.used},
          {"kept", b.kept()}};
}

Json to_json(const WrongReport& w) {
  Json out = {{"array", w.array},         {"index", w.index},
              {"count", w.count},         {"got", number(w.element.got)},
              {"wrong", w.element.wrong}, {"unwritten", w.element.unwritten}};
  if (w.element.expected) out["expected"] = number(*w.element.expected);
  if (w.element.allowed > 0) out["allowed"] = number(w.element.allowed);
  if (!w.element.why.empty()) out["why"] = w.element.why;
  if (w.writer) out["written_by"] = to_json(*w.writer);
  return out;
}

Json to_json(const Refusal& r) {
  Json out = {{"case", r.case_name}, {"shape", r.shape}, {"shrunk", r.shrunk}};
  if (!r.message.empty()) out["message"] = r.message;
  if (!r.code.empty()) out["code"] = r.code;
  if (r.at) out["file"] = r.at->file, out["line"] = r.at->line;
  if (r.wrong) out["wrong"] = to_json(*r.wrong);
  if (r.twice)
    out["stored_twice"] = {{"array", r.twice->array},
                           {"index", r.twice->index},
                           {"first", to_json(r.twice->first)},
                           {"second", to_json(r.twice->second)}};
  if (!r.notes.empty()) out["notes"] = r.notes;
  if (r.greatest) out["by"] = to_json(*r.greatest);
  for (const BudgetLine& b : r.budget) out["budget"].push_back(to_json(b));
  for (const Finding& f : r.findings) out["findings"].push_back(parse_json<Json>(check::finding_to_json(f)));
  return out;
}

Json to_json(const Performance& p) {
  Json out = {{"device", p.device_id},          {"case", p.case_name},    {"shape", p.shape},
              {"modelled_seconds", p.seconds},  {"low", p.low},           {"high", p.high},
              {"copy_seconds", p.copy_seconds}, {"launches", p.launches}, {"limiter", p.limiter}};
  if (p.of_roofline) out["roofline"] = {{"share", *p.of_roofline}, {"roof", p.roof}};
  if (p.advice) {
    out["advice"] = {{"key", p.advice->key},
                     {"title", p.advice->title},
                     {"evidence", p.advice->evidence},
                     {"remedy", p.advice->remedy},
                     {"gain", p.advice->gain}};
    if (!p.advice->file.empty()) out["advice"]["file"] = p.advice->file, out["advice"]["line"] = p.advice->line;
  }
  for (const LadderStep& step : p.ladder)
    out["ladder"].push_back({{"solution", step.file}, {"about", step.about}, {"modelled_seconds", step.seconds}});
  if (!p.ladder.empty()) out["place"] = place_in(p.ladder, p.seconds), out["of"] = p.ladder.size() + 1;
  if (p.best_before)
    out["best_before"] = {{"attempt", p.best_before->id}, {"modelled_seconds", p.best_before->seconds}};
  return out;
}

Json to_json(const Fact& fact) {
  Json out = {{"label", fact.label}, {"text", fact.text}};
  if (fact.at.line != 0)
    out["file"] = std::filesystem::path(fact.at.file).filename().string(), out["line"] = fact.at.line,
    out["column"] = fact.at.column;
  return out;
}

}  // namespace

std::string to_json(const Judgement& j, const std::vector<Fact>& facts) {
  Json out = {{"problem", j.problem},  {"verdict", name_of(j.verdict)}, {"accepted", j.accepted()},
              {"seed", j.seed},        {"seconds", j.seconds},          {"compile_seconds", j.compile_seconds},
              {"cases", Json::array()}};
  for (const CaseReport& c : j.cases) {
    Json one = {{"name", c.name}, {"passed", c.passed}, {"shape", c.shape}, {"seconds", c.seconds}};
    for (const BudgetLine& b : c.budget) one["budget"].push_back(to_json(b));
    out["cases"].push_back(std::move(one));
  }
  if (j.performance) out["performance"] = to_json(*j.performance);
  if (j.refusal) out["refusal"] = to_json(*j.refusal);
  if (const std::string next = next_step(j); !next.empty()) out["refusal"]["next"] = next;
  if (!j.printed.empty()) out["printed"] = j.printed;
  if (!j.compiler_messages.empty()) out["compiler_messages"] = j.compiler_messages;
  if (!j.warnings.empty()) out["warnings"] = j.warnings;
  if (!j.not_checked.empty()) out["not_checked"] = j.not_checked;
  for (const Fact& fact : facts) out["facts"].push_back(to_json(fact));
  return dump_json(out, 2);
}

}  // namespace warpwise::lab
