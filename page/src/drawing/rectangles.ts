// Draws many rectangles: by WebGL2, where all of them are one call, or by a 2-D canvas where there is no WebGL2. A
// rectangle has a colour of a palette and a pattern, because colour alone tells some people nothing.

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
  result = vec4(dark(at) ? colour * 0.62 : colour, 1.0);
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

// Patterns of a colour as canvas patterns, made once for each.
function canvasPainter(canvas: HTMLCanvasElement): Painter | null {
  const context = canvas.getContext("2d");
  if (!context) return null;
  const made = new Map<string, CanvasPattern | string>();
  const fillOf = ([r, g, b]: Colour, pattern: number): CanvasPattern | string => {
    const key = `${r},${g},${b},${pattern}`;
    const known = made.get(key);
    if (known) return known;
    const plain = `rgb(${r},${g},${b})`;
    let fill: CanvasPattern | string = plain;
    if (pattern !== 0) {
      const tile = document.createElement("canvas");
      tile.width = tile.height = 12; // a multiple of every pattern's period
      const ink = tile.getContext("2d")!;
      ink.fillStyle = plain;
      ink.fillRect(0, 0, 12, 12);
      ink.fillStyle = `rgb(${r * 0.62},${g * 0.62},${b * 0.62})`;
      for (let y = 0; y < 12; ++y) for (let x = 0; x < 12; ++x) if (isDark(pattern, x, y)) ink.fillRect(x, y, 1, 1);
      fill = context.createPattern(tile, "repeat") ?? plain;
    }
    made.set(key, fill);
    return fill;
  };
  return {
    kind: "2d",
    paint(rectangles, palette, width, height, scale) {
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.clearRect(0, 0, width, height);
      for (let n = 0; n < rectangles.count; ++n) {
        const [x, y, w, h, colour, pattern] = rectangles.data.subarray(n * 6, n * 6 + 6);
        context.fillStyle = fillOf(palette[colour!] ?? [0, 0, 0], pattern!);
        context.fillRect(x!, y!, w!, h!);
      }
    },
    release() {},
  };
}

export function painterOf(canvas: HTMLCanvasElement): Painter | null {
  return webglPainter(canvas) ?? canvasPainter(canvas);
}
