import {expect, test} from 'vitest'
import {
  createDecoder,
  cutWord,
  findFirstWrong,
  parseEncoding,
  repairMojibake,
  showsUtf8,
  suggestEncodings,
} from '../../src/language/encodings.js'

test.each([
  ['windows-1252', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['CP1250', 'windows-1250'],
  ['mac', 'macintosh'],
  ['MacRoman', 'macintosh'],
  ['IBM850', 'cp850'],
  ['shift_jis', 'shift_jis'],
])('%s names the encoding %s', (label, encoding) => {
  expect(parseEncoding(label)).toBe(encoding)
})

test('a label of no encoding is refused, and the likely ones are listed', () => {
  for (const label of ['ebcdic', ''])
    expect(() => parseEncoding(label)).toThrow(
      expect.objectContaining({
        code: 'usage.unknown_encoding',
        nextSteps: [expect.stringContaining('windows-1252, macintosh, windows-1250, windows-1251, cp850')],
      }),
    )
})

test.each([
  ['windows-1252', '4a fc 72 67 80 92', 'Jürg€’'],
  ['cp850', '4a 81 72 e1 d5 ff', 'Jürßı\u00a0'],
  ['macintosh', '4a 9f 72 a7', 'Jürß'],
  ['windows-1251', 'c8 e2 e0 ed', 'Иван'],
])('%s reads %s as %s', (encoding, bytes, text) => {
  expect(createDecoder(encoding).decode(Buffer.from(bytes.replaceAll(' ', ''), 'hex'))).toBe(text)
})

test('a character that two pieces share is read whole, and a byte that is none is an error', () => {
  const decoder = createDecoder('shift_jis')
  expect(decoder.decode(Buffer.from([0x93]), {stream: true})).toBe('')
  expect(decoder.decode(Buffer.from([0xfa]), {stream: true})).toBe('日')
  expect(() => decoder.decode(Buffer.from([0xff]))).toThrow(expect.objectContaining({code: 'usage.encoding'}))
})

test.each([
  ['a German name of Windows', 'windows-1252', [0x4a, 0xfc, 0x72, 0x67]],
  ['a German name of an old Mac', 'macintosh', [0x4a, 0x9f, 0x72, 0x67, 0x65, 0x6e]],
  ['a Polish name', 'windows-1252', [0xa3, 0xf3, 0x64, 0x9f]],
  ['a German name of MS-DOS', 'cp850', [0x4d, 0x81, 0x6c, 0x6c, 0x65, 0x72]],
])('%s is shown as each encoding reads it', (_, first, bytes) => {
  const steps = suggestEncodings(Buffer.from(bytes))
  expect(steps.length).toBeGreaterThanOrEqual(3)
  for (const step of steps) {
    const [, encoding = '', text = ''] = /^--encoding (\S+) \(reads (".*")\)$/.exec(step) ?? []
    expect(JSON.parse(text)).toBe(createDecoder(encoding).decode(Buffer.from(bytes)))
  }
  if (first !== 'windows-1252') expect(steps[0]).toContain(first)
})

test('a word ends at blanks, quotes and delimiters', () => {
  const bytes = Buffer.from('"x;K\xf6nigstra\xdfe 5"', 'latin1')
  expect(cutWord(bytes, 4).toString('latin1')).toBe('K\xf6nigstra\xdfe')
  expect(cutWord(Buffer.alloc(1000, 0xf6), 500)).toHaveLength(80)
})

test.each([
  ['Jürgen \ufffd ', 0xfc, 12],
  ['Jürgen \ufffd 日'.slice(0, -1), 0xef, 12],
  ['Jürgen', 0xe6, undefined],
])('the first wrong byte behind %s is found', (text, byte, at) => {
  const more = at === undefined ? [byte] : [byte, 0x76, 0xfc]
  expect(findFirstWrong(Buffer.concat([Buffer.from(text), Buffer.from(more)]))).toBe(at)
})

test('bytes show that they are UTF-8 where one of them is beyond ASCII and all are right', () => {
  expect(showsUtf8(Buffer.from('Jürgen'))).toBe(true)
  expect(showsUtf8(Buffer.from('Jürgen ß').subarray(0, -1))).toBe(true)
  expect(showsUtf8(Buffer.from('Juergen'))).toBe(false)
  expect(showsUtf8(Buffer.from('Jürgen', 'latin1'))).toBe(false)
})

const misread = (text: string, encoding = 'windows-1252') => createDecoder(encoding).decode(Buffer.from(text))

test.each(['Jürgen Groß', 'Łódź', 'Иван', 'Ñuñoa', 'voilà', '日本', '🚚', '‘quoted’', 'a\u00a0b'])(
  '%s is found again when UTF-8 was read as Windows-1252, once, twice or as Latin-1',
  text => {
    expect(repairMojibake(misread(text))).toBe(text)
    expect(repairMojibake(misread(misread(text)))).toBe(text)
    expect(repairMojibake(Buffer.from(text).toString('latin1'))).toBe(text)
  },
)

test.each([
  'Jürgen',
  'JÃ¼rgen Groß',
  'João',
  'SÃO PAULO',
  'Ã',
  'Âge',
  'Łódź',
  'naïve',
  '日本',
  '',
  'Ada',
  '£5 «à»',
])('%s is no such text', text => {
  expect(repairMojibake(text)).toBeUndefined()
})
