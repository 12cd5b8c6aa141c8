/** A port of this machine that nobody listens at. */
export function freePort(): Promise<number>
