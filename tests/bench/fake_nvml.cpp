// A management library that is ours: no GPU is needed. FAKE_NVML says what it reports:
//
//     quiet       nothing uses the GPU
//     busy        something else keeps it busy
//     company     another process comes after some rounds
//     hot         heat holds the clock back after some rounds
//     limited     the power limit does
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

std::string_view story() {
  const char* named = std::getenv("FAKE_NVML");
  return named ? named : "quiet";
}

// Samples so far: one call for each.
unsigned samples = 0;
constexpr unsigned kSomeRounds = 4;

int device_there;

}  // namespace

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  std::strncpy(text, "580.0", bytes);
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
  *device = &device_there;
  return 0;
}
int nvmlDeviceGetClockInfo(void*, unsigned which, unsigned* mhz) {
  if (which == 1) ++samples;
  *mhz = which == 1 ? 1980 - samples : 2619;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* bits) {
  const bool now = samples > kSomeRounds;
  *bits = story() == "hot" && now ? 0x20 : story() == "limited" ? 0x4 : 0;
  return 0;
}
struct ProcessInfo {
  unsigned process;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, ProcessInfo* processes) {
  *count = 1;
  processes[0].process = 4000;
  if (story() == "company" && samples > kSomeRounds) processes[(*count)++].process = 4711;
  return 0;
}
int nvmlDeviceGetUtilizationRates(void*, unsigned* rates) {
  rates[0] = story() == "busy" ? 87 : 0;
  rates[1] = 0;
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 123000;
  return 0;
}
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* celsius) {
  *celsius = 61;
  return 0;
}
}
