#include "exec/observer.h"

#include <algorithm>

#include "simt/abi.h"

namespace warpwise::exec {

namespace {

template <class Interface>
void find(ObserverClient& client, std::vector<Interface*>& list) {
  if (auto* interface = dynamic_cast<Interface*>(&client)) list.push_back(interface);
}
template <class Interface>
void find(ObserverClient& client, Interface*& only) {
  if (auto* interface = dynamic_cast<Interface*>(&client)) only = interface;
}

}  // namespace

void CountObserver::counted_one(const CountedAddress& access) {
  uint64_t addresses[simt::kLanes];
  std::fill_n(addresses, simt::kLanes, access.address);
  counted(CountedLanes{access.run, access.warp, access.mask, access.cell, access.what, addresses,
                       /*one_address=*/true});
}

void Observer::add(std::unique_ptr<ObserverClient> client) {
  find(*client, memory_);
  find(*client, transfers_);
  find(*client, streams_);
  find(*client, launches_);
  find(*client, events_);
  find(*client, faults_);
  find(*client, count_);
  find(*client, time_);
  find(*client, program_);
  clients_.push_back(std::move(client));
}

std::shared_ptr<Observer> Observer::of(std::unique_ptr<ObserverClient> client) {
  auto observer = std::make_shared<Observer>();
  observer->add(std::move(client));
  return observer;
}

uint32_t Observer::watch() const {
  uint32_t bits = 0;
  for (const auto& client : clients_) bits |= client->watch();
  return bits;
}

bool Observer::wants_order() const {
  return std::any_of(clients_.begin(), clients_.end(), [](const auto& client) { return client->wants_order(); });
}

bool Observer::wants_blocks_in_order(const KernelLaunch& launch, const LoadedKernel& kernel) const {
  return std::any_of(clients_.begin(), clients_.end(),
                     [&](const auto& client) { return client->wants_blocks_in_order(launch, kernel); });
}

}  // namespace warpwise::exec
