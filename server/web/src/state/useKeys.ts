// Handles keys that work wherever the focus is, unless something there needs them.

import { useEffect, useRef } from "react";
import type { Explorer, Mode } from "./useExplorer";

/** Keys that switch to another use of the board, and back to playing. */
const MODES: Record<string, Mode> = { e: "edit", m: "map" };

export function useKeys(explorer: Explorer) {
  const latest = useRef(explorer);
  latest.current = explorer;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("input, select, textarea, summary, dialog")) return;
      const onButton = target?.closest("button, a");
      const explorer = latest.current;
      const mode = MODES[event.key];
      if (event.key === " " && !onButton) {
        if (explorer.mode !== "edit" && explorer.best) explorer.play(explorer.best);
      } else if (event.key === "ArrowLeft") explorer.back();
      else if (event.key === "ArrowRight") explorer.forward();
      else if (event.key === "f" || mode) {
        // Held down, they would flicker.
        if (event.repeat) return;
        if (mode) explorer.setMode(explorer.mode === mode ? "play" : mode);
        else explorer.flip();
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}
