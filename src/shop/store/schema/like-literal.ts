/** For `like … escape '\'`: the text itself, wherever it has characters that mean something there. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, character => `\\${character}`)
}
