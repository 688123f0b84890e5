/** The error that is thrown where there is no answer. */
export class RetrogradeError extends Error {
  get name() {
    return "RetrogradeError";
  }

  constructor(message, kind, offset, material) {
    super(message);
    this.kind = kind;
    this.offset = offset ?? null;
    if (material !== undefined) this.material = material;
  }
}
