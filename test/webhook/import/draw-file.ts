import {gzipSync} from 'node:zlib'
import {Random} from '../../simulation/random.js'
import {compactJson} from './reading.js'

/** An event that a file holds. */
export interface Hidden {
  /** Its body as it has to be stored. */
  readonly body: string
  /** Whether its lines were marked, so that only what is not blank is known. */
  readonly isMarked: boolean
}

/** A part of a file: one line or several, with the events in it. */
export interface Part {
  readonly text: string
  readonly events: readonly Hidden[]
  /** Whether it holds something with `event_type` that is no event, and may be called a fault. */
  readonly mayBeFault: boolean
}

const ENCODINGS = ['utf8', 'utf8-bom', 'utf16le', 'utf16be', 'gzip', 'crlf'] as const

export interface DrawnFile {
  readonly seed: number
  readonly encoding: (typeof ENCODINGS)[number]
  readonly pieceBytes: number
  /** Written before the parts, as the header of a table is. */
  readonly header: string
  readonly parts: readonly Part[]
}

/** A file of events in wrappers that a seed decides. */
export function drawFile(seed: number): DrawnFile {
  const random = new Random(seed)
  const drawn = new Draw(random, seed)
  const kind = random.below(8)
  return {
    seed,
    encoding: random.pick(ENCODINGS),
    pieceBytes: random.pick([7, 100, 4096, 1 << 20]),
    header: kind === 0 ? 'id,time,payload,status\n' : '',
    parts: kind === 0 ? drawn.drawRows() : kind === 1 ? [drawn.drawDocument()] : drawn.drawLines(),
  }
}

/** The bytes of a file. */
export function encodeFile({encoding, header, parts}: DrawnFile): Buffer {
  const text = header + parts.map(part => part.text).join('')
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text)
    case 'utf8-bom':
      return Buffer.from(`\ufeff${text}`)
    case 'utf16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le')
    case 'utf16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
    case 'gzip':
      return gzipSync(text)
    case 'crlf':
      return Buffer.from(text.replaceAll('\n', '\r\n'))
  }
}

/** The bodies that a file holds, in any order: without blanks between their parts where the lines were marked. */
export function listHidden({encoding, parts}: DrawnFile): Hidden[] {
  return parts
    .flatMap(({events}) => events)
    .map(({body, isMarked}) => {
      const text = encoding === 'crlf' ? body.replaceAll('\n', '\r\n') : body
      return {body: isMarked ? compactJson(text) : text, isMarked}
    })
}

type Tree =
  | {
      readonly kind: 'event'
      readonly members: readonly (readonly [string, string])[]
      readonly isTwin?: boolean
    }
  | {readonly kind: 'raw'; readonly text: string}
  | {readonly kind: 'list'; readonly items: readonly Tree[]}
  | {readonly kind: 'object'; readonly members: readonly (readonly [string, Tree])[]}
  | {readonly kind: 'text'; readonly before: string; readonly inner: Tree; readonly behind: string}

const NAMES = 'body data payload msg req request attributes fields _source params hit detail x1 Größe "q" a.b'
  .split(' ')
  .concat('events', 'log', 'item', 'message', 'body', 'type', 'status', 'url')

/** Values of events and records that a reader may stumble over. */
const TRICKY = [
  ...[
    '',
    'a',
    'ä – 急須 😀',
    'it\'s "quoted"',
    '{',
    '}',
    '[{',
    '}]',
    '\\',
    '\\"',
    '// no comment',
    '> no mark',
  ],
  ...['/* x */', 'line\nbreak\ttab', '"event_type"', '{"id":"evt_1"}', "https://x.example/?a=b&c='d'", '```'],
  ...['a,b;c', '$(x) `y`', '\u2028', 'NaN'],
]

const RAW = ['0', '-1.50', '1e3', 'true', 'null', '12345678901234567890', '[]', '{}', '[1, [2]]', '{"id": 7}']

