// Groups from the tile to the grid.
// has: barrier.cluster
// has: atom.global.add.u32
// lacks: call.uni
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__device__ int sum(cg::thread_group g, int v){ g.sync(); return g.thread_rank()+g.size()+v; }
__global__ void k(int*x,double*d){ auto b=cg::this_thread_block(); auto t=cg::tiled_partition<32>(b); auto t4=cg::tiled_partition<4>(t); cg::thread_block_tile<16> t16=cg::tiled_partition<16>(b);
 x[0]=cg::reduce(t,x[t.thread_rank()],cg::plus<int>()); d[0]=cg::reduce(t16,d[1],cg::greater<double>()); x[1]=t4.shfl_down(x[2],1)+t.ballot(x[3])+t.any(1); if (x[5]) { auto c=cg::coalesced_threads(); x[6]=c.size()+cg::reduce(c,x[7],cg::plus<int>())+c.shfl(x[8],2); }
 x[20] = cg::inclusive_scan(t, x[21]) + cg::exclusive_scan(t4, x[22], cg::greater<int>());
 cg::sync(b); x[9]=sum(b,1)+sum(t4,2)+sum(cg::tiled_partition(b,8),3); auto g=cg::this_grid(); g.sync(); x[10]=g.thread_rank()+g.size(); b.sync(); cg::this_cluster().sync(); }
