/**
 * The name and value of a header written as `Name: value`, without the blanks around the value.
 *
 * @returns `undefined` for what is no header in ASCII
 * @see RFC 9110 §5.5, §5.6.2
 */
export function parseHeaderField(line: string): {readonly name: string; readonly value: string} | undefined {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*)$/.exec(line) ?? []
  return name === undefined || value === undefined ? undefined : {name, value: value.trim()}
}
