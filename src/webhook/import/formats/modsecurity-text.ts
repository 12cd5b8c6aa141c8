import {type Lines, LONGEST_PIECE, type RawLine} from '../../../language/lines/line-reader.js'
import {parseLogTime} from '../../../language/lines/log-time.js'
import type {CapturedRequest} from './captured-request.js'
import {type LineFormat, toPiece} from './import-format.js'

/** A transaction of ModSecurity's serial audit log. @see ModSecurity 2 data formats, "Audit Log" */
export const AUDIT_RECORD = {
  takes: 'line',
  name: 'log',
  also: ['http'],
  starts: line => SECTION.exec(line)?.[2] === 'A',
  read: async function* (_, line, reader) {
    yield toPiece(line.line, await parseAuditRecord(line, reader))
  },
} as const satisfies LineFormat

/** A section begins: `--c7036611-B--`, of newer versions `---c7036611---B--`. */
const SECTION = /^-{2,3}([0-9A-Za-z]{4,32})-{1,3}([A-Z])--\s*$/

const REQUEST_LINE = /^([A-Z]{3,10}) (\S+) HTTP\/\d/
const STATUS_LINE = /^HTTP\/\d(?:\.\d)? (\d{3})\b/

/** Reads a transaction up to its last section: the request is in B, its body in C, the answer in F. */
async function parseAuditRecord(first: RawLine, reader: Lines): Promise<CapturedRequest> {
  const [, id] = SECTION.exec(first.bytes.toString('latin1')) ?? []
  const sections = new Map<string, Buffer[]>([['A', []]])
  let lines = sections.get('A') as Buffer[]
  let size = 0
  for (let next = await reader.readLine(); next; next = await reader.readLine()) {
    const [, ofId, name] = SECTION.exec(next.bytes.toString('latin1', 0, 64)) ?? []
    const isOther = name !== undefined && ofId !== id
    if (isOther) reader.pushBack(next)
    if (isOther || name === 'Z') break
    size += next.bytes.length
    if (name !== undefined) {
      lines = []
      sections.set(name, lines)
    } else if (size <= LONGEST_PIECE) lines.push(next.bytes)
  }
  return toCaptured(sections)
}

function toCaptured(sections: ReadonlyMap<string, readonly Buffer[]>): CapturedRequest {
  const readLines = (name: string) =>
    (sections.get(name) ?? []).map(bytes => bytes.toString('latin1').replace(/\r$/, ''))
  const [head = '', ...headers] = readLines('B')
  const [, method, target] = REQUEST_LINE.exec(head) ?? []
  const [, status] = STATUS_LINE.exec(readLines('F')[0] ?? '') ?? []
  const body = sections.get('C')
  return {
    ...{method, target, at: parseLogTime(readLines('A')[0] ?? '')},
    headers: headers.flatMap(line => {
      const [, name, value] = /^([\w-]+):(.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value.trimStart()] as const]
    }),
    body: body && joinBody(body),
    answer: status === undefined ? undefined : {status: Number(status)},
  }
}

/** An empty line may stand between the body and the next section. */
function joinBody(lines: readonly Buffer[]): Buffer | undefined {
  const text = lines
    .map(line => line.toString('latin1'))
    .join('\n')
    .trim()
  return text === '' ? undefined : Buffer.from(text, 'latin1')
}
