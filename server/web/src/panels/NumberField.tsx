// A field for a number. What is half typed stays in the field until it is a number that fits.

import { useEffect, useState } from "react";

interface Props {
  label: string;
  value: string;
  least: number;
  most: number;
  onChange(value: string): void;
  /** Called when nothing more is typed. */
  onSettle(): void;
}

export function NumberField({ label, value, least, most, onChange, onSettle }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  // Another position, as by the back button, is not what is being typed.
  useEffect(() => setDraft((draft) => (draft && Number(draft) === Number(value) ? draft : null)), [value]);
  const type = (text: string) => {
    setDraft(text);
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) onChange(String(Number(text)));
  };
  const settle = () => {
    if (draft !== null && /^-?\d+$/.test(draft)) {
      const nearest = String(Math.min(Math.max(Number(draft), least), most));
      if (nearest !== value) onChange(nearest);
    }
    setDraft(null);
    onSettle();
  };
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="number"
        min={least}
        max={most}
        value={draft ?? value}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && settle()}
        onBlur={settle}
      />
    </label>
  );
}
