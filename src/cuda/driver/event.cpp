// Events: the runtime's, under the driver's names.
#include "cuda/driver/call.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return forward("cuEventCreate", [&] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventDestroy_v2(CUevent event) {
  return forward("cuEventDestroy", [&] { return cudaEventDestroy(event); });
}
CUresult cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return forward("cuEventRecord", [&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return forward("cuEventRecordWithFlags", [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}
CUresult cuEventQuery(CUevent event) {
  return call("cuEventQuery", Needs::Device, [&] { return cudaEventQuery(event); });
}
CUresult cuEventSynchronize(CUevent event) {
  return forward("cuEventSynchronize", [&] { return cudaEventSynchronize(event); });
}
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return forward("cuEventElapsedTime", [&] { return cudaEventElapsedTime(milliseconds, start, end); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}
