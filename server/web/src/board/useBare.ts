// Takes the roles of buttons from pieces that can be dragged: the board and the trays can be worked
// by keyboard, and say so, as a whole. The component makes each piece a button without a name.

import { useEffect, useRef } from "react";

const ATTRIBUTES = ["role", "tabindex", "aria-disabled", "aria-roledescription", "aria-describedby"];

function strip(within: HTMLElement) {
  for (const piece of within.querySelectorAll("[aria-roledescription]")) {
    for (const name of ATTRIBUTES) piece.removeAttribute(name);
  }
}

/** Takes these roles from everything within an element, whenever it appears. */
export function useBare<E extends HTMLElement>() {
  const place = useRef<E>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    strip(element);
    const observer = new MutationObserver(() => strip(element));
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return place;
}
