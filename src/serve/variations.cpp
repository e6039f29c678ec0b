#include "serve/variations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "device/properties.h"

namespace warpwise::serve {

namespace {

constexpr std::string_view kOrder = "order:", kOnDevice = "device:";

bool is_number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

bool are_numbers(std::string_view text, size_t most) {
  size_t count = 1;
  for (size_t comma = 0; (comma = text.find(',')) != text.npos; text.remove_prefix(comma + 1), ++count)
    if (!is_number(text.substr(0, comma))) return false;
  return count <= most && is_number(text);
}

// A device of the table: a file of the user's own is nothing that a request may name.
bool is_device(std::string_view id) {
  const bool plain =
      std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
  return plain && device::find_device(id) != nullptr;
}

std::string_view parameter(const Parameters& parameters, std::string_view name) {
  const auto at = parameters.find(name);
  return at == parameters.end() ? std::string_view() : std::string_view(at->second);
}

}  // namespace

std::optional<Variation> variation_of(std::string_view name) {
  const bool order = name.starts_with(kOrder);
  if (!order && !name.starts_with(kOnDevice)) return std::nullopt;
  name.remove_prefix(order ? kOrder.size() : kOnDevice.size());
  const size_t colon = name.find(':');
  if (colon == name.npos) return std::nullopt;
  const std::string_view value = name.substr(0, colon), source = name.substr(colon + 1);
  if (order ? !is_number(value) : !is_device(value)) return std::nullopt;
  return Variation{std::string(source), fmt::format("--{}{}", order ? "schedule=shuffle:" : "device=", value)};
}

bool is_variation(std::string_view name) { return variation_of(name).has_value(); }

Result<SameBlock> same_block(const Parameters& parameters) {
  constexpr size_t kMostLines = 16;
  const std::string_view launch = parameter(parameters, "launch"), block = parameter(parameters, "block"),
                         values = parameter(parameters, "values");
  if (!is_number(launch) || !are_numbers(block, 3) || (!values.empty() && !are_numbers(values, kMostLines)))
    return Error{"W0005", "the request does not say which block: launch=N, block=X,Y,Z, values=LINES"};
  SameBlock same{.launch = 0, .block = std::string(block), .values = std::string(values)};
  std::from_chars(launch.data(), launch.data() + launch.size(), same.launch);
  return same;
}

std::vector<std::string> words_of(const Variation& variation, const SameBlock& same,
                                  const std::vector<std::string>& words) {
  constexpr std::string_view kChoosing[] = {"--kernel", "--launch", "--block", "--values", "--no-check"};
  const std::string_view varied = std::string_view(variation.option).substr(0, variation.option.find('='));
  std::vector<std::string> out{variation.option, "--no-check", fmt::format("--launch={}", same.launch),
                               "--block=" + same.block};
  if (!same.values.empty()) out.push_back("--values=" + same.values);
  bool behind = false;  // behind "--" are words for the program
  for (size_t n = 0; n < words.size(); ++n) {
    behind = behind || words[n] == "--";
    const std::string_view option = std::string_view(words[n]).substr(0, words[n].find('='));
    const bool left_out = !behind && (option == varied || std::find(std::begin(kChoosing), std::end(kChoosing),
                                                                    option) != std::end(kChoosing));
    if (!left_out) out.push_back(words[n]);
    // "--kernel NAME": its value goes with it.
    if (left_out && option == words[n] && option != "--no-check") ++n;
  }
  return out;
}

}  // namespace warpwise::serve
