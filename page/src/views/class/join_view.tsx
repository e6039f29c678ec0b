// The way into a class: its code and a nickname. Who has been here before on another machine types a return code, too.
import { useState } from "preact/hooks";
import { Refused } from "../../api.ts";
import { join } from "../../class_api.ts";

export function JoinView({ joined }: { joined: () => void }) {
  const [code, setCode] = useState("");
  const [nickname, setNickname] = useState("");
  const [back, setBack] = useState("");
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setSaid("");
    try {
      await join(code, nickname.trim(), back);
      joined();
    } catch (error) {
      setSaid(error instanceof Refused ? error.refusal.message : "The server does not answer.");
      setBusy(false);
    }
  };
  const field = (id: string, label: string, value: string, set: (text: string) => void, help: string, required: boolean) => (
    <p>
      <label for={id}>{label}</label>
      <input id={id} value={value} onInput={(event) => set(event.currentTarget.value)} required={required} maxLength={64} autocomplete="off" spellcheck={false} aria-describedby={`${id}-help`} />
      <span id={`${id}-help`} class="quiet">
        {help}
      </span>
    </p>
  );
  return (
    <main class="join">
      <h1>Join the class</h1>
      <p>Learn CUDA by solving problems: you write a kernel, and the judge says what is wrong and where.</p>
      <form onSubmit={(event) => void submit(event)}>
        {field("join-code", "Code of the class", code, setCode, "Six letters and digits, which your teacher shows.", true)}
        {field("join-nickname", "Nickname", nickname, setNickname, "Only your teacher sees it.", true)}
        {field("join-back", "Return code", back, setBack, "Only if you have been here before, in another browser.", false)}
        {said && <p role="alert">{said}</p>}
        <p>
          <button class="go" disabled={busy}>
            Join
          </button>
        </p>
      </form>
    </main>
  );
}
