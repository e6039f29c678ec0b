// Both 16-bit types: arithmetic, comparisons, conversions, mathematics, atomics, shuffles.
// has: fma.rn.f16x2
// has: fma.rn.bf16
// has: atom.add.noftz.f16
// has: cvt.rn.bf16.f32
// has: cvt.rn.bf16x2.f32
// lacks: call.uni
#include <cuda_fp16.h>
#include <cuda_bf16.h>
template<class T,class T2> __device__ void body(T* x, T2* y, float* f, int i) {
  T a = x[i], b = x[i+1]; a = a*b + x[2]; a += b; if (a < b && a != x[3]) a = -a; x[0] = hexp(a); x[1]=__hfma(a,b,x[5]); y[0]=__hfma2(y[1],y[2],y[3])+y[4]; f[0]=(float)a; x[3]=(T)f[3]; x[4]=__shfl_xor_sync(~0u,a,1); atomicAdd(x,b); atomicAdd(y,y[9]); f[4]=__low2float(y[2]); x[5]=__ldg(&x[9]); x[6]=1; x[7]=0.5f; x[8]=2.0; x[9]=T(i); x[10]=__hmax(a,b); x[11]=hsqrt(a)/b; y[5]=h2exp(y[6]);y[7]=__hmul2(y[1],y[2]); }
__global__ void kh(__half*x,__half2*y,float*f,int i){ body(x,y,f,i); int4 v=*(int4*)x; half2 h=*reinterpret_cast<half2*>(&v.x); f[8]=__half22float2(h).x; f[9]=__half2float(x[3]); x[40]=__float2half(f[3]); x[41]=__int2half_rn(i); f[44]=__half2int_rz(x[33]); }
__global__ void kb(__nv_bfloat16*x,nv_bfloat162*y,float*f,int i){ body(x,y,f,i); f[9]=__bfloat162float(x[3]); x[40]=__float2bfloat16(f[3]); y[20]=__floats2bfloat162_rn(f[5],f[6]);}
int main(){ __half h=__float2half(3.0f); float f=__half2float(h*h); __nv_bfloat16 b=f; return (int)(float)b; }
