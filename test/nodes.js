// `npm run test:nodes`: the end-to-end tests on every Node that storectl runs on, each fetched as an npm package.
import {execFileSync} from 'node:child_process'
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {readFlags} from '../bin/build/read-flags.js'
import {conclude, vitest} from './vitest-counts.js'

const HELP = `Runs the end-to-end tests on Node 20, 22, 24 and 26, or on those that are named.

  npm run test:nodes [-- 24 26]
`

const {positionals} = readFlags(HELP, {allowPositionals: true})
const MAJORS = positionals.length > 0 ? positionals : ['20', '22', '24', '26']

const folder = await mkdtemp(join(tmpdir(), 'storectl-nodes-'))
const results = []
for (const major of MAJORS) {
  const node = await fetchNode(major)
  const version = execFileSync(node, ['--version'], {encoding: 'utf8'}).trim()
  results.push(await vitest(`Node ${version}`, 'test/vitest.e2e.config.ts', {STORECTL_TEST_NODE: node}))
}
await rm(folder, {recursive: true, force: true})
conclude(results)

async function fetchNode(major) {
  const prefix = join(folder, major)
  await mkdir(prefix)
  await writeFile(join(prefix, 'package.json'), '{"private": true}')
  execFileSync('npm', ['install', '--prefix', prefix, `node@${major}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(prefix, 'node_modules', 'node', 'bin', 'node')
}
