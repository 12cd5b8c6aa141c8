const RED = ['failed', 'rejected', 'unknown', 'invalid', 'conflict', 'broken', 'forged', 'error']
const YELLOW = ['held', 'hold', 'pending', 'paused', 'stopped', 'interrupted', 'unresponsive', 'warning']
const GREEN = ['applied', 'delivered', 'created', 'completed', 'verified', 'ok', 'send']

const CODES = new Map([
  ...RED.map(word => [word, 31] as const),
  ...YELLOW.map(word => [word, 33] as const),
  ...GREEN.map(word => [word, 32] as const),
])

/** Columns whose words have a colour. */
const COLORED = /(^|\.)(status|result|state|action|auditLog|health)$/

/** What colours the cells of a column: what failed red, what is held yellow, what went well green. */
export function findPaint(path: string): ((text: string) => string) | undefined {
  return COLORED.test(path) ? paintWord : undefined
}

/** The word in its colour, where it has one. */
export function paintWord(text: string): string {
  const code = CODES.get(text)
  return code === undefined ? text : `\u001b[${code}m${text}\u001b[39m`
}

/** Headings and labels. */
export function dim(text: string): string {
  return `\u001b[2m${text}\u001b[22m`
}
