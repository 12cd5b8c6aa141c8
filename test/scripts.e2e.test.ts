import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {cpSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from './support/home.js'
import {ended} from './support/process.js'
import {until} from './support/until.js'

const root = join(import.meta.dirname, '..')
const {scripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const files = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /^node (?!node_modules)(\S+)$/.exec(line) ?? []
  // `npm run dev -- --help` is the help of storectl; `prepare` is npm's, and builds.
  return file && !['dev', 'prepare'].includes(name) ? [[name, file] as const] : []
})

const runNode = (argv: readonly string[], cwd = root) => ended(spawn(process.execPath, argv, {cwd}))

test.each(files)('npm run %s has help', async (name, file) => {
  const command = name === 'test' ? 'npm test' : `npm run ${name}`
  const help = await runNode([file, '--help'])
  expect(help).toMatchObject({exit: 0, stderr: ''})
  expect(help.stdout).toContain(`\n  ${command}`)
})

test('a script refuses a flag that it does not have, with its help', async () => {
  const wrong = await runNode(['test/simulation/run.js', '--sed', '1'])
  expect(wrong).toMatchObject({exit: 2, stdout: ''})
  expect(wrong.stderr).toMatch(/^Unknown option '--sed'[\s\S]*\n {2}--seed N /)
})

test('a build without its packages says so in one line', async () => {
  const folder = temporaryFolder()
  for (const path of ['bin', 'package.json']) cpSync(join(root, path), join(folder, path), {recursive: true})
  const {exit, stdout, stderr} = await runNode(['bin/build.js'], folder)
  expect({exit, stdout}).toEqual({exit: 1, stdout: ''})
  expect(stderr).toMatch(
    /^storectl cannot be built without @biomejs\/biome and \d+ more packages: run "npm install" in .*\n$/,
  )
})

test('a demo that is interrupted removes its shop and its files', async () => {
  const folder = temporaryFolder()
  const demo = spawn(process.execPath, ['test/demo/run.js'], {
    cwd: root,
    env: {...process.env, TMPDIR: folder},
  })
  let shown = ''
  demo.stdout.on('data', chunk => {
    shown += chunk
  })
  await until('the demo seeds its shop', () => shown.includes('server seed'))
  expect(readdirSync(folder)).not.toEqual([])
  demo.kill('SIGINT')
  const [exit] = await once(demo, 'close')
  expect({exit, left: readdirSync(folder)}).toEqual({exit: 130, left: []})
})
