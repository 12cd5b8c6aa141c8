import {expect, test} from 'vitest'
import {readText} from './promises.js'

interface ManifestFlag {
  readonly name: string
  readonly helpGroup?: string
  readonly hidden?: boolean
}

const manifest: {
  commands: Record<string, {flags: Record<string, ManifestFlag>; hidden?: boolean}>
} = JSON.parse(readText('oclif.manifest.json'))
const commands = Object.fromEntries(
  Object.entries(manifest.commands).filter(([, {hidden}]) => hidden !== true),
)
const index = readText('docs/commands/README.md')

/** The names of flags of a page, as their help begins: `  -o, --output OUTPUT  …`. */
function listFlags(text: string): string[] {
  return [...text.matchAll(/^ {2}(?:-\w, | {4})--(?:\[no-\])?([\w-]+)/gm)].map(([, name = '']) => name)
}

test.each(Object.keys(commands))(
  '%s: the page of its topic has each of its flags, or links to the page that has it',
  id => {
    const page = readText(`docs/commands/${id.split(':')[0]}.md`)
    const [, text = ''] = page.split(`\n## ${id.replaceAll(':', ' ')}\n`)
    const [part = ''] = text.split('\n## ')
    const linked = [...part.matchAll(/\(README\.md#([\w-]+)\)/g)].flatMap(([, anchor = '']) => {
      const [, section = ''] = index.split(
        `\n## ${anchor.replace('-', ' ').replace(/^./, a => a.toUpperCase())}\n`,
      )
      return listFlags(section.split('\n## ')[0] ?? '')
    })
    const own = listFlags(part)
    const taken = Object.values(commands[id]?.flags ?? {}).filter(({hidden}) => hidden !== true)
    expect([...own, ...linked].sort()).toEqual(taken.map(({name}) => name).sort())
  },
)

test('the flags that every command takes are on one page only', () => {
  const all = Object.values(commands).flatMap(({flags}) => Object.values(flags))
  const global = new Set(all.filter(({helpGroup}) => helpGroup === 'GLOBAL').map(({name}) => name))
  expect(global.size).toBeGreaterThan(0)
  const topics = new Set(Object.keys(commands).map(id => id.split(':')[0]))
  const repeated = [...topics].flatMap(topic =>
    listFlags(readText(`docs/commands/${topic}.md`)).filter(name => global.has(name)),
  )
  expect(repeated).toEqual([])
})