/** Lines that hold nothing. */
const NOISE = [
  ...[
    '',
    'start',
    '2026-11-25 17:50:05 INFO ready',
    "it's open, please look",
    'said "no',
    'if (ok) {',
    '}',
    '{main}',
  ],
  ...[
    '[2026-11-25 17:50:07] app.INFO: done {"a":1} []',
    '{"level":30,"msg":"up"}',
    '{"id":"evt_9","ok":true}',
    '---',
  ],
  ...[
    '[pod/a/b] ok',
    '```',
    'a,b,"c"',
    '- [ ] call them',
    '[1,2]',
    '"text"',
    '42',
    '#0 /app/x.php(3): f()',
    '...',
  ],
  ...[
    '\tat Object.<anonymous> (/app/x.js:1:2)',
    '</p>',
    'status=400 path="/x"',
    'id: evt_4',
    '[',
    ']',
    '(',
    '"',
  ],
]

const BEFORE_LINE = [
  ...['', '', '', '2026-11-25T17:50:06Z INFO body=', '2026-11-25T17:50:06.0001Z stdout F ', '[pod/a/b] '],
  ...[
    'Nov 25 17:50:06 web1 php[7]: got ',
    'web-1  | ',
    '[2026-11-25 17:50:06] webhook.INFO: got ',
    'x: {a} ',
  ],
]

class Draw {
  #events = 0

  constructor(
    private readonly random: Random,
    private readonly seed: number,
  ) {}

