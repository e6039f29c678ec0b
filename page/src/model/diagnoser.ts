// Asks what the compiler says of a text when typing has stopped. Only the newest text's answer counts: an older one is
// about lines that have moved.
export class Diagnoser {
  private timer = 0;
  private stop = new AbortController();

  constructor(
    private readonly ask: (text: string, signal: AbortSignal) => Promise<string>,
    private readonly show: (messages: string) => void,
    private readonly quietMilliseconds = 150,
  ) {}

  change(text: string): void {
    this.end();
    this.timer = setTimeout(() => void this.now(text), this.quietMilliseconds) as unknown as number;
  }
  end(): void {
    clearTimeout(this.timer);
    this.stop.abort();
  }
  private async now(text: string): Promise<void> {
    const stop = (this.stop = new AbortController());
    try {
      const messages = await this.ask(text, stop.signal);
      if (!stop.signal.aborted) this.show(messages);
    } catch {
      // No diagnosis is no news: the submission says what is wrong.
    }
  }
}
