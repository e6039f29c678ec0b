// The page of `warpwise serve`: lets itself in, then shows the files or the recording that the address names.
import { render } from "preact";
import { get, post, Refused, type Library } from "./api.ts";
import { App } from "./app.tsx";
import { takeToken } from "./selection.ts";
import { JoinView } from "./views/class/join_view.tsx";
import { Message } from "./views/message.tsx";

const notJoined = "W0010"; // the page of a class

async function start(): Promise<void> {
  const root = document.getElementById("page")!;
  try {
    const token = takeToken();
    if (token !== null) await post("/api/session", {}, { token });
    const library = await get<Library>("/api/files");
    render(<App library={library} />, root);
  } catch (error) {
    const join = error instanceof Refused && error.refusal.code === notJoined;
    if (join) return render(<JoinView joined={() => void start()} />, root);
    render(<Message error={error instanceof Refused ? error.refusal : null} />, root);
  }
}

void start();
