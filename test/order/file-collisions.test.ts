import {expect, test} from 'vitest'
import {requireDifferentFiles} from '../../src/order/file-collisions.js'

const check = (given: Partial<Parameters<typeof requireDifferentFiles>[0]>) =>
  requireDifferentFiles(
    {files: [], schema: undefined, rejects: undefined, report: undefined, ...given},
    path => path.replace(/^\.\//, ''),
  )

test('stdin can be read once, and files by as many names as there are', () => {
  check({files: ['-']})
  check({files: ['a.csv', 'b.csv', '-'], schema: 's.json', rejects: 'r.csv', report: 't.csv'})
  expect(() => check({files: ['-', 'a.csv', '-']})).toThrow('stdin can be read only once')
})

test.each([
  [{files: ['a.csv'], rejects: './a.csv'}, '--rejects ./a.csv'],
  [{files: ['a.csv'], report: 'a.csv'}, '--report a.csv'],
  [{files: ['a.csv'], schema: 's.json', report: './s.json'}, '--report ./s.json'],
  [{files: ['a.csv'], rejects: 'r.csv', report: './r.csv'}, '--report ./r.csv'],
])('what is read or written already is not written: %j', (given, named) => {
  expect(() => check(given)).toThrow(`${named} names a file that is already in use.`)
})
