// Keeps what is typed: a moment after the last change, one request at a time, with the revision that it replaces. The
// server refuses a text that would replace another tab's.
export type DraftState = "kept" | "typing" | "conflict" | "lost";

export class DraftKeeper {
  private wanted: string | null = null; // not kept yet
  private busy = false;
  private timer = 0;

  constructor(
    private revision: number,
    private readonly keep: (text: string, revision: number, last: boolean) => Promise<{ revision: number }>,
    private readonly isConflict: (error: unknown) => boolean,
    private readonly show: (state: DraftState) => void,
    private readonly quietMilliseconds = 300,
  ) {}

  change(text: string): void {
    this.wanted = text;
    this.show("typing");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), this.quietMilliseconds) as unknown as number;
  }

  // Now: the text is submitted, or the page goes away (`last`).
  async flush(last = false): Promise<void> {
    clearTimeout(this.timer);
    if (this.wanted === null || (this.busy && !last)) return;
    const text = this.wanted;
    this.busy = true;
    try {
      this.revision = (await this.keep(text, this.revision, last)).revision;
      if (this.wanted === text) {
        this.wanted = null;
        this.show("kept");
      }
    } catch (error) {
      this.busy = false;
      return this.show(this.isConflict(error) ? "conflict" : "lost");
    }
    this.busy = false;
    if (this.wanted !== null) await this.flush();
  }

  // After a conflict: this text is to stand in place of that revision.
  async insist(text: string, revision: number): Promise<void> {
    this.revision = revision;
    this.wanted = text;
    await this.flush();
  }
  // After a conflict: the other text has been taken.
  follow(revision: number): void {
    this.revision = revision;
    this.wanted = null;
    this.show("kept");
  }
}
