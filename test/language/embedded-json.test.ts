import {expect, test} from 'vitest'
import {findEmbeddedObjects} from '../../src/language/embedded-json.js'

const idsOf = (line: string) => [...findEmbeddedObjects(line)].map(({value}) => value.id)

test('every object of a line is found, however many there are', () => {
  const ids = Array.from({length: 500}, (_, at) => at)
  const line = ids.map(id => `(${id},'${JSON.stringify({id})}')`).join(',')
  expect(idsOf(`INSERT INTO t VALUES ${line};`)).toEqual(ids)
})

test('braces that begin nothing hide what follows them only where there are many', () => {
  expect(idsOf(`${'{'.repeat(63)} {"id":1}`)).toEqual([1])
  expect(idsOf(`${'{'.repeat(64)} {"id":1}`)).toEqual([])
})
