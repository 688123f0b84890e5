// A link to a file, which has an address or is made when it is asked for.

import type { ReactNode } from "react";
import { problemOf } from "../api";
import type { File } from "../source/source";
import { problemWords } from "../words";

interface Props {
  /** The name under which it is saved. */
  name: string;
  file: File;
  /** Called with the reason why it cannot be made. */
  onProblem(words: string): void;
  children: ReactNode;
}

export function FileLink({ name, file, onProblem, children }: Props) {
  if (typeof file === "string") {
    return (
      <a href={file} download={name}>
        {children}
      </a>
    );
  }
  const save = async () => {
    try {
      const address = URL.createObjectURL(new Blob([await file()], { type: "application/x-chess-pgn" }));
      const link = document.createElement("a");
      link.href = address;
      link.download = name;
      link.click();
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch (error) {
      onProblem(problemWords(problemOf(error)));
    }
  };
  return (
    <button type="button" className="plain-link" onClick={() => void save()}>
      {children}
    </button>
  );
}
