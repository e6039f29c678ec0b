#include "lab/judge/admission.h"

#include <fmt/format.h>

#include <utility>

#include "lab/judge/submission.h"
#include "toolchain/source_check.h"

namespace warpwise::lab {
namespace {

Refused refuse(Verdict verdict, std::string message, std::string next = "") {
  Refused refused{.verdict = verdict, .refusal = {}};
  refused.refusal.message = std::move(message);
  refused.refusal.next = std::move(next);
  return refused;
}

// A binary, an empty file, a letter: a compiler answers with pages that do not say so.
std::optional<Refused> refuse_no_source(const Problem& problem, const std::string& name, const std::string& text) {
  std::string what;
  if (auto source = toolchain::check_text(name, text); !source)
    what = source.error().message;
  else if (text.size() <= kMostSourceBytes && without_comments(text).find_first_of("{#;") == text.npos)
    what = fmt::format("`{}` is not CUDA C++: it has no statement and no function", name);
  if (what.empty()) return std::nullopt;
  return refuse(Verdict::DoesNotCompile, std::move(what),
                fmt::format("is it the file that you mean? It should have `{}`", problem.signature()));
}

}  // namespace

Refused refusal_of_file(const std::string& what, bool own_headers) {
  return refuse(Verdict::Forbidden,
                fmt::format("{}: a submission may read headers of CUDA and C++{}, and no other file", what,
                            own_headers ? " and those beside it" : ""),
                what.find("/dev/") != what.npos ? "a device is no header: leave this #include out"
                                                : "paste what the file needs from there into the file itself");
}

Admission admit(const Problem& problem, const std::filesystem::path& source, const std::string& text,
                bool own_headers) {
  Admission out;
  out.refused = refuse_no_source(problem, source.filename().string(), text);
  if (out.refused) return out;
  if (text.size() > kMostSourceBytes) {
    out.refused = refuse(
        Verdict::Forbidden, fmt::format("the source is larger than {} MiB", kMostSourceBytes >> 20),
        "a solution takes a few kilobytes: leave out tables of numbers, and compute what the code needs of them");
    return out;
  }
  const SubmissionFiles files = files_of(source, text, own_headers);
  if (files.refused_neighbour) {
    out.refused = refuse(
        Verdict::Forbidden,
        fmt::format("{}: the folder is not of one person alone, so a header in it does not count as the file's own",
                    files.refused),
        "give each person a folder (ada/map.cu, ada/tiles.cuh) or an archive; or paste the header into the file");
    return out;
  }
  if (!files.refused.empty()) {
    out.refused = refusal_of_file(files.refused, own_headers);
    return out;
  }
  auto what = find_forbidden(problem, text);
  out.sources = {std::filesystem::absolute(source).lexically_normal().string()};
  for (const OwnHeader& header : files.headers) {
    out.headers.push_back(header.path.lexically_normal().string());
    out.sources.push_back(out.headers.back());
    if (!what) what = find_forbidden(problem, header.text);
  }
  if (what) out.refused = refuse(Verdict::Forbidden, std::move(*what));
  return out;
}

}  // namespace warpwise::lab
