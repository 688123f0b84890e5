// The reasons why there is no answer, and asking again where that may help.

/** The reason why there is no answer, as the server or the browser gives it. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly kind: string,
    /** The seconds after which it may help to ask again; undefined if it will not. */
    readonly wait?: number,
    /** The place in the FEN, in bytes, if that is known. */
    readonly offset?: number,
  ) {
    super(message);
  }

  /** Whether the FEN cannot be read. */
  get isOfFen() {
    return this.kind === "bad-fen";
  }

  /** Whether it is the position that is wrong. */
  get isOfPosition() {
    return this.isOfFen || this.kind === "illegal-position";
  }
}

export const problemOf = (error: unknown) =>
  error instanceof Problem ? error : new Problem(String(error), "fault");

/** Seconds before a question is asked again, if nobody says how many. */
export const PAUSE = 4;

/**
 * Asks again, after a while, if that may help. `onWait` gets the reason for the wait.
 */
export async function persist<T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
  onWait: (problem: Problem) => void,
): Promise<T> {
  for (let longer = 1; ; longer = Math.min(2 * longer, 8)) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem) || error.wait === undefined) throw error;
      onWait(error);
      await pause(error.wait * longer, signal);
    }
  }
}

/** Waits some seconds; an error if they are cut off. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