  drawDocument(): Part {
    return this.#toPart(this.#drawRecord(8), this.random.pick([0, 1, 2, 4]), {
      behind: this.random.pick(['', '\n']),
    })
  }

  /** Rows of a table, whose cells hold records. */
  drawRows(): Part[] {
    return this.#times(1, 5, at => {
      const part = this.#toPart(this.#drawRecord(4), this.random.pick([0, 0, 2]), {isRow: true})
      return {...part, text: `${at},"Nov 25, 2026","${part.text.replaceAll('"', '""')}",400\n`}
    })
  }

  drawLines(): Part[] {
    const parts = this.#times(1, 5, () => this.#drawLayout())
    return parts.flatMap(part => [...this.#times(0, 3, () => this.#drawNoise()), part])
  }

  #drawNoise(): Part {
    if (!this.random.chance(0.1)) return {text: `${this.random.pick(NOISE)}\n`, events: [], mayBeFault: false}
    return {text: '{"event_type":"X.Y","note":"no id"}\n', events: [], mayBeFault: true}
  }

  #drawLayout(): Part {
    const {random} = this
    const record = this.#drawRecord(random.pick([0, 1, 3, 8]))
    const indent = random.pick([1, 2, 4])
    switch (random.below(11)) {
      case 0:
        return this.#toPart(record, indent, {behind: '\n'})
      case 1:
        return this.#toPart(record, indent, {before: '```json\n', behind: '\n```\n'})
      case 2:
        return this.#toPart(record, indent, {before: 'const event = ', behind: ';\n'})
      case 3:
        return this.#toPart(record, indent, {before: '// copied {from} "there"\n', behind: '\n'})
      case 4:
        return this.#mark(this.#toPart(record, random.pick([0, indent]), {behind: '\n'}), '> ')
      case 5:
        return this.#mark(this.#toPart(record, indent, {behind: '\n'}), random.pick(['    ', '\t']))
      case 6:
        return this.#split(this.#toPart(record, 0, {}))
      case 7:
        return this.#drawManyInOne()
      case 8:
        return this.#drawInsert()
      case 9:
        return this.#toPart(record, indent, {
          before: '[2026-11-25 17:50:06] webhook.INFO: got ',
          behind: '\n',
        })
      default:
        return this.#toPart(record, 0, {
          before: random.pick(BEFORE_LINE),
          behind: random.pick(['\n', ' in 12 ms\n']),
        })
    }
  }

  /** Marks at the beginning of each line. */
  #mark({text, events, mayBeFault}: Part, mark: string): Part {
    const marked = events.map(({body, isMarked}) => ({body, isMarked: isMarked || body.includes('\n')}))
    const lines = text.split('\n').map(line => (line === '' ? '' : `${mark}${line}`))
    return {text: lines.join('\n'), events: marked, mayBeFault}
  }

  /** Parts of a line, as Kubernetes stores it. */
  #split(part: Part): Part {
    const size = this.random.pick([17, 100, 1000])
    const characters = Array.from(part.text)
    const lines: string[] = []
    for (let at = 0; at < characters.length; at += size) {
      const tag = at + size < characters.length ? 'P' : 'F'
      lines.push(`2026-11-25T17:50:06.000000001Z stdout ${tag} ${characters.slice(at, at + size).join('')}\n`)
    }
    return {...part, text: lines.join('')}
  }

  #drawManyInOne(): Part {
    const records = this.#times(2, this.random.chance(0.05) ? 150 : 8, () =>
      this.#toPart(this.#drawRecord(2), 0, {}),
    )
    const by = this.random.pick([' ', ', ', ' and ', ''])
    return this.#join(records, records.map(({text}) => text).join(by))
  }

  #drawInsert(): Part {
    const escapeQuotes = (text: string) => text.replace(/["'\\]/g, '\\$&')
    const rows = this.#times(1, 6, () => this.#toPart(this.#drawRecord(2), 0, {}))
    const values = rows.map(({text}, at) => `(${at},'${escapeQuotes(text)}',400,NULL)`)
    return this.#join(rows, `INSERT INTO \`log\` VALUES ${values.join(',')};`)
  }

  #join(parts: readonly Part[], text: string): Part {
    const mayBeFault = parts.some(part => part.mayBeFault)
    return {text: `${text}\n`, events: parts.flatMap(({events}) => events), mayBeFault}
  }

  #toPart(
    record: Tree,
    indent: number,
    {before = '', behind = '', isRow = false}: {before?: string; behind?: string; isRow?: boolean},
  ): Part {
    const events: Hidden[] = []
    const isTwoLined = isRow && indent > 0
    const text = print(record, indent, '', (body, isInText) =>
      events.push({body, isMarked: isTwoLined && !isInText}),
    )
    // A line with the word and no more, and a type without an id.
    const mayBeFault = /event_type\\*"\s*:\s*\\*"X\.Y|^\s*"\\"event_type\\"",?$/m.test(text)
    return {text: `${before}${text}${behind}`, events, mayBeFault}
  }

  /** @param most levels around the event, 8 at most with those of decoys and texts */
  #drawRecord(most: number): Tree {
    let record: Tree = this.#drawEvent()
    let levels = 0
    while (levels < most) {
      const [next, added] = this.#wrap(record, most - levels)
      record = next
      levels += added
      if (this.random.chance(0.2)) break
    }
    return record
  }

  #wrap(inner: Tree, most: number): [Tree, number] {
    const {random} = this
    const kind = random.below(most > 1 ? 4 : 2)
    if (kind === 0) return [{kind: 'list', items: this.#among(inner)}, 1]
    if (kind === 1) return [{kind: 'object', members: this.#besides(inner)}, 1]
    const [before, behind] = random.pick([
      ...[['', ''] as const, ['', ''] as const],
      ...[['refused 400 ', ''] as const, ['got ', ' in 12 ms\n'] as const, ['{x} "', '"'] as const],
    ])
    const text: Tree = {kind: 'text', before, inner, behind}
    if (kind === 2 || inner.kind !== 'event') return [{kind: 'object', members: this.#besides(text)}, 2]
    const twin: Tree = {kind: 'text', before: '', inner: {...inner, isTwin: true}, behind: ''}
    const both = random.shuffle([['parsed', inner] as const, ['raw', twin] as const])
    return [{kind: 'object', members: [...this.#decoys(), ...both]}, 2]
  }

  #among(inner: Tree): Tree[] {
    const others: Tree[] = this.#times(0, 3, () => this.#drawScalar())
    if (this.random.chance(0.2)) others.push(this.#drawEvent())
    return this.random.shuffle([inner, ...others])
  }

  #besides(inner: Tree): (readonly [string, Tree])[] {
    return this.random.shuffle([[this.random.pick(NAMES), inner] as const, ...this.#decoys()])
  }

  /** Members that are no event, of names that do not come twice. */
  #decoys(): (readonly [string, Tree])[] {
    const {random} = this
    const members = this.#times(0, 3, (at): readonly [string, Tree] => [`m${at}`, this.#drawScalar()])
    const [id, type] = [random.chance(0.3), random.chance(0.3)]
    if (id) members.push(['id', {kind: 'raw', text: random.pick(['"evt_1"', '7', '"WH-NONE"'])}])
    else if (type) members.push(['event_type', {kind: 'raw', text: '"X.Y"'}])
    return members
  }

  #drawScalar(): Tree {
    const {random} = this
    return {kind: 'raw', text: random.chance(0.5) ? random.pick(RAW) : writeText(random, random.pick(TRICKY))}
  }

  #drawEvent(): Tree {
    const {random} = this
    const digits = `${this.seed}`.padStart(9, '0')
    const id = `WH-${digits}-${String(++this.#events).padStart(5, '0')}`
    const members = this.#times(0, 4, at => [`x${at}`, this.#drawValue()] as const)
    const head = [
      ['id', JSON.stringify(id)],
      [
        'event_type',
        writeText(random, random.pick(['PAYMENT.CAPTURE.COMPLETED', 'CHECKOUT.ORDER.APPROVED'])),
      ],
      ['resource', `{"id":"C${this.#events}","custom_id":${JSON.stringify(JSON.stringify({a: id}))}}`],
    ] as const
    return {kind: 'event', members: random.shuffle([...head, ...members])}
  }

  #drawValue(): string {
    const {random} = this
    if (random.chance(0.6)) return writeText(random, random.pick(TRICKY))
    return random.chance(0.5) ? random.pick(RAW) : `[{"name":${writeText(random, random.pick(TRICKY))}}]`
  }

  #times<T>(least: number, most: number, draw: (at: number) => T): T[] {
    return Array.from({length: least + this.random.below(most - least + 1)}, (_, at) => draw(at))
  }
}

/** A text as JSON, in one of the ways that it may be escaped. */
function writeText(random: Random, text: string): string {
  const plain = JSON.stringify(text)
  const kind = random.below(4)
  if (kind === 0) return plain.replaceAll('/', '\\/')
  if (kind > 1) return plain
  return plain.replace(/[^ -~]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** @param found is given each event's text as it is in the innermost text around it */
function print(
  tree: Tree,
  indent: number,
  at: string,
  found: (body: string, isInText: boolean) => void,
  isInText = false,
): string {
  const inner = indent > 0 ? `${at}${' '.repeat(indent)}` : ''
  const enclose = (open: string, parts: readonly string[], close: string) => {
    if (parts.length === 0 || indent === 0) return `${open}${parts.join(',')}${close}`
    return `${open}\n${parts.map(part => inner + part).join(',\n')}\n${at}${close}`
  }
  const colon = indent > 0 ? ': ' : ':'
  switch (tree.kind) {
    case 'raw':
      return tree.text
    case 'list': {
      const items = tree.items.map(item => print(item, indent, inner, found, isInText))
      return enclose('[', items, ']')
    }
    case 'object': {
      const members = tree.members.map(
        ([name, value]) => `${JSON.stringify(name)}${colon}${print(value, indent, inner, found, isInText)}`,
      )
      return enclose('{', members, '}')
    }
    case 'event': {
      const body = enclose(
        '{',
        tree.members.map(([name, value]) => `"${name}"${colon}${value}`),
        '}',
      )
      if (!tree.isTwin) found(body, isInText)
      return body
    }
    case 'text':
      return JSON.stringify(`${tree.before}${print(tree.inner, 0, '', found, true)}${tree.behind}`)
  }
}
