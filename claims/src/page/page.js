(() => {
  const SIDE = 45;
  const NAMES = { k: "king", q: "queen", a: "paladin", c: "chancellor", r: "rook", b: "bishop", n: "knight", p: "pawn" };

  /** The men by their squares, and the squares of the royal ones. */
  function read(placement) {
    const [rows, royals = ""] = placement.split(" ");
    const ranks = rows.split("/");
    const men = new Map();
    ranks.forEach((row, y) => {
      let x = 0;
      for (const [man, gap] of row.matchAll(/(\d+)|\.?[A-Za-z]/g)) {
        if (gap) x += Number(gap);
        else men.set(String.fromCharCode(97 + x++) + (ranks.length - y), man);
      }
    });
    return { men, ranks: ranks.length, royals: royals.split(",").filter(Boolean) };
  }

  function draw(board, placement, before) {
    const { men, ranks, royals } = read(placement);
    const add = (name, attributes, parent = board) => {
      const element = document.createElementNS(board.namespaceURI, name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      parent.append(element);
      return element;
    };
    const corner = (square) => ({ x: (square.charCodeAt(0) - 97) * SIDE, y: (ranks - square.slice(1)) * SIDE });
    while (board.children.length > 1) board.lastChild.remove();
    if (before) {
      const old = read(before).men;
      for (const square of new Set([...old.keys(), ...men.keys()])) {
        if (old.get(square) !== men.get(square)) add("rect", { class: "moved", ...corner(square), width: SIDE, height: SIDE });
      }
    }
    for (const square of royals) {
      const { x, y } = corner(square);
      add("rect", { class: "royal", x: x + 2, y: y + 2, width: SIDE - 4, height: SIDE - 4, rx: 6 });
    }
    const words = { w: [], b: [] };
    for (const [square, man] of men) {
      const letter = man.at(-1);
      const side = letter === letter.toUpperCase() ? "w" : "b";
      const { x, y } = corner(square);
      if (man.length === 1) add("use", { class: side, href: `#p${letter.toUpperCase()}`, x, y });
      else {
        const disc = add("g", { class: side });
        add("circle", { cx: x + 22, cy: y + 22, r: 17 }, disc);
        add("text", { x: x + 22, y: y + 30 }, disc).textContent = letter.toUpperCase();
      }
      words[side].push(`${man.length === 1 ? NAMES[letter.toLowerCase()] : letter} ${square}`);
    }
    board.setAttribute("aria-label", `White: ${words.w.join(", ")}. Black: ${words.b.join(", ")}.`);
  }

  function button(text, label, act) {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = text;
    if (label) element.setAttribute("aria-label", label);
    element.addEventListener("click", act);
    return element;
  }

  for (const figure of document.querySelectorAll("[data-line]")) {
    const placements = figure.dataset.line.split("|");
    const board = figure.querySelector(".board");
    const first = board.cloneNode(true);
    const moves = [...figure.querySelectorAll(".line i")];
    const place = document.createElement("span");
    place.setAttribute("role", "status");
    let at = 0;
    const go = (to) => {
      at = Math.max(0, Math.min(to, moves.length));
      if (at) draw(board, placements[at], placements[at - 1]);
      else {
        board.replaceChildren(...first.cloneNode(true).childNodes);
        board.setAttribute("aria-label", first.getAttribute("aria-label"));
      }
      moves.forEach((move, n) => move.classList.toggle("now", n === at - 1));

      place.textContent = at ? `${at} of ${moves.length}` : "";
      /* A button that is disabled would lose the focus. */
      for (const element of [back, start]) element.setAttribute("aria-disabled", !at);
      next.setAttribute("aria-disabled", at === moves.length);
    };
    const start = button("Start", "", () => go(0));
    const back = button("‹", "Back", () => go(at - 1));
    const next = button("›", "Next move", () => go(at + 1));
    const controls = document.createElement("p");
    controls.className = "step";
    controls.append(back, next, start, place);
    controls.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowRight") go(at + 1);
      if (key === "ArrowLeft") go(at - 1);
    });
    board.after(controls);
    moves.forEach((move, n) => move.addEventListener("click", () => go(n + 1)));
    go(0);
  }

  for (const probe of document.querySelectorAll(".probe")) {
    const copy = button("Copy", "Copy the command", async () => {
      const { textContent } = probe.querySelector("code");
      try {
        await navigator.clipboard.writeText(textContent);
      } catch {
        getSelection().selectAllChildren(probe.querySelector("code"));
        document.execCommand("copy");
      }
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy"), 1500);
    });
    probe.append(copy);
  }

  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
