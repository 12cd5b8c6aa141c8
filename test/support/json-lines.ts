/** The values of a text with JSON in each line, as `-o ndjson` prints it; empty lines are none. */
export function readJsonLines<Row = ReturnType<typeof JSON.parse>>(text: string): Row[] {
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => JSON.parse(line))
}
