/**
 * Control characters (C0, DEL, C1), the bidirectional overrides that can repaint a terminal or a line, and halves of
 * characters, which no output can hold.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being looked for
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Cs}]/gu

const NAMED: Readonly<Record<string, string>> = {'\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e'}

/** The text with every character that a terminal would obey written out instead: `\e[31m` for a red switch. */
export function escapeControls(text: string): string {
  return text.replace(
    HARMFUL,
    char => NAMED[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The same for text of several lines: its line breaks stay. */
export function escapeControlsInLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n')
}
