#include "layers.h"

#include <algorithm>
#include <cmath>

#include "../network.h"

namespace mnist::reference {
namespace {

// For each tap and each row that it reaches: the part of the row that stays inside the picture. `visit` gets the offset of
// the output's pixel, the offset of the input's, and the length.
template <class Visit>
void for_each_row(int side, int ky, int kx, Visit visit) {
  int dy = ky - 1, dx = kx - 1;
  int left = std::max(0, -dx), right = std::min(side, side - dx);
  for (int y = std::max(0, -dy); y < std::min(side, side - dy); ++y)
    visit(y * side + left, (y + dy) * side + left + dx, right - left);
}

}  // namespace

Tensor conv_forward(const Tensor& in, Shape shape, const double* weight, const double* bias, int out_channels) {
  int plane = shape.plane();
  Tensor out(size_t(shape.images) * out_channels * plane);
  for (int n = 0; n < shape.images; ++n)
    for (int o = 0; o < out_channels; ++o) {
      double* to = &out[(size_t(n) * out_channels + o) * plane];
      std::fill(to, to + plane, bias[o]);
      for (int c = 0; c < shape.channels; ++c) {
        const double* from = &in[(size_t(n) * shape.channels + c) * plane];
        const double* w = weight + (size_t(o) * shape.channels + c) * kTaps;
        for (int tap = 0; tap < kTaps; ++tap)
          for_each_row(shape.side, tap / 3, tap % 3, [&](int out_at, int in_at, int length) {
            for (int i = 0; i < length; ++i) to[out_at + i] += w[tap] * from[in_at + i];
          });
      }
    }
  return out;
}

void conv_backward(const Tensor& in, Shape shape, const double* weight, int out_channels, const Tensor& out_gradient,
                   Tensor* in_gradient, double* weight_gradient, double* bias_gradient) {
  int plane = shape.plane();
  if (in_gradient) in_gradient->assign(shape.count(), 0.0);
  for (int n = 0; n < shape.images; ++n)
    for (int o = 0; o < out_channels; ++o) {
      const double* g = &out_gradient[(size_t(n) * out_channels + o) * plane];
      for (int i = 0; i < plane; ++i) bias_gradient[o] += g[i];
      for (int c = 0; c < shape.channels; ++c) {
        const double* from = &in[(size_t(n) * shape.channels + c) * plane];
        double* back = in_gradient ? &(*in_gradient)[(size_t(n) * shape.channels + c) * plane] : nullptr;
        size_t w = (size_t(o) * shape.channels + c) * kTaps;
        for (int tap = 0; tap < kTaps; ++tap)
          for_each_row(shape.side, tap / 3, tap % 3, [&](int out_at, int in_at, int length) {
            double sum = 0;
            for (int i = 0; i < length; ++i) sum += g[out_at + i] * from[in_at + i];
            weight_gradient[w + tap] += sum;
            if (back)
              for (int i = 0; i < length; ++i) back[in_at + i] += weight[w + tap] * g[out_at + i];
          });
      }
    }
}

Tensor norm_forward(const Tensor& in, Shape shape, const double* scale, const double* shift, NormState& state) {
  int plane = shape.plane();
  double count = double(shape.images) * plane;
  Tensor out(in.size());
  state.normal.resize(in.size());
  state.inverse.resize(size_t(shape.channels));
  for (int c = 0; c < shape.channels; ++c) {
    auto each = [&](auto visit) {
      for (int n = 0; n < shape.images; ++n)
        for (int i = 0; i < plane; ++i) visit((size_t(n) * shape.channels + c) * plane + i);
    };
    double mean = 0, variance = 0;
    each([&](size_t at) { mean += in[at]; });
    mean /= count;
    each([&](size_t at) { variance += (in[at] - mean) * (in[at] - mean); });
    variance /= count;
    double inverse = state.inverse[c] = 1 / std::sqrt(variance + kEpsilon);
    each([&](size_t at) {
      state.normal[at] = (in[at] - mean) * inverse;
      out[at] = scale[c] * state.normal[at] + shift[c];
    });
  }
  return out;
}

// With x̂ the normalised value, y = γx̂ + β and a bar for the mean over a channel: dx = γ/σ (dy − mean(dy) − x̂ mean(dy x̂)).
Tensor norm_backward(const NormState& state, Shape shape, const double* scale, const Tensor& out_gradient, double* scale_gradient,
                     double* shift_gradient) {
  int plane = shape.plane();
  double count = double(shape.images) * plane;
  Tensor in_gradient(out_gradient.size());
  for (int c = 0; c < shape.channels; ++c) {
    auto each = [&](auto visit) {
      for (int n = 0; n < shape.images; ++n)
        for (int i = 0; i < plane; ++i) visit((size_t(n) * shape.channels + c) * plane + i);
    };
    double sum = 0, product = 0;
    each([&](size_t at) {
      sum += out_gradient[at];
      product += out_gradient[at] * state.normal[at];
    });
    shift_gradient[c] += sum;
    scale_gradient[c] += product;
    each([&](size_t at) {
      in_gradient[at] = scale[c] * state.inverse[c] * (out_gradient[at] - sum / count - state.normal[at] * product / count);
    });
  }
  return in_gradient;
}

Tensor relu_forward(const Tensor& in) {
  Tensor out(in.size());
  for (size_t i = 0; i < in.size(); ++i) out[i] = in[i] < 0 ? 0 : in[i];  // a NaN stays one
  return out;
}

Tensor relu_backward(const Tensor& out, const Tensor& out_gradient) {
  Tensor in_gradient(out.size());
  for (size_t i = 0; i < out.size(); ++i) in_gradient[i] = out[i] > 0 ? out_gradient[i] : 0;
  return in_gradient;
}

Tensor pool_forward(const Tensor& in, Shape shape, std::vector<uint8_t>& where) {
  int half = shape.side / 2;
  Tensor out(size_t(shape.images) * shape.channels * half * half);
  where.resize(out.size());
  for (size_t at = 0; at < out.size(); ++at) {
    size_t plane = at / (half * half);
    int y = int(at / half % half), x = int(at % half);
    const double* corner = &in[plane * shape.plane() + size_t(2 * y) * shape.side + 2 * x];
    int best = 0;
    for (int k = 1; k < 4; ++k) {
      double value = corner[k / 2 * shape.side + k % 2], before = corner[best / 2 * shape.side + best % 2];
      if (value > before || std::isnan(value)) best = k;
    }
    out[at] = corner[best / 2 * shape.side + best % 2];
    where[at] = uint8_t(best);
  }
  return out;
}

Tensor pool_backward(const std::vector<uint8_t>& where, Shape shape, const Tensor& out_gradient) {
  int half = shape.side / 2;
  Tensor in_gradient(shape.count());
  for (size_t at = 0; at < out_gradient.size(); ++at) {
    size_t plane = at / (half * half);
    int y = int(at / half % half) * 2 + where[at] / 2, x = int(at % half) * 2 + where[at] % 2;
    in_gradient[plane * shape.plane() + size_t(y) * shape.side + x] = out_gradient[at];
  }
  return in_gradient;
}

Tensor linear_forward(const Tensor& in, int images, int in_count, const double* weight, const double* bias, int out_count) {
  Tensor out(size_t(images) * out_count);
  for (int n = 0; n < images; ++n)
    for (int o = 0; o < out_count; ++o) {
      double sum = bias[o];
      for (int i = 0; i < in_count; ++i) sum += weight[size_t(o) * in_count + i] * in[size_t(n) * in_count + i];
      out[size_t(n) * out_count + o] = sum;
    }
  return out;
}

void linear_backward(const Tensor& in, int images, int in_count, const double* weight, int out_count, const Tensor& out_gradient,
                     Tensor* in_gradient, double* weight_gradient, double* bias_gradient) {
  if (in_gradient) in_gradient->assign(size_t(images) * in_count, 0.0);
  for (int n = 0; n < images; ++n)
    for (int o = 0; o < out_count; ++o) {
      double g = out_gradient[size_t(n) * out_count + o];
      bias_gradient[o] += g;
      for (int i = 0; i < in_count; ++i) {
        weight_gradient[size_t(o) * in_count + i] += g * in[size_t(n) * in_count + i];
        if (in_gradient) (*in_gradient)[size_t(n) * in_count + i] += g * weight[size_t(o) * in_count + i];
      }
    }
}

double loss_forward(const Tensor& logits, int images, int classes, const uint8_t* labels, Tensor& gradient) {
  gradient.resize(logits.size());
  double loss = 0;
  for (int n = 0; n < images; ++n) {
    const double* z = &logits[size_t(n) * classes];
    double top = *std::max_element(z, z + classes), sum = 0;
    for (int k = 0; k < classes; ++k) sum += std::exp(z[k] - top);
    loss += top + std::log(sum) - z[labels[n]];
    for (int k = 0; k < classes; ++k)
      gradient[size_t(n) * classes + k] = (std::exp(z[k] - top) / sum - (k == labels[n])) / images;
  }
  return loss / images;
}

}  // namespace mnist::reference
