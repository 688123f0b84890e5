// Handles keys that work wherever the focus is, unless something there needs them.

import { useEffect, useRef } from "react";
import type { Explorer, Mode } from "./useExplorer";
import type { Practice } from "./usePractice";

/** Keys that switch to another use of the board, and back to playing. */
const MODES: Record<string, Mode> = { e: "edit", m: "map", p: "practice" };

export function useKeys(explorer: Explorer, practice: Practice | null) {
  const latest = useRef({ explorer, practice });
  latest.current = { explorer, practice };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("input, select, textarea, summary, dialog")) return;
      const onButton = target?.closest("button, a");
      const { explorer, practice } = latest.current;
      const mode = MODES[event.key];
      if (event.key === " " && !onButton) {
        // In practice that would be the answer.
        if (explorer.mode !== "edit" && !practice && explorer.best) explorer.play(explorer.best);
      } else if (event.key === "ArrowLeft") (practice?.takeBack ?? explorer.back)();
      else if (event.key === "ArrowRight" && !practice) explorer.forward();
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
