import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {mapNotification} from '../../../../src/providers/paypal/notification/mapping.js'

const API = 'Swag\\PayPal\\RestApi\\'

/** A member as the receiver's own error names it. */
interface Member {
  readonly name: string
  readonly declaredBy: string
  /** What the error calls it. */
  readonly type: string
  /** The structure that it holds, or a list of. */
  readonly struct: string | undefined
  readonly isList: boolean
}

/** What `structures.txt` says, by the class. */
function readStructures(): Map<string, Member[]> {
  const structures = new Map<string, Member[]>()
  let [className, members]: [string, Member[]] = ['', []]
  const text = readFileSync(join(import.meta.dirname, 'structures.txt'), 'utf8')
  for (const line of text.split('\n').filter(each => each !== '' && !each.startsWith('#'))) {
    if (!line.startsWith(' ')) {
      className = line
      members = []
      structures.set(className, members)
      continue
    }
    const words = line.trim().split(' ')
    const above = words[0]?.startsWith('@') ? words.shift()?.slice(1) : undefined
    for (const word of words) members.push(readMember(word, above ?? className))
  }
  return structures
}

function readMember(word: string, declaredBy: string): Member {
  const [, name = '', nullable = '', type = 'string', list] =
    /^(\w+):?(\??)([\w\\]+)?(?:\[(.*)\])?$/.exec(word) ?? []
  const isStruct = type.includes('\\')
  const shown = list ?? type
  return {
    ...{name, declaredBy: `${API}${declaredBy}`, isList: list !== undefined},
    type: `${nullable}${isStruct ? API : ''}${shown}`,
    struct: isStruct ? type : undefined,
  }
}

const STRUCTURES = readStructures()
const V2 = 'V2\\Api\\Order\\PurchaseUnit\\Payments'
const buildV2 = (type: string) => (resource: object) => ({
  ...{eventType: 'X', resourceVersion: '2.0', resourceType: type, resource},
})

test.each<[string, (members: object) => object]>([
  ['V1\\Api\\Webhook', members => ({eventType: 'X', ...members})],
  ['V1\\Api\\Webhook\\Resource', resource => ({eventType: 'X', resource})],
  [`${V2}\\Authorization`, buildV2('authorization')],
  [`${V2}\\Capture`, buildV2('capture')],
  [`${V2}\\Refund`, buildV2('refund')],
  [
    'V3\\Api\\PaymentToken',
    resource => ({eventType: 'X', resourceVersion: '3.0', resourceType: 'payment_token', resource}),
  ],
])('the members of %s, and of what is in it, are those of the receiver', (root, build) => {
  const check = (className: string, wrap: (members: object) => object) => {
    for (const {name, declaredBy, type, struct, isList} of STRUCTURES.get(className) ?? []) {
      const setter = `${declaredBy}::set${name.charAt(0).toUpperCase()}${name.slice(1)}()`
      expect(() => mapNotification(wrap({[name]: 7}))).toThrow(
        `${setter}: Argument #1 ($${name}) must be of type ${type}, int given, called in`,
      )
      if (struct !== undefined) check(struct, inner => wrap({[name]: isList ? [inner] : inner}))
    }
    // Whatever else there is, is ignored.
    expect(() => mapNotification(wrap({aMemberOfNone: 7}))).not.toThrow()
  }
  check(root, build)
})

test('members hold what they are of, and lengths that end where the receiver refuses more', () => {
  const capture = (resource: object) => () => mapNotification(buildV2('capture')(resource))
  expect(capture({finalCapture: false, sellerProtection: {disputeCategories: ['x']}})).not.toThrow()
  expect(capture({finalCapture: 'no'})).toThrow('must be of type bool, string given')
  expect(capture({amount: {value: 1.5}})).toThrow('must be of type string, float given')
  expect(capture({amount: [{}]})).toThrow('array given')
  expect(capture({links: [{}, 'self']})).toThrow('must be of type array, string given')
  expect(capture({links: [{}, true]})).toThrow('must be of type array, bool given')
  expect(capture({links: [{}, 0, '0', false, '', null]})).not.toThrow()
  for (const [name, most] of [
    ['invoiceId', 127],
    ['noteToPayer', 255],
  ] as const) {
    expect(capture({[name]: 'x'.repeat(most)})).not.toThrow()
    expect(capture({[name]: 'x'.repeat(most + 1)})).toThrow(
      `${API}${V2}\\Capture::$invoiceId must not be longer than ${most} characters`,
    )
  }
})
