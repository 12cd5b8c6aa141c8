import {expect, test} from 'vitest'
import {PROMISED} from '../../../src/contract/promised.js'
import {buildSchemas} from '../../../src/contract/schemas.js'
import {manifest} from '../../support/manifest.js'
import {storectl} from '../../support/storectl.js'

const names = Object.keys(PROMISED)
const joinLines = (text: string) => text.replaceAll(/\s+/g, ' ')

test.each(names)('help schema %s prints that schema, alone', async name => {
  const {stdout, exit} = await storectl(['help', 'schema', name])
  expect([exit, JSON.parse(stdout)]).toEqual([
    0,
    JSON.parse(JSON.stringify(buildSchemas().get(name as never))),
  ])
})

test('help schema lists the names, and takes the words of a command too', async () => {
  const {stdout} = await storectl(['help', 'schema'])
  for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  const byWords = await storectl(['help', 'schema', 'webhook', 'list'])
  expect(byWords.stdout).toBe((await storectl(['help', 'schema', 'webhook-list'])).stdout)
})

test('help schema takes each command whose JSON is promised, and says of others that theirs is not', async () => {
  const find = async (...words: string[]) => JSON.parse((await storectl(['help', 'schema', ...words])).stdout)
  expect(await find('run', 'set')).toEqual(await find('run-list'))
  expect(await find('order', 'show')).toEqual(await find('order-list'))
  const some = ['webhook-replay', 'order-submit', 'run-list'] as const
  const variants = await Promise.all(some.map(async name => (await find(name)).anyOf ?? [await find(name)]))
  const untitled = variants.flat().map(({$schema, title, ...schema}) => schema)
  expect((await find('run', 'resume')).anyOf).toEqual(untitled)
  for (const id of Object.values(PROMISED).flatMap(({commands}) => commands))
    expect(await find(...id.split(':'))).toMatchObject({title: expect.stringContaining(' ')})
  const other = await storectl(['help', 'schema', 'config', 'list'])
  expect([other.exit, other.stderr]).toEqual([
    2,
    'error: "config list" has no schema: its JSON is not promised.\n  next: storectl help stability\n',
  ])
})

test('an unknown schema is a usage error that names the nearest', async () => {
  const near = await storectl(['help', 'schema', 'webhook-lst'])
  expect([near.exit, near.stdout]).toEqual([2, ''])
  expect(near.stderr).toContain('Unknown schema "webhook-lst". Did you mean "webhook-list"?')
  const far = await storectl(['help', 'schema', 'nothing-like-it'])
  expect(far.stderr).toBe('error: Unknown schema "nothing-like-it".\n  next: storectl help schema\n')
})

test('help stability has every command with -o in one of two lists', async () => {
  const text = joinLines((await storectl(['help', 'stability'])).stdout)
  const [, promised = '', others = ''] =
    /JSON WITH A SCHEMA (.*); plans, .* JSON THAT IS NOT PROMISED (.*) LEARN MORE/.exec(text) ?? []
  const withOutput = Object.values(manifest.commands).filter(({hidden, flags}) => !hidden && flags.output)
  const listed = [...promised.split(', '), ...others.split(', ')]
  expect(new Set(listed).size).toBe(listed.length)
  // A report is JSON by a flag of its own.
  expect(listed.filter(name => name !== 'run export').sort()).toEqual(
    withOutput.map(({id}) => id.replaceAll(':', ' ')).sort(),
  )
  expect(promised.split(', ')).toEqual(expect.arrayContaining(['webhook list', 'order submit', 'status']))
})
