// What the server answers about live images (src/serve/image), and how it is asked.
import { get, getBytes, post, type Finding } from "./api.ts";
import { tab } from "./lab_api.ts";

export interface PieceText {
  name: string;
  title: string;
  text: string; // as it comes with Warpwise
  draft: { text: string; revision: number } | null;
}
export interface Piece {
  compiled: boolean;
  messages: string; // of the compiler
  width: number;
  height: number;
  kernels: string[];
  arrays: { name: string; bytes: number }[];
  error?: { code: string; message: string }; // why it cannot be painted, though it compiled
}
// What the kernels are told.
export interface Moment {
  time: number;
  x: number;
  y: number;
  frame: number;
}
export interface Picture {
  width: number;
  height: number;
  milliseconds: number; // that its kernels took
  pixels: Uint8ClampedArray<ArrayBuffer>;
}
export interface Check {
  frame: number;
  findings: Finding[];
  pixels: [number, number][]; // runs: the first, and how many
  failure: string;
  not_checked: string[];
}
export interface Seen {
  recording: number;
  warp: number;
  step: number;
  block: [number, number, number];
  thread: [number, number, number];
  kernel: string;
}

export const getPieces = async (): Promise<PieceText[]> => (await get<{ pieces: PieceText[] }>("/api/images")).pieces;
export const keepPiece = (name: string, text: string, revision: number, last = false): Promise<{ revision: number }> =>
  post("/api/images/draft", { name }, { text, revision }, last);

export const startPiece = async (name: string, text: string): Promise<number> =>
  (await post<{ run: number }>("/api/image/run", { name, page: tab }, { text })).run;
export const getPiece = (run: number): Promise<Piece> => get("/api/image/piece", { run });

const magic = 0x4d495757; // "WWIM"

export async function getFrame(run: number, moment: Moment, signal: AbortSignal): Promise<Picture> {
  return pictureOf(await getBytes("/api/image/frame", { run, ...moment }, signal));
}

export function pictureOf(bytes: ArrayBuffer): Picture {
  const head = new DataView(bytes);
  const [width, height] = bytes.byteLength < 16 ? [0, 0] : [head.getUint32(4, true), head.getUint32(8, true)];
  if (width === 0 || head.getUint32(0, true) !== magic || bytes.byteLength !== 16 + 4 * width * height) throw new Error("this is no picture");
  return { width, height, milliseconds: head.getUint32(12, true) / 1000, pixels: new Uint8ClampedArray(bytes, 16) };
}

// The frame behind the last one that was painted, with the arrays as that one left them.
export const checkPiece = (run: number, mouse: { x: number; y: number }): Promise<Check> =>
  post("/api/image/check", { run, state: 1, ...mouse }, {});
export const seePixel = (run: number, mouse: { x: number; y: number }, px: number, py: number): Promise<Seen> =>
  post("/api/image/see", { run, state: 1, ...mouse, px, py }, {});
// A finding of the last check.
export const seeFinding = (run: number, finding: number): Promise<Seen> => post("/api/image/see", { run, finding }, {});
