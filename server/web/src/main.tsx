// Starts the page: mounts the app in it.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { Fallback } from "./Fallback";
import { askAhead } from "./state/ahead";
import "./styles/base.css";
import "./styles/board.css";
import "./styles/panels.css";
import "./styles/doors.css";

askAhead(location.search);
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Fallback>
        <App />
      </Fallback>
    </StrictMode>,
  );
}
