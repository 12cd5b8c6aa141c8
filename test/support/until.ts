/** How long is waited in all: shorter than any test may take, so that it is this that says what was waited for. */
const LOOKS = 3000
const BETWEEN_LOOKS_MS = 5

/** The real one, whatever a test makes of it. */
const {setTimeout} = globalThis

/**
 * Waits until a look at something finds it.
 *
 * @param what is waited for, as the failure names it: "until WHAT"
 * @param look gives `false`, or throws, as long as it is not there
 * @returns what the look found
 */
export async function until<T>(what: string, look: () => T | false | Promise<T | false>): Promise<T> {
  let why: unknown
  for (let looks = 0; looks < LOOKS; looks++) {
    try {
      const found = await look()
      if (found !== false) return found
      why = undefined
    } catch (error) {
      why = error
    }
    await new Promise(resolve => setTimeout(resolve, BETWEEN_LOOKS_MS))
  }
  throw new Error(`waited in vain until ${what}`, {cause: why})
}
