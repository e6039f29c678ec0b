// Draws many rectangles: by WebGL2, where all of them are one call, or by a 2-D canvas where there is no WebGL2 or a
// processor would have to do its work. A rectangle has a colour of a palette and a pattern, because colour alone tells
// some people nothing.

export const patterns = ["plain", "rising", "falling", "dots", "bars", "checks"] as const;
export type Pattern = (typeof patterns)[number];

// Six numbers each: x, y, width, height in CSS pixels, the colour's index, the pattern's.
export class Rectangles {
  static readonly numbers = 6;
  data = new Float32Array(6 * 4096);
  count = 0;

  add(x: number, y: number, width: number, height: number, colour: number, pattern: number): void {
    if ((this.count + 1) * Rectangles.numbers > this.data.length) {
      const larger = new Float32Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.data.set([x, y, width, height, colour, pattern], this.count++ * Rectangles.numbers);
  }
}

export type Colour = [number, number, number]; // 0 to 255

export interface Painter {
  readonly kind: "webgl2" | "2d";
  paint(rectangles: Rectangles, palette: Colour[], width: number, height: number, scale: number): void;
  release(): void;
}

const darkened = 0.62; // of the colour

// The dark parts of a pattern: the same rule in both painters. `x` and `y` are pixels of the screen.
export function isDark(pattern: number, x: number, y: number): boolean {
  switch (patterns[pattern]) {
    case "rising":
      return (x + y) % 6 < 2;
    case "falling":
      return (x - y + 6000) % 6 < 2;
    case "dots":
      return x % 4 < 2 && y % 4 < 2;
    case "bars":
      return x % 4 < 2;
    case "checks":
      return (Math.floor(x / 3) + Math.floor(y / 3)) % 2 === 0;
    default:
      return false;
  }
}

const vertexSource = `#version 300 es
layout(location = 0) in vec4 place;
layout(location = 1) in vec2 look;
uniform vec2 size;
uniform vec3 palette[24];
flat out vec3 colour;
flat out int pattern;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 at = (place.xy + place.zw * corner) / size * 2.0 - 1.0;
  gl_Position = vec4(at.x, -at.y, 0.0, 1.0);
  colour = palette[int(look.x)];
  pattern = int(look.y);
}`;

const fragmentSource = `#version 300 es
precision mediump float;
flat in vec3 colour;
flat in int pattern;
uniform float scale;
out vec4 result;
bool dark(ivec2 at) {
  if (pattern == 1) return (at.x - at.y + 6000) % 6 < 2;
  if (pattern == 2) return (at.x + at.y) % 6 < 2;
  if (pattern == 3) return at.x % 4 < 2 && at.y % 4 < 2;
  if (pattern == 4) return at.x % 4 < 2;
  if (pattern == 5) return ((at.x / 3) + (at.y / 3)) % 2 == 0;
  return false;
}
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy / scale);
  result = vec4(dark(at) ? colour * ${darkened} : colour, 1.0);
}`;

function shader(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader | null {
  const made = gl.createShader(kind);
  if (!made) return null;
  gl.shaderSource(made, source);
  gl.compileShader(made);
  return gl.getShaderParameter(made, gl.COMPILE_STATUS) ? made : null;
}

function webglPainter(canvas: HTMLCanvasElement): Painter | null {
  const gl = canvas.getContext("webgl2", { antialias: false, alpha: true });
  if (!gl) return null;
  const vertex = shader(gl, gl.VERTEX_SHADER, vertexSource);
  const fragment = shader(gl, gl.FRAGMENT_SHADER, fragmentSource);
  const program = gl.createProgram();
  if (!vertex || !fragment || !program) return null;
  gl.attachShader(program, vertex);
  gl.attachShader(program, fragment);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
  const buffer = gl.createBuffer();
  const uniform = (name: string) => gl.getUniformLocation(program, name);
  const [size, palette, scaleAt] = [uniform("size"), uniform("palette"), uniform("scale")];
  return {
    kind: "webgl2",
    paint(rectangles, colours, width, height, scale) {
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.useProgram(program);
      gl.uniform2f(size, width, height);
      gl.uniform1f(scaleAt, scale);
      gl.uniform3fv(palette, colours.flat().map((part) => part / 255));
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      const numbers = rectangles.data.subarray(0, rectangles.count * Rectangles.numbers);
      gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
      const stride = Rectangles.numbers * 4;
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 4, gl.FLOAT, false, stride, 0);
      gl.vertexAttribDivisor(0, 1);
      gl.enableVertexAttribArray(1);
      gl.vertexAttribPointer(1, 2, gl.FLOAT, false, stride, 16);
      gl.vertexAttribDivisor(1, 1);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, rectangles.count);
    },
    release() {
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}

// By pixels, and not by the canvas's own rectangles: of these a processor fills some two hundred in a millisecond, and a
// window of 32 warps has twelve thousand. A pixel belongs to the rectangle that its middle is in, as in WebGL.
function canvasPainter(canvas: HTMLCanvasElement): Painter | null {
  const context = canvas.getContext("2d");
  if (!context) return null;
  let image: ImageData | null = null;
  return {
    kind: "2d",
    paint(rectangles, palette, _width, _height, scale) {
      const { width, height } = canvas;
      if (image?.width !== width || image.height !== height) image = context.createImageData(width, height);
      const pixels = new Uint32Array(image.data.buffer);
      pixels.fill(0);
      fillPixels(pixels, width, height, rectangles, palette, scale);
      context.putImageData(image, 0, 0);
    },
    release() {},
  };
}

const period = 12; // of all patterns, in both directions
const darkParts = patterns.map((_, pattern) => Uint8Array.from({ length: period ** 2 }, (_, n) => Number(isDark(pattern, n % period, Math.floor(n / period)))));
const opaque = ([r, g, b]: Colour, light = 1): number => ((255 << 24) | ((b * light) << 16) | ((g * light) << 8) | (r * light)) >>> 0;

// Draws into an image of `width` times `height` pixels, of red, green, blue and alpha.
export function fillPixels(pixels: Uint32Array, width: number, height: number, { data, count }: Rectangles, palette: Colour[], scale: number): void {
  const light = palette.map((colour) => opaque(colour));
  const dark = palette.map((colour) => opaque(colour, darkened));
  const inPattern = (at: number): number => Math.floor(at / scale) % period;
  const columns = Uint8Array.from({ length: width }, (_, x) => inPattern(x));
  const firstIn = (edge: number, most: number): number => Math.min(most, Math.max(0, Math.ceil(edge * scale - 0.5)));
  for (let n = 0; n < count; ++n) {
    const at = n * Rectangles.numbers;
    const left = firstIn(data[at]!, width);
    const right = firstIn(data[at]! + data[at + 2]!, width);
    const bottom = firstIn(data[at + 1]! + data[at + 3]!, height);
    const [plain, ink] = [light[data[at + 4]!]!, dark[data[at + 4]!]!];
    const pattern = data[at + 5]!;
    for (let y = firstIn(data[at + 1]!, height); y < bottom; ++y) {
      pixels.fill(plain, y * width + left, y * width + right);
      if (pattern === 0) continue;
      const parts = darkParts[pattern]!;
      const row = inPattern(y) * period;
      for (let x = left; x < right; ++x) if (parts[row + columns[x]!]) pixels[y * width + x] = ink;
    }
  }
}

// Whether WebGL2 is a processor that stands in for a GPU: it fills rectangles several times as fast by itself. Browsers are
// asked to say so, and not all do; then the name tells. A canvas that has had one kind of context gives no other, so
// another canvas is asked.
const standIns = /SwiftShader|llvmpipe|softpipe|software|Basic Render/i;
function hasGpu(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!gl) return false;
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const name = `${gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER)}`;
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return !standIns.test(name);
}

export function painterOf(canvas: HTMLCanvasElement): Painter | null {
  return (hasGpu() ? webglPainter(canvas) : null) ?? canvasPainter(canvas);
}
