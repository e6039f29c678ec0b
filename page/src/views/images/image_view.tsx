// Live images: a list of pieces, the text of one, and the picture that it makes.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Refused, type Library, type Refusal } from "../../api.ts";
import type { Editor } from "../../editor.ts";
import { checkPiece, getFrame, getPiece, getPieces, keepPiece, seeFinding, seePixel, startPiece, type PieceText, type Seen } from "../../image_api.ts";
import { DraftKeeper, type DraftState } from "../../model/draft.ts";
import { Live, type LiveState } from "../../model/live.ts";
import { markOfLine, marksOfMessages } from "../../model/messages.ts";
import { Bar } from "../bar.tsx";
import { EditorHost } from "../editor_host.tsx";
import { Message } from "../message.tsx";
import { FindingsView } from "./findings_view.tsx";
import { PictureView, type Canvas } from "./picture_view.tsx";

export const wordsOf = (error: unknown): string =>
  error instanceof Refused ? `${error.refusal.code}: ${error.refusal.message}` : "The server does not answer. It may have ended.";

export function ImageView({ name, library }: { name: string; library: Library }) {
  const [pieces, setPieces] = useState<PieceText[] | null>(null);
  const [refusal, setRefusal] = useState<{ error: Refusal | null } | null>(null);
  useEffect(() => {
    getPieces().then(setPieces, (error) => setRefusal({ error: error instanceof Refused ? error.refusal : null }));
  }, []);
  if (refusal) return <Message error={refusal.error} />;
  if (!pieces) return <main class="message" aria-busy="true" />;
  const piece = pieces.find((one) => one.name === (name || "gradient")) ?? pieces[0];
  if (!piece) return <Message error={{ code: "W0005", message: "there are no pieces here", explanation: "" }} />;
  return <Atelier key={piece.name} first={piece} pieces={pieces} library={library} />;
}

const draftWords: Record<DraftState, string> = { kept: "kept", typing: "…", conflict: "changed in another tab: reload", lost: "not kept" };
// "Game of Life: each frame is …"
const shortTitle = (piece: PieceText): string => piece.title.split(/[:,]/)[0] || piece.name;

function Atelier({ first, pieces, library }: { first: PieceText; pieces: PieceText[]; library: Library }) {
  const begin = first.draft?.text ?? first.text;
  const editor = useRef<Editor | null>(null);
  const canvas = useRef<Canvas | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [draft, setDraft] = useState<DraftState>("kept");
  const [state, setState] = useState<LiveState | null>(null);
  // Who wants less motion gets a picture that stands still until it is asked to move.
  const [paused, setPaused] = useState(() => matchMedia("(prefers-reduced-motion: reduce)").matches);
  const [seeing, setSeeing] = useState(false);
  const [said, setSaid] = useState("");

  const keeper = useMemo(
    () =>
      new DraftKeeper(
        first.draft?.revision ?? 0,
        (text, revision, last) => keepPiece(first.name, text, revision, last),
        (error) => error instanceof Refused && error.refusal.code === "L0104",
        setDraft,
      ),
    [],
  );
  const live = useMemo(
    () =>
      new Live({
        studio: { start: (text) => startPiece(first.name, text), piece: getPiece, frame: getFrame, check: checkPiece },
        draw: (picture) => canvas.current?.draw(picture),
        show: setState,
        wordsOf,
        now: () => performance.now(),
        later: (call, milliseconds) => setTimeout(call, milliseconds) as unknown as number,
        forget: (timer) => clearTimeout(timer),
      }),
    [],
  );
  useEffect(() => {
    document.title = `${shortTitle(first)} · Warpwise`;
    heading.current?.focus({ preventScroll: true });
    live.pause(paused);
    live.begin(begin);
    const look = () => live.hide(document.hidden);
    const leave = () => void keeper.flush(true);
    document.addEventListener("visibilitychange", look);
    addEventListener("pagehide", leave);
    return () => {
      document.removeEventListener("visibilitychange", look);
      removeEventListener("pagehide", leave);
      leave();
      live.end();
    };
  }, []);

  const changed = (text: string) => {
    keeper.change(text);
    live.change(text);
    setSaid("");
  };
  const see = async (what: () => Promise<Seen>) => {
    setSeeing(true);
    setSaid("");
    try {
      const seen = await what();
      location.hash = `#${new URLSearchParams({ file: `image:${seen.recording}`, image: first.name, warp: `${seen.warp}`, step: `${seen.step}` })}`;
    } catch (error) {
      setSaid(wordsOf(error));
    }
    setSeeing(false);
  };
  const pause = (now: boolean) => (setPaused(now), live.pause(now));

  const file = `${first.name}.cu`;
  const piece = state?.piece ?? null;
  const marks = useMemo(() => (piece ? [...marksOfMessages(file, piece.messages), ...markOfLine(piece.error?.message ?? "")] : []), [piece]);
  const words = state === null || state.what === "compiling" ? "" : piece?.error ? `${piece.error.code}: ${piece.error.message}` : state.error;
  return (
    <>
      <Bar library={library} here="images" />
      <main class="atelier">
        <header>
          <h1 ref={heading} tabIndex={-1}>
            {shortTitle(first)}
          </h1>
          <nav class="pieces" aria-label="pieces">
            {pieces.map((one) => (
              <a key={one.name} href={`#image=${one.name}`} aria-current={one.name === first.name ? "page" : undefined}>
                {shortTitle(one)}
              </a>
            ))}
          </nav>
        </header>
        <section class="code-part" aria-labelledby="code-title">
          <h2 id="code-title">
            {file}
            <span class="quiet draft" role="status">
              {draftWords[draft]}
            </span>
            <span class="buttons">
              <button onClick={() => editor.current?.setText(first.text)}>Start again</button>
            </span>
          </h2>
          <EditorHost
            first={{
              text: begin,
              label: `source of ${file}`,
              changed,
              submit: () => void live.restart(),
              test: () => void live.check(),
              save: () => void keeper.flush(),
            }}
            editor={editor}
            marks={marks}
          />
          <p class="keys quiet">
            It is compiled and drawn as you type. <kbd>Ctrl</kbd> <kbd>Enter</kbd> from the first frame · <kbd>Esc</kbd> <kbd>Tab</kbd> leaves the editor
          </p>
        </section>
        <PictureView
          canvas={canvas}
          state={state}
          paused={paused}
          seeing={seeing}
          pause={pause}
          step={() => live.step()}
          restart={() => void live.restart()}
          moveMouse={(x, y) => live.moveMouse(x, y)}
          see={(x, y) => state && void see(() => seePixel(state.run, live.mouseNow(), x, y))}
        />
        <FindingsView
          file={file}
          state={state}
          words={said || words}
          messages={state?.what === "refused" ? (piece?.messages ?? "") : ""}
          seeing={seeing}
          check={() => void live.check()}
          see={(finding) => state && void see(() => seeFinding(state.run, finding))}
          goToLine={(line) => editor.current?.focusLine(line)}
        />
      </main>
    </>
  );
}
