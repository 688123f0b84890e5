// A button for the colours of the page: light, dark, or as the system has it.

import { useEffect, useState } from "react";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

function stored(): Theme {
  try {
    const theme = localStorage.getItem("theme");
    return THEMES.find((known) => known === theme) ?? "auto";
  } catch {
    return "auto";
  }
}

export function ThemeButton() {
  const [theme, setTheme] = useState(stored);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // Then it is forgotten.
    }
  }, [theme]);
  return (
    <label className="theme">
      <span>Colours</span>
      <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
        {THEMES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
