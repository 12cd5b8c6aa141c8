import {expect, test} from 'vitest'
import {ObjectScanner, type ScanResult} from '../../src/language/scan/object-scanner.js'

const EVENT =
  '{"id":"WH-1","event_type":"X","a":[true,-1.5e+3,null,{"b":{}}],"c":"{\\"d\\":\\"\\\\\\" }\\"}"}'
const spell = (text: string) => JSON.stringify(text).slice(1, -1)

const TEXTS = [
  EVENT,
  `[${EVENT},${EVENT}]`,
  `got ${EVENT} and ${EVENT.slice(0, 40)}`,
  `body="${spell(EVENT)}" status=400`,
  `a "${spell(spell(EVENT))}"`,
  `"${spell(JSON.stringify(JSON.parse(EVENT), null, 1))}"`,
  `1\t${EVENT.replaceAll('\\', '\\\\')}\tx`,
  `{"level":"info","msg":"got ${EVENT} x"}`,
  `{ /* { " */ "a":1, "event_type":"X",}`,
  `{ { {"a":tru} event_type {"event_type":`,
]

function listObjects(parts: readonly string[]): string[] {
  const scanner = new ObjectScanner('event_type')
  const results: ScanResult[] = parts.map((part, at) =>
    scanner.readPart(Buffer.from(part), 1, {isFirst: at === 0, isLast: at === parts.length - 1}),
  )
  return [...results, scanner.end()].flatMap(({objects}) => objects.map(({text}) => text))
}

test.each(TEXTS)('wherever a line is cut in parts, the same objects are found in it: %s', text => {
  const whole = listObjects([text])
  for (let at = 1; at < text.length; at++)
    expect(listObjects([text.slice(0, at), text.slice(at)]), `cut at ${at}`).toEqual(whole)
  expect(listObjects([...text])).toEqual(whole)
})
