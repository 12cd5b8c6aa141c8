/**
 * A text as a URL; `undefined` where it is none. `URL.canParse` is not asked: on Node 20, once its caller is compiled, it
 * takes no letters like `ü` any more.
 *
 * @param base what a relative address is relative to
 */
export function findUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
