// Handles keys that work wherever the focus is, unless something there needs them.

import { useEffect, useRef } from "react";
import type { Explorer } from "./useExplorer";

export function useKeys(explorer: Explorer, editing: boolean, onEditing: (editing: boolean) => void) {
  const latest = useRef({ explorer, editing, onEditing });
  latest.current = { explorer, editing, onEditing };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("input, select, textarea, summary, dialog")) return;
      const onButton = target?.closest("button, a");
      const { explorer, editing, onEditing } = latest.current;
      if (event.key === " " && !onButton) {
        if (!editing && explorer.best) explorer.play(explorer.best);
      } else if (event.key === "ArrowLeft") explorer.back();
      else if (event.key === "ArrowRight") explorer.forward();
      else if (event.key === "f" || event.key === "e") {
        // Held down, they would flicker.
        if (event.repeat) return;
        if (event.key === "f") explorer.flip();
        else onEditing(!editing);
      } else return;
      event.preventDefault();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}
