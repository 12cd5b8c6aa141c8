import {afterAll, beforeAll, expect, test} from 'vitest'
import {sized} from './support/sized.js'
import {type CountSteps, openStepCounter} from './support/steps.js'

const isLong = sized(0, 1) === 1

/** What hostile texts are made of, over and over. */
const ATOMS = [
  ...[
    '"',
    '\\"',
    '"\\',
    '\\',
    "'",
    '`',
    'a',
    'a ',
    ' ',
    '\t',
    ' \r',
    '\r',
    '\n',
    '\n\n',
    'a\n',
    '"\n',
    "'\n",
    '"",',
  ],
  ...[
    '[',
    '[ ',
    ']',
    '{',
    '{ ',
    '{"a":',
    '{"a":1}',
    '}',
    '(',
    '$(',
    ',',
    '",',
    ';',
    ':',
    'a:b',
    '=',
    'a=b ',
    '&',
    '?',
    '%25',
  ],
  ...[
    '<',
    '<a',
    '>',
    '|',
    '|  ',
    '||',
    '$a',
    '$',
    '^',
    '^ ',
    '^\n',
    '-',
    '--',
    '.',
    '/',
    '//',
    '@',
    'a@',
    '#',
    '*',
    '~',
  ],
  ...[
    '1',
    '1.',
    '1,',
    '0',
    '-1',
    'ü',
    '😀',
    '\u001b[',
    '\u0000',
    '&amp;',
    '&#',
    '\\u0061',
    '\\x7b',
    'token=',
    '?-token[',
  ],
  ...[
    '(a)',
    'and ',
    'not ',
    'a = 1 and ',
    '-----BEGIN CERTIFICATE-----',
    'Bearer ',
    '"_error":"",',
    "curl '",
    'echo ',
  ],
]

/** What they end in: something that keeps a pattern from matching. */
const ENDS = ['', '\rx', '"', ' !']

/** A reader of something that comes from outside, and what its texts begin with. */
interface Reader {
  readonly name: string
  readonly beginnings: readonly string[]
  /** What once took more: beginning, what comes over and over, end. */
  readonly known?: readonly (readonly [string, string, string])[]
  /** Loaded once steps are counted. */
  readonly load: () => Promise<(text: string) => unknown>
}

const NOW = () => new Date(0)

/** As files are read. */
const PIECE = 64 * 1024

async function* inPieces(text: string) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

async function drain(all: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of all);
}

