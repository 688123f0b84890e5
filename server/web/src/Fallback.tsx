// Shows a message if the page itself fails.

import { Component, type ReactNode } from "react";

export class Fallback extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <main className="document">
        <div role="alert">
          <h1>Something went wrong</h1>
          <p>
            This page has failed. <a href={location.href}>Load it again</a>, or{" "}
            <a href={import.meta.env.BASE_URL}>begin anew</a>.
          </p>
        </div>
      </main>
    );
  }
}
