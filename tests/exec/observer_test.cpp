// An observer hands each report to the clients that have the interface for it, and to no other.
#include "exec/observer.h"

#include <gtest/gtest.h>

#include <string>

#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"

namespace warpwise::exec {
namespace {

class Faults : public ObserverClient, public FaultObserver {
 public:
  explicit Faults(std::string& log) : log_(log) {}
  uint32_t watch() const override { return 1; }
  void faulted(const KernelLaunch&, const KernelFault&) override { log_ += "faulted "; }

 private:
  std::string& log_;
};

class Transfers : public ObserverClient, public MemoryObserver, public TransferObserver {
 public:
  explicit Transfers(std::string& log) : log_(log) {}
  uint32_t watch() const override { return 4; }
  bool wants_order() const override { return true; }
  void program_ends() override { log_ += "ends "; }
  void freed(const Region&) override { log_ += "freed "; }
  void written(device::Address, size_t bytes) override { log_ += "written" + std::to_string(bytes) + " "; }
  void host_reads(device::Address, size_t) override { log_ += "host_reads "; }
  void copies(device::Address, device::Address, size_t) override { log_ += "copies "; }

 private:
  std::string& log_;
};

class Program : public ObserverClient, public ProgramObserver {
 public:
  void called(const HostSpan&) override {}
  void named(const HostSpan&) override {}
};

TEST(Observer, reports_reach_the_clients_that_have_their_interface) {
  std::string first, second;
  Observer observer;
  observer.add(std::make_unique<Faults>(first));
  observer.add(std::make_unique<Transfers>(second));
  observer.faulted({}, {});
  observer.allocated({});  // Transfers could take it and does not
  observer.freed({});
  observer.written(16, 4);
  observer.copies(16, 32, 4);
  observer.program_ends();
  EXPECT_EQ(first, "faulted ");
  EXPECT_EQ(second, "freed written4 copies ends ");
}

TEST(Observer, clients_of_one_interface_all_hear) {
  std::string first, second;
  Observer observer;
  observer.add(std::make_unique<Faults>(first));
  observer.add(std::make_unique<Faults>(second));
  observer.faulted({}, {});
  EXPECT_EQ(first + second, "faulted faulted ");
}

TEST(Observer, needs_what_any_of_its_clients_needs) {
  std::string log;
  Observer observer;
  EXPECT_TRUE(observer.empty());
  EXPECT_EQ(observer.watch(), 0u);
  observer.add(std::make_unique<Faults>(log));
  EXPECT_FALSE(observer.empty());
  EXPECT_FALSE(observer.wants_order());
  observer.add(std::make_unique<Transfers>(log));
  EXPECT_EQ(observer.watch(), 5u);
  EXPECT_TRUE(observer.wants_order());
  EXPECT_EQ(observer.counting(), simt::Counting::None);
}

TEST(Observer, has_a_model_of_time_and_a_record_only_where_a_client_is_one) {
  Observer observer;
  EXPECT_EQ(observer.time(), nullptr);
  EXPECT_EQ(observer.program(), nullptr);
  auto client = std::make_unique<Program>();
  ProgramObserver* program = client.get();
  observer.add(std::move(client));
  EXPECT_EQ(observer.time(), nullptr);
  EXPECT_EQ(observer.program(), program);
}

}  // namespace
}  // namespace warpwise::exec
