/** Calls `open` at the first use only; later calls get the same promise. */
export function memoize<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}
