// A button that copies a text, or else selects it where it stands.

import { useEffect, useState } from "react";

interface Props {
  /** The text in a word, such as "FEN". */
  name: string;
  text: string;
  input: React.RefObject<HTMLInputElement | null>;
}

export function CopyButton({ name, text, input }: Props) {
  const [outcome, setOutcome] = useState<"copied" | "selected" | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), outcome === "copied" ? 1500 : 6000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      // Without HTTPS there is no clipboard.
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      input.current?.focus();
      input.current?.select();
      setOutcome(document.execCommand("copy") ? "copied" : "selected");
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {outcome === "copied" ? "Copied" : "Copy"}
      </button>
      <p className={outcome === "selected" ? "note" : "hidden"} role="status">
        {outcome === "copied" && "Copied"}
        {outcome === "selected" && `The browser does not let this page copy. The ${name} is selected: copy it by hand.`}
      </p>
    </>
  );
}
