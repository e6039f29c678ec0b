// The picture, what steers it, and the way from a pixel to its thread.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Picture } from "../../image_api.ts";
import type { LiveState } from "../../model/live.ts";

export interface Canvas {
  draw: (picture: Picture) => void;
}

interface Properties {
  canvas: RefObject<Canvas | null>;
  state: LiveState | null;
  paused: boolean;
  seeing: boolean;
  pause: (paused: boolean) => void;
  step: () => void;
  restart: () => void;
  moveMouse: (x: number, y: number) => void;
  see: (x: number, y: number) => void;
}

const stateWords: Record<LiveState["what"], string> = { compiling: "compiling …", running: "", refused: "does not compile", failed: "stopped" };

export function PictureView({ canvas, state, paused, seeing, pause, step, restart, moveMouse, see }: Properties) {
  const pixels = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const [place, setPlace] = useState<{ x: number; y: number } | null>(null);
  const [typed, setTyped] = useState({ x: "0", y: "0" });
  useEffect(() => {
    canvas.current = {
      draw: ({ width, height, pixels: bytes }) => {
        const to = pixels.current!;
        if (to.width !== width || to.height !== height) [to.width, to.height] = [width, height];
        to.getContext("2d", { alpha: false })!.putImageData(new ImageData(bytes, width, height), 0, 0);
      },
    };
    return () => (canvas.current = null);
  }, []);

  const piece = state?.piece ?? null;
  const [width, height] = [piece?.width ?? 512, piece?.height ?? 512];
  const check = state?.check ?? null;
  // Pixels that findings are about, in red above the picture.
  useEffect(() => {
    const to = marks.current!;
    [to.width, to.height] = [width, height];
    const draw = to.getContext("2d")!;
    draw.clearRect(0, 0, width, height);
    draw.fillStyle = "#ff1c2e";
    for (const [first, count] of check?.pixels ?? [])
      for (let n = first; n < first + count; ) {
        const row = Math.floor(n / width);
        const end = Math.min(first + count, (row + 1) * width);
        draw.fillRect(n - row * width, row, end - n, 1);
        n = end;
      }
  }, [check, width, height]);

  const placeOf = (event: MouseEvent) => {
    const box = pixels.current!.getBoundingClientRect();
    const at = (part: number, of: number) => Math.min(Math.max(0, Math.floor(part * of)), of - 1);
    return { x: at((event.clientX - box.left) / box.width, width), y: at((event.clientY - box.top) / box.height, height) };
  };
  const numberIn = (text: string, most: number) => Math.min(Math.max(0, Math.floor(Number(text)) || 0), most - 1);
  const running = state?.what === "running";
  const bad = check?.pixels.reduce((sum, [, count]) => sum + count, 0) ?? 0;
  return (
    <section class="picture" aria-labelledby="picture-title">
      <h2 id="picture-title">
        Picture
        <span class="quiet" role="status">
          {state && (paused && running ? "paused" : stateWords[state.what])}
        </span>
        <span class="buttons">
          <button aria-pressed={paused} disabled={!running} onClick={() => pause(!paused)}>
            {paused ? "Play" : "Pause"}
          </button>
          <button disabled={!running || !paused} onClick={step} title="one frame more">
            Step
          </button>
          <button onClick={restart} title="Ctrl+Enter: from frame 0, with empty arrays">
            From the start
          </button>
        </span>
      </h2>
      <div class="live-picture" data-frame={state?.frame ?? 0} data-state={state?.what ?? ""}>
        <canvas
          ref={pixels}
          width={width}
          height={height}
          role="img"
          aria-label={`the picture, ${width} by ${height} pixels${bad ? `, ${bad} of them with findings` : ""}`}
          onMouseMove={(event) => {
            const at = placeOf(event);
            setPlace(at);
            moveMouse(at.x, at.y);
          }}
          onMouseLeave={() => setPlace(null)}
          onClick={(event) => {
            const at = placeOf(event);
            if (running && !seeing) see(at.x, at.y);
          }}
        />
        <canvas ref={marks} class="marks" aria-hidden="true" />
        {seeing && <p class="over">Recording the thread’s block …</p>}
      </div>
      <p class="quiet numbers">
        frame {state?.frame ?? 0} · {(state?.time ?? 0).toFixed(1)} s · {(state?.rate ?? 0).toFixed(0)} frames a second, {(state?.milliseconds ?? 0).toFixed(1)} ms of kernels each
        {place && ` · pixel (${place.x}, ${place.y})`}
      </p>
      <form
        class="pixel"
        onSubmit={(event) => {
          event.preventDefault();
          see(numberIn(typed.x, width), numberIn(typed.y, height));
        }}
      >
        Click on a pixel to see the thread that writes it, or name one:{" "}
        <label>
          x <input type="number" min={0} max={width - 1} value={typed.x} onInput={(event) => setTyped({ ...typed, x: event.currentTarget.value })} />
        </label>{" "}
        <label>
          y <input type="number" min={0} max={height - 1} value={typed.y} onInput={(event) => setTyped({ ...typed, y: event.currentTarget.value })} />
        </label>{" "}
        <button disabled={!running || seeing}>See its thread</button>
      </form>
    </section>
  );
}
