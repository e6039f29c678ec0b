// A live image: the text as it is typed becomes a picture that moves.
//
//     typing ──a quarter of a second of quiet──► start ──► compiled? ──no──► messages; the last picture stays
//                                                             └─yes──► frame, frame, frame …   while it plays and is seen
//
// One frame is asked for at a time, so that a slow kernel makes fewer frames and no queue. A newer text ends what an
// older one began, wherever that stands. `Studio` is the server, and the clock is passed in: so the tests need neither.
import type { Check, Moment, Picture, Piece } from "../image_api.ts";

export interface Studio {
  start: (text: string) => Promise<number>;
  piece: (run: number) => Promise<Piece>;
  frame: (run: number, moment: Moment, signal: AbortSignal) => Promise<Picture>;
  check: (run: number, mouse: { x: number; y: number }) => Promise<Check>;
}

export interface LiveState {
  what: "compiling" | "running" | "refused" | "failed";
  run: number; // 0: none yet
  piece: Piece | null; // of this text, once it has compiled or been refused
  error: string; // of a frame that failed
  frame: number;
  time: number;
  milliseconds: number; // that a frame's kernels take, lately
  rate: number; // frames a second, lately
  check: Check | null;
  checking: boolean;
}

export interface LiveOptions {
  studio: Studio;
  draw: (picture: Picture) => void;
  show: (state: LiveState) => void;
  wordsOf: (error: unknown) => string;
  now: () => number; // milliseconds
  later: (call: () => void, milliseconds: number) => number;
  forget: (timer: number) => void;
  quiet?: number;
}

const first: LiveState = { what: "compiling", run: 0, piece: null, error: "", frame: 0, time: 0, milliseconds: 0, rate: 0, check: null, checking: false };

// A tenth of the newest, nine of what was: so that numbers can be read.
const smoothed = (was: number, is: number): number => (was === 0 ? is : 0.9 * was + 0.1 * is);

// Frames after which a new text is checked: then the picture is there, and arrays hold more than zeros.
const framesBeforeCheck = 3;
// Faster than this no frames are asked for: no screen shows them.
const leastMilliseconds = 16;

export class Live {
  private state = first;
  private text = "";
  private timer = 0;
  private paused = false;
  private hidden = false;
  private painting = false;
  private shown = 0; // when the last frame was
  private mouse: { x: number; y: number } | null = null;
  private stop = new AbortController();

  constructor(private readonly options: LiveOptions) {}

  // Begins at once.
  begin(text: string): void {
    this.text = text;
    void this.restart();
  }
  // Begins when typing has stopped.
  change(text: string): void {
    this.text = text;
    this.options.forget(this.timer);
    this.timer = this.options.later(() => void this.restart(), this.options.quiet ?? 250);
  }
  end(): void {
    this.options.forget(this.timer);
    this.stop.abort();
  }
  pause(paused: boolean): void {
    this.paused = paused;
    this.go();
  }
  hide(hidden: boolean): void {
    this.hidden = hidden;
    this.go();
  }
  // One frame more, though it is paused.
  step(): void {
    void this.paint(this.stop);
  }
  moveMouse(x: number, y: number): void {
    this.mouse = { x, y };
  }
  mouseNow(): { x: number; y: number } {
    const { piece } = this.state;
    return this.mouse ?? { x: (piece?.width ?? 0) / 2, y: (piece?.height ?? 0) / 2 };
  }

  private set(change: Partial<LiveState>): void {
    this.state = { ...this.state, ...change };
    this.options.show(this.state);
  }

  async restart(): Promise<void> {
    this.options.forget(this.timer);
    this.stop.abort();
    const stop = (this.stop = new AbortController());
    this.painting = false;
    const { studio, wordsOf } = this.options;
    this.set({ what: "compiling", error: "", checking: false });
    try {
      const run = await studio.start(this.text);
      if (stop.signal.aborted) return;
      const piece = await studio.piece(run);
      if (stop.signal.aborted) return;
      if (!piece.compiled) return this.set({ what: "refused", run, piece, check: null });
      this.shown = 0;
      this.set({ ...first, what: "running", run, piece });
      await this.paint(stop);
    } catch (error) {
      if (!stop.signal.aborted) this.set({ what: "failed", error: wordsOf(error), check: null });
    }
  }

  private go(): void {
    if (this.state.what === "running" && !this.paused && !this.hidden && !this.painting) void this.paint(this.stop);
  }

  private async paint(stop: AbortController): Promise<void> {
    if (this.state.what !== "running" || this.painting) return;
    const { studio, draw, wordsOf, now, later } = this.options;
    this.painting = true;
    const begin = now();
    try {
      const { frame, time, run } = this.state;
      const picture = await studio.frame(run, { frame, time, ...this.mouseNow() }, stop.signal);
      if (stop.signal.aborted) return;
      draw(picture);
      const end = now();
      const took = this.shown === 0 ? 0 : end - this.shown;
      // Where it stood still, time did, too.
      const passed = took === 0 || took > 250 ? 1 / 30 : took / 1000;
      this.shown = end;
      this.set({
        frame: frame + 1,
        time: time + passed,
        milliseconds: smoothed(this.state.milliseconds, picture.milliseconds),
        rate: took === 0 || took > 1000 ? this.state.rate : smoothed(this.state.rate, 1000 / took),
      });
      const standsStill = this.paused && frame === 0; // the third may never come
      if (frame + 1 === framesBeforeCheck || standsStill) void this.check();
    } catch (error) {
      if (!stop.signal.aborted) this.set({ what: "failed", error: wordsOf(error) });
      return;
    } finally {
      if (this.stop === stop) this.painting = false;
    }
    later(() => this.stop === stop && this.go(), Math.max(0, leastMilliseconds - (now() - begin)));
  }

  // All checkers look at the next frame.
  async check(): Promise<void> {
    const { stop, state } = this;
    if (state.what !== "running" || state.checking) return;
    this.set({ checking: true });
    try {
      const check = await this.options.studio.check(state.run, this.mouseNow());
      if (!stop.signal.aborted) this.set({ check, checking: false });
    } catch (error) {
      if (!stop.signal.aborted) this.set({ checking: false, error: this.options.wordsOf(error) });
    }
  }
}
