// Takes UCI moves apart, for arrows and dragging.

export interface Step {
  from: string;
  to: string;
}

/**
 * The squares where a move begins and ends: `e2e4`, `a7a8q`, `e9e10q`, and in Chess 99 `f1=nd2`,
 * `f8b4*` and `e1&h1`. Null for a pass.
 */
export function step(uci: string): Step | null {
  const found = /^([a-j]\d+)(?:=[a-z]|&)?([a-j]\d+)[a-z]?\*?$/.exec(uci);
  const [, from, to] = found ?? [];
  return from !== undefined && to !== undefined ? { from, to } : null;
}