const READERS: readonly Reader[] = [
  {
    name: 'events of a file',
    beginnings: [
      ...[
        '',
        'x "',
        '1.2.3.4 [',
        'x {',
        '[',
        '{"events":[',
        '{"log":{"entries":[',
        '{"a":"',
        "curl -d '",
        'curl -d "',
        'curl ',
      ],
      ...['POST /x HTTP/1.1\n', 'POST /x HTTP/1.1\na:', '> POST / HTTP/1.1\n> a:'],
      ...[
        'cat <<E\n',
        '--abcd1234-A--\n[',
        '--abcd1234-A--\n--abcd1234-B--\nPOST / HTTP/1.1\na:',
        'method,content\n"',
        'method,content\n',
      ],
      ...[
        '[2026-11-20T10:00:00] app.ERROR: {',
        '[2026-11-20T10:00:00] ',
        'type: x.insomnia.rest/5\na: ',
        '{"event_type":"a","id":"',
      ],
      ...[
        '{\n',
        'const a = {\n',
        '> {\n',
        '// {\n',
        "INSERT INTO a VALUES (1,'{",
        'id,body\n1,"{""id"":"',
        'x "{\\"id\\":',
      ],
      ...['2026-11-25T17:50:06.0Z stdout P {'],
    ],
    known: [
      ...['{', '{\n', '[{', '{"id":', '{"id":"', '{\\"', '"{\\"', '{"event_type":"a",'].map(
        atom => ['', atom, ''] as const,
      ),
      ...['event_type ', '> {\n', '// {\n', '{"event_type":"a"\n', '2026-11-25T17:50:06.0Z stdout P {\n'].map(
        atom => ['x\n', atom, ''] as const,
      ),
      ["INSERT INTO a VALUES (1,'", '{\\"id\\":', ''],
      ['id,body\n', '1,"{""id"":', ''],
      ['x "', '\\"', ''],
      ['x ', '[ ', ''],
      ['POST /x HTTP/1.1\na:', ' ', '\rx'],
      ['> POST / HTTP/1.1\n> a:', 'a\n', ''],
      ['curl -d "', '\\"\n', ''],
      ['--abcd1234-A--\n--abcd1234-B--\nPOST / HTTP/1.1\na:', ' ', 'x\ry\n--abcd1234-Z--'],
    ],
    load: async () => {
      const {readEvents} = await import('../src/webhook/import/read-events.js')
      return text => drain(readEvents({name: 'x', chunks: inPieces(text)}, NOW))
    },
  },
  {
    name: 'orders of a file',
    beginnings: [
      '',
      'reference,lines\n',
      'reference;a\n"',
      'reference,shipTo.name\nA,="',
      'reference,shipTo.name\nA,Ã¼',
      'reference,shipTo.name\nA,"👩\u200d',
      'reference\n',
      '[{"reference":"',
      '{"a":1,"_error":"',
      '{"reference":1}\n',
    ],
    load: async () => {
      const {readCsvDrafts} = await import('../src/order/read/csv.js')
      const {readJsonDrafts} = await import('../src/order/read/json.js')
      const {listContractColumns} = await import('../src/order/draft/header.js')
      return async text => {
        if (/^[[{]/.test(text)) await drain(readJsonDrafts(inPieces(text), false))
        else await drain(readCsvDrafts(inPieces(text), listContractColumns()))
      }
    },
  },
  {
    name: 'ids of events',
    beginnings: ['', 'id,"', 'WH-1 ', 'WH-1,"', '[', 'WH-58D329510W468432D-'],
    load: async () => {
      const {findEventIds, readIdList} = await import('../src/webhook/event/event-ids.js')
      const {describeInput} = await import('../src/webhook/import/mentioned-ids.js')
      return async text => {
        findEventIds(text)
        await readIdList(inPieces(text))
        await describeInput([{name: 'x', chunks: inPieces(text)}])
      }
    },
  },
  {
    name: 'an address of a customer',
    beginnings: ['', '<', '<a@', 'a@'],
    load: async () => (await import('../src/customer/criteria/email-address.js')).buildEmailFilter,
  },
  {
    name: 'a condition of --where',
    beginnings: ['', 'a = ', 'a = "', "a = '", '(', 'not ', 'a in ('],
    load: async () => (await import('../src/language/where/where.js')).parseWhere,
  },
  {
    name: 'criteria of a file',
    beginnings: ['', '{"filter":[', '{"limit":'],
    load: async () => (await import('../src/customer/criteria/criteria-file.js')).readCriteriaFile,
  },
  {
    name: 'a quantity',
    beginnings: ['', '1', '2026-11-20T'],
    load: async () => {
      const quantities = await import('../src/language/quantities.js')
      const readers = [
        quantities.parseDurationMs,
        quantities.parseByteSize,
        quantities.limitOf,
        quantities.parseShare,
      ]
      return text => {
        for (const read of [...readers, quantities.readMoment]) attempt(() => read(text))
      }
    },
  },
  {
    name: 'text for a terminal',
    beginnings: [''],
    load: async () => (await import('../src/output/escape-controls.js')).escapeControlsInLines,
  },
  {
    name: 'secrets in what others say',
    beginnings: ['', '"password":"', '"client_secret', 'Authorization: Bearer '],
    known: [['', '\\', '']],
    load: async () => {
      const {Redaction} = await import('../src/output/redaction/redaction.js')
      const redaction = new Redaction()
      for (const secret of ['+/a"b\\c d', 'aaaaaaaaaaaaaaaaaaaa', 'user:pass<word>']) redaction.hide(secret)
      return text => redaction.cleanForeign(text)
    },
  },
  {
    name: 'an answer of the shop',
    beginnings: ['', '{"a":12345678901234567,"b":"', '<html>', '[12345678901234567,"'],
    known: [
      ['[12345678901234567,"', '\\"', ''],
      ['', '<', ''],
    ],
    load: async () => {
      const {parseExactJson} = await import('../src/output/json/json-text.js')
      const {cutTags} = await import('../src/language/cut-tags.js')
      return text => {
        cutTags(text, ' ')
        return parseExactJson(text)
      }
    },
  },
  {
    name: 'a header',
    beginnings: ['', 'a:', 'Basic ', 'a: b'],
    known: [
      ['', '?-token[', ''],
      ['a:', ' ', '\rx'],
    ],
    load: async () => {
      const {parseHeaderField, parseChallenge, extractBaseUrl} = await import('../src/wire/intermediaries.js')
      const {selectProviderHeaders} = await import('../src/webhook/import/select-headers.js')
      return text => {
        parseHeaderField(text)
        parseChallenge({'www-authenticate': text})
        extractBaseUrl(text)
        selectProviderHeaders([['PAYPAL-TRANSMISSION-ID', text]])
      }
    },
  },
  {
    name: 'certificates',
    beginnings: ['', '-----BEGIN CERTIFICATE-----\n'],
    load: async () => (await import('../src/webhook/verify/certificate-chain.js')).parseChain,
  },
  {
    name: 'an address of a webhook',
    beginnings: ['', '/api/', 'https://x/api/_action/paypal/webhook/execute?sw-token='],
    load: async () => (await import('../src/providers/route.js')).matchRoute,
  },
  {
    name: 'a body of the bundled shop',
    beginnings: ['', '{"a":', '--x\r\ncontent-disposition: form-data; name="', 'a='],
    load: async () => {
      const {decodeParameters} = await import('../src/shop/http/body-reading.js')
      const types = [
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ]
      return text => {
        for (const type of types) attempt(() => decodeParameters(Buffer.from(text), type, true))
      }
    },
  },
  {
    name: 'values of the bundled shop',
    beginnings: ['', 'a@', '1'],
    known: [
      ['', 'a@', ' '],
      ['', '1', 'x'],
    ],
    load: async () => {
      const {EMAIL} = await import('../src/shop/rules/write/values.js')
      const {isNumeric} = await import('../src/shopware/php-values.js')
      const {decodeEntities} = await import('../src/shop/search/term.js')
      const {fold} = await import('../src/shopware/fold-text.js')
      const {parseFaultRule} = await import('../src/shop/faults/parse.js')
      return text => {
        EMAIL.test(text)
        isNumeric(text)
        decodeEntities(text)
        fold(text)
        attempt(() => parseFaultRule(text))
      }
    },
  },
  {
    name: 'formats and patterns of a schema',
    beginnings: ['', 'http://', 'a@', '//', '/', 'P1'],
    load: async () => {
      const {compileSchemaRules} = await import('../src/order/validate/schema-rules.js')
      const {fullFormats} = await import('ajv-formats/dist/formats.js')
      const properties = Object.fromEntries(
        Object.keys(fullFormats).map(format => [format, {type: 'string', format}]),
      )
      const rules = compileSchemaRules(JSON.stringify({properties}), 'x')
      const names = Object.keys(properties)
      return text => rules.findFaults(Object.fromEntries(names.map(name => [name, text])), new Date(0))
    },
  },
]

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch {
    return undefined
  }
}

let count: CountSteps
let close: () => Promise<void>

beforeAll(async () => {
  ;({count, close} = await openStepCounter(isLong))
})
afterAll(() => close())

const SIZE = sized(40, 100)

/** Every so manieth of the shapes is tried. */
const EVERY = sized(120, 20)

/** Texts of one shape, by how often its part comes. */
function listShapes({name, beginnings, known = []}: Reader): ((times: number) => string)[] {
  const all = beginnings.flatMap(begin => ATOMS.flatMap(atom => ENDS.map(end => [begin, atom, end] as const)))
  const some = all.filter((_, at) => (at + name.length) % EVERY === 0)
  return [...known, ...some].map(
    ([begin, atom, end]) =>
      times =>
        begin + atom.repeat(times) + end,
  )
}

test.each(READERS)('$name: steps grow as the text does', async reader => {
  const read = await reader.load()
  const steep: string[] = []
  for (const shape of listShapes(reader)) {
    const take = (times: number) => count(() => attemptLater(() => read(shape(times))))
    // What is made at the first use is no step of reading.
    await take(1)
    const [once, twice, fourTimes] = [await take(SIZE), await take(2 * SIZE), await take(4 * SIZE)]
    // What is linear grows twice as much in the second step as in the first; what is quadratic, four times.
    if (fourTimes - twice > 2.3 * Math.max(0, twice - once) + 2 * SIZE)
      steep.push(`${JSON.stringify(shape(2))}: ${once}, ${twice}, ${fourTimes} steps`)
  }
  expect(steep).toEqual([])
})

async function attemptLater(run: () => unknown): Promise<void> {
  try {
    await run()
  } catch {
    // What is refused was read as well.
  }
}

/** More than V8's stack for patterns has room for, where a pattern needs some for each character. */
const BEYOND_STACK = 9 * 1024 * 1024

test.each([
  ['a cell', 'method,content\nPOST,"', 'a', '"'],
  ['a header of cells', 'method,content,"', 'a', '"\n'],
  ['blanks behind a command', 'curl x', ' ', '!'],
  ['variables before a command', '', 'a= ', ''],
  ['a text in an object with a comma behind it', '{"event_type":"', 'a', '",}'],
  ['a text below a comment', '{ // x\n"event_type":"', 'a', '"}'],
])('%s of 9 MiB is read', async (_name, begin, atom, end) => {
  const {readEvents} = await import('../src/webhook/import/read-events.js')
  const text = begin + atom.repeat(BEYOND_STACK / atom.length) + end
  await expect(drain(readEvents({name: 'x', chunks: inPieces(text)}, NOW))).resolves.toBeUndefined()
})
