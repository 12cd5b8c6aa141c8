import {expect, test} from 'vitest'
import {buildAnswer, type ToolOutput} from '../../src/mcp/tool-answer.js'

/** The data of an answer, as its text block has them. */
function answer(output: Partial<ToolOutput>) {
  const clean = (text: string) => text.replaceAll('s3cret', '***')
  const {content} = buildAnswer({rows: [], count: output.rows?.length ?? 0, notes: [], ...output}, clean)
  const [, data] = content.map(block => (block.type === 'text' ? block.text : ''))
  return JSON.parse(data ?? '')
}

const FOREIGN = 'jane@example.com \u001b[2J s3cret'
const SHOWN = 'j***@example.com \\e[2J ***'

test('rows, their names, notes and errors are masked alike', () => {
  expect(answer({rows: [{[FOREIGN]: [FOREIGN]}]}).rows).toEqual([{[SHOWN]: [SHOWN]}])
  expect(answer({notes: [FOREIGN]}).notes).toEqual([SHOWN])
  const error = {code: 'usage.x', message: FOREIGN, nextSteps: [FOREIGN], exit: 2}
  expect(answer({error}).error).toEqual({code: 'usage.x', message: SHOWN, nextSteps: [SHOWN], exit: 2})
})

test('all below a private name is masked: texts, numbers, lists and members', () => {
  const body = {
    ...{
      passwords: ['hunter2'],
      token: {kind: 'x', values: [['abc', 7]]},
      phone: 5551234,
      lastName: ['Hopper'],
    },
    ...{api_key: null, authorization: true, secret: '', tokenCount: 3},
  }
  expect(answer({rows: [body]}).rows).toEqual([
    {
      ...{
        passwords: ['***'],
        token: {kind: '***', values: [['***', '***']]},
        phone: '***',
        lastName: ['***'],
      },
      ...{api_key: null, authorization: true, secret: '', tokenCount: 3},
    },
  ])
})

test('private texts and numbers count for the length of an answer', () => {
  const rows = [{tokens: Array.from({length: 100_000}, (_, at) => at)}]
  expect(Buffer.byteLength(JSON.stringify(answer({rows})))).toBeLessThan(64 * 1024)
})

test.each([
  'password passwords apiKey private_key client_secret webhookToken security_code',
  'email emailAddress phone phoneNumbers iban date_of_birth birthDate ip_address',
  'card cvv cvc dob tax_id account_holder username customerName',
  'street street_address streetAndNumber address_line_1 admin_area_2 postal_code zipCode city',
  'given_name surname fullName first-name lastName recipient_name consumerName cardholderName',
])('these names are private: %s', names => {
  for (const name of names.split(' ')) expect(answer({rows: [{[name]: 'x'}]}).rows).toEqual([{[name]: '***'}])
})

test.each([
  ['<grace.hopper@mail.example.com>', '<g***@mail.example.com>'],
  ["o'brien@example.com", 'o***@example.com'],
  ['?email=jane%40example.com&x=1', '?email=j***%40example.com&x=1'],
  ['jane@münchen.example', 'j***@münchen.example'],
  ['npm@latest', 'npm@latest'],
])('of the email address in %s remains %s', (text, shown) => {
  expect(answer({notes: [text]}).notes).toEqual([shown])
})

test.each(['\u200b', '\u{e0061}', '\ufe0f', '\u{e0101}', '\u3164', '\u115f', '\u034f'])(
  'an invisible character is written out: %j',
  char => {
    const shown = `\\u{${char.codePointAt(0)?.toString(16)}}`
    expect(answer({notes: [`a${char}b`]}).notes).toEqual([`a${shown}b`])
  },
)

test('nested deeper than 40 levels, a value is left out', () => {
  const deep = JSON.parse(`${'['.repeat(60)}"x"${']'.repeat(60)}`)
  expect(JSON.stringify(answer({rows: [deep]}).rows)).toBe(`${'['.repeat(41)}"…"${']'.repeat(41)}`)
})
