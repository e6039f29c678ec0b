// The names of what recordings are made of, for people and for JSON.
#include "trace/overview.h"
#include "trace/recording.h"
#include "trace/step.h"

namespace warpwise::trace {

std::string_view name_of(SiteKind kind) {
  static constexpr std::string_view kNames[] = {
#define SITE_KIND(id, name, meaning) name,
#include "trace/site_kinds.inc"
#undef SITE_KIND
  };
  return kNames[size_t(kind)];
}

std::string_view name_of(Space space) {
  static constexpr std::string_view kNames[] = {"global", "shared", "local", "const"};
  return kNames[size_t(space)];
}

std::string_view name_of(Choice choice) {
  static constexpr std::string_view kNames[] = {"asked", "finding", "costliest-line", "first"};
  return kNames[size_t(choice)];
}

std::string_view name_of(OverviewField field) {
  static constexpr std::string_view kNames[] = {
#define OVERVIEW_FIELD(id, name, meaning) name,
#include "trace/overview_fields.inc"
#undef OVERVIEW_FIELD
  };
  return kNames[size_t(field)];
}

}  // namespace warpwise::trace
