// clean: whole objects take along what was never set: the rest of an array, padding, the last member of a vector
struct Stack {
  int size;
  int values[7];
};
struct Sample {
  double weight;
  int count;
};
__global__ void fill(Stack* s, Sample* p, float4* v) {
  s->size = 1;
  s->values[0] = 3;
  p->weight = 1;
  p->count = 2;
  v->x = v->y = v->z = 1;
}
__global__ void move(const Stack* s, const Sample* p, const float4* v, Stack* to, Sample* sample, float4* vector) {
  *to = *s;
  *sample = *p;
  *vector = *v;
}
int main() {
  Stack* s;
  Sample* p;
  float4* v;
  cudaMalloc(&s, 2 * sizeof *s);
  cudaMalloc(&p, 2 * sizeof *p);
  cudaMalloc(&v, 2 * sizeof *v);
  fill<<<1, 1>>>(s, p, v);
  move<<<1, 1>>>(s, p, v, s + 1, p + 1, v + 1);
  cudaDeviceSynchronize();
  cudaFree(s);
  cudaFree(p);
  cudaFree(v);
}
