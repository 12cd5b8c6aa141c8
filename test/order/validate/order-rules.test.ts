import {expect, test} from 'vitest'
import {findReferenceFaults} from '../../../src/order/validate/order-rules.js'

const messagesOf = (order: unknown) =>
  findReferenceFaults(order).map(({pointer, message}) => `${pointer} ${message}`)

test.each<[unknown, string[]]>([
  [{reference: 'A'}, []],
  [{reference: 'x'.repeat(255)}, []],
  [{reference: 'x'.repeat(256)}, ['/reference must have at most 255 characters']],
  [{reference: ''}, ['/reference must be text, and not empty']],
  [{reference: 5}, ['/reference must be text, and not empty']],
  [{}, ['/reference is required']],
  [null, [' must be an object']],
  [['A'], [' must be an object']],
])('whoever made the other rules, an order is looked up by its reference: %#', (order, messages) => {
  expect(messagesOf(order)).toEqual(messages)
})
