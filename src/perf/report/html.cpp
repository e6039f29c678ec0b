#include "perf/report/html.h"
namespace warpwise::perf {
std::string to_html(const Analysis&) { return ""; }
}
