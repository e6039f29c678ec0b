// The teacher's console: how to join, which kinds of refusals there are, who is where. It asks every two seconds while it
// is looked at.
import { useEffect, useState } from "preact/hooks";
import { Refused, type Library } from "../../api.ts";
import { getBoard, handIn, type Board } from "../../class_api.ts";
import { byStudents, presence } from "../../model/board.ts";
import { verdictWords } from "../../model/verdict.ts";
import { Bar } from "../bar.tsx";

const pause = 2000;
const wordsOf = (error: unknown): string => (error instanceof Refused ? `${error.refusal.code}: ${error.refusal.message}` : "The server does not answer. It may have ended.");
const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

function useBoard(): { board: Board | null; said: string } {
  const [board, setBoard] = useState<Board | null>(null);
  const [said, setSaid] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    let timer = 0;
    const look = async () => {
      try {
        if (!document.hidden) setBoard(await getBoard(stop.signal));
        setSaid("");
      } catch (error) {
        if (stop.signal.aborted) return;
        setSaid(wordsOf(error));
      }
      if (!stop.signal.aborted) timer = setTimeout(look, pause) as unknown as number;
    };
    void look();
    return () => (stop.abort(), clearTimeout(timer));
  }, []);
  return { board, said };
}

function Refusals({ board }: { board: Board }) {
  return (
    <section aria-labelledby="refusals-title">
      <h2 id="refusals-title">What they are stuck at</h2>
      {board.refusals.length === 0 ? (
        <p class="quiet">Nothing is refused now.</p>
      ) : (
        <div class="wide" tabIndex={0} role="region" aria-label="table of refusals">
          <table>
            <thead>
              <tr>
                <th scope="col">Problem</th>
                <th scope="col">Last verdict</th>
                <th scope="col">Students</th>
              </tr>
            </thead>
            <tbody>
              {byStudents(board.refusals).map((row) => (
                <tr key={`${row.problem} ${row.verdict}`}>
                  <th scope="row">{row.problem}</th>
                  <td class="bad">{verdictWords(row.verdict)}</td>
                  <td>
                    <strong>{row.students.length}</strong> {row.students.join(", ")}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Students({ board }: { board: Board }) {
  const [codes, setCodes] = useState(false);
  return (
    <section aria-labelledby="students-title">
      <h2 id="students-title">Who is where</h2>
      {board.students.length === 0 ? (
        <p class="quiet">No student has joined yet.</p>
      ) : (
        <>
          <p>
            <label>
              <input type="checkbox" checked={codes} onChange={(event) => setCodes(event.currentTarget.checked)} /> show return codes
            </label>
          </p>
          <div class="wide" tabIndex={0} role="region" aria-label="table of students">
            <table>
              <thead>
                <tr>
                  <th scope="col">Student</th>
                  <th scope="col">At</th>
                  <th scope="col">Solved</th>
                  <th scope="col">Attempts</th>
                  <th scope="col">Last verdict</th>
                  <th scope="col">Now</th>
                  {codes && <th scope="col">Return code</th>}
                </tr>
              </thead>
              <tbody>
                {board.students.map((row) => (
                  <tr key={row.nickname}>
                    <th scope="row">{row.nickname}</th>
                    <td>{row.problem || "–"}</td>
                    <td>{row.solved}</td>
                    <td>{row.attempts}</td>
                    <td class={row.verdict === "accepted" ? "good" : "bad"}>{row.verdict ? verdictWords(row.verdict) : "–"}</td>
                    <td>{presence(row)}</td>
                    {codes && (
                      <td>
                        <code>{row.return_code}</code>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}

export function ConsoleView({ library }: { library: Library }) {
  const { board, said } = useBoard();
  const [handed, setHanded] = useState("");
  const write = () => void handIn().then((made) => setHanded(`Written to ${made.folder}. Next: warpwise lab grade ${made.folder}`), (error) => setHanded(wordsOf(error)));
  return (
    <>
      <Bar library={library} here="class" />
      <main class="console">
        <h1>{library.class?.name}</h1>
        {said && <p role="alert">{said}</p>}
        {board && (
          <>
            <p class="invitation">
              Students open {board.addresses.map((address) => <code key={address}>{address}</code>)} and type the code <strong class="code">{board.code}</strong>
            </p>
            <p class="quiet">
              {count(board.students.length, "student", "students")}. The judge has {count(board.running, "submission", "submissions")}, and {board.waiting} {board.waiting === 1 ? "waits" : "wait"}.
            </p>
            <Refusals board={board} />
            <Students board={board} />
            <section aria-labelledby="hand-in-title">
              <h2 id="hand-in-title">What was handed in</h2>
              <p>
                <button onClick={write}>Write a folder for lab grade</button>
              </p>
              <p role="status">{handed}</p>
            </section>
          </>
        )}
      </main>
    </>
  );
}
