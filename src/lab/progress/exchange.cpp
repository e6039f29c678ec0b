// Progress as one JSON text, to move or to store: export and import.
#include <fmt/format.h>

#include "base/json.h"
#include "lab/progress/progress.h"

namespace warpwise::lab {
namespace {

using database::Statement;
using Json = nlohmann::json;

constexpr int kExchangeFormat = 1;

}  // namespace

Result<std::string> Progress::export_json() const {
  Json out = {{"warpwise_lab", kExchangeFormat},
              {"attempts", Json::array()},
              {"looks", Json::array()},
              {"answers", Json::array()}};
  for (const Attempt& a : TRY(attempts("", 0, true))) {
    out["attempts"].push_back({{"uid", a.uid},
                               {"at", a.at},
                               {"problem", a.problem},
                               {"verdict", a.verdict},
                               {"samples_only", a.samples_only},
                               {"seed", a.seed},
                               {"seconds", a.seconds},
                               {"file", a.file},
                               {"source", a.source},
                               {"judgement", a.judgement}});
    if (a.modelled_seconds)
      out["attempts"].back()["modelled_seconds"] = *a.modelled_seconds, out["attempts"].back()["device"] = a.device;
  }
  // Oldest first, as they are imported again.
  std::reverse(out["attempts"].begin(), out["attempts"].end());
  Statement looks = TRY(database_.prepare("SELECT problem, number, at FROM looks"));
  while (TRY(looks.step())) out["looks"].push_back({looks.text(0), looks.number(1), looks.text(2)});
  Statement answers = TRY(database_.prepare("SELECT chapter, question, correct, at FROM answers"));
  while (TRY(answers.step()))
    out["answers"].push_back({answers.text(0), answers.number(1), answers.number(2), answers.text(3)});
  return dump_json(out, 1) + "\n";
}

Result<unsigned> Progress::import_json(std::string_view text) {
  unsigned fresh = 0;
  try {
    const Json in = parse_json<Json>(text);
    if (in.at("warpwise_lab").get<int>() != kExchangeFormat)
      return Error{"L0103", "this is progress of another version of Warpwise"};
    for (const Json& a : in.at("attempts")) {
      Attempt attempt;
      attempt.uid = a.at("uid").get<std::string>(), attempt.at = a.at("at").get<std::string>(),
      attempt.problem = a.at("problem").get<std::string>();
      attempt.verdict = a.at("verdict").get<std::string>(), attempt.samples_only = a.at("samples_only").get<bool>(),
      attempt.seed = a.at("seed").get<uint64_t>();
      attempt.seconds = a.at("seconds").get<double>(), attempt.file = a.at("file").get<std::string>(),
      attempt.source = a.at("source").get<std::string>();
      attempt.judgement = a.at("judgement").get<std::string>();
      if (a.contains("modelled_seconds"))
        attempt.modelled_seconds = a["modelled_seconds"].get<double>(),
        attempt.device = a.at("device").get<std::string>();
      fresh += TRY(add(std::move(attempt))) != 0;
    }
    for (const Json& look : in.at("looks")) {
      Statement row = TRY(database_.prepare("INSERT OR IGNORE INTO looks(problem, number, at) VALUES (?, ?, ?)"));
      TRY(row.bind(look.at(0).get<std::string>())
              .bind(look.at(1).get<int64_t>())
              .bind(look.at(2).get<std::string>())
              .run());
    }
    for (const Json& answer : in.at("answers")) {
      Statement row =
          TRY(database_.prepare("INSERT OR IGNORE INTO answers(chapter, question, correct, at) VALUES (?, ?, ?, ?)"));
      TRY(row.bind(answer.at(0).get<std::string>())
              .bind(answer.at(1).get<int64_t>())
              .bind(answer.at(2).get<int64_t>())
              .bind(answer.at(3).get<std::string>())
              .run());
    }
  } catch (const Json::exception& e) {
    return Error{"L0103", fmt::format("this is not progress that `warpwise lab export` wrote: {}", e.what())};
  }
  return fresh;
}

}  // namespace warpwise::lab
