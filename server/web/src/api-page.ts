// The page that documents the HTTP interface, built from its OpenAPI description.

import "./styles/base.css";
import "./styles/panels.css";

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
}

interface Operation {
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  responses: Record<string, { description: string }>;
}

interface Document {
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
}

type Child = Node | string;

function element(name: string, ...children: Child[]): HTMLElement {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

function link(href: string, text: string): HTMLElement {
  const made = element("a", text);
  made.setAttribute("href", href);
  return made;
}

function table(heads: string[], rows: Child[][]): HTMLElement {
  const cells = (kind: string, row: Child[]) => element("tr", ...row.map((cell) => element(kind, cell)));
  return element("table", element("thead", cells("th", heads)), element("tbody", ...rows.map((row) => cells("td", row))));
}

/** A request to try, if nothing has to be sent. */
function example(path: string, { parameters = [] }: Operation): string {
  let uri = path;
  const query: string[] = [];
  for (const { name, in: place, example, required } of parameters) {
    if (place === "path") uri = uri.replace(`{${name}}`, String(example));
    else if (required) query.push(`${name}=${String(example).replaceAll(" ", "_")}`);
  }
  return query.length > 0 ? `${uri}?${query.join("&")}` : uri;
}

/** A text of the description, in which code stands between backticks. */
function prose(text: string): Child[] {
  return text.split("`").map((part, place) => (place % 2 ? element("code", part) : part));
}

function operation(method: string, path: string, told: Operation): HTMLElement {
  const parts: Child[] = [element("h2", element("code", `${method.toUpperCase()} ${path}`))];
  parts.push(element("p", ...prose([told.summary, told.description].filter(Boolean).join(" "))));
  if (told.parameters?.length) {
    const rows = told.parameters.map(({ name, required, description = "" }) => [
      element("code", name),
      required ? "yes" : "no",
      element("span", ...prose(description)),
    ]);
    parts.push(table(["Parameter", "Needed", "Meaning"], rows));
  }
  const statuses = Object.entries(told.responses).map(([status, { description }]) => [
    status,
    element("span", ...prose(description)),
  ]);
  parts.push(table(["Status", "Meaning"], statuses));
  if (method === "get") {
    const uri = example(path, told);
    parts.push(element("p", "For example: ", link(uri, uri)));
  }
  return element("section", ...parts);
}

async function show(main: HTMLElement): Promise<void> {
  const response = await fetch("/api/openapi.json");
  const told: Document = await response.json();
  const operations = Object.entries(told.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => operation(method, path, one)),
  );
  main.replaceChildren(
    element("h1", `${told.info.title}: interface for programs`),
    element("p", ...prose(told.info.description)),
    element("p", "This page as ", link("/api/openapi.json", "OpenAPI"), ". ", link("/", "Back to the board"), "."),
    ...operations,
  );
}

const main = document.getElementById("api");
if (main) {
  show(main).catch(() => main.replaceChildren(element("p", "The server does not answer.")));
}
