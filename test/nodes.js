// `npm run test:nodes`: the fast and the end-to-end tests on every Node that storectl runs on, each an npm package.
import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, dirname, join} from 'node:path'
import process from 'node:process'
import {readFlags} from '../bin/build/read-flags.js'
import {conclude, vitest} from './vitest-counts.js'

/** The oldest is that of `engines` in package.json. */
const VERSIONS = ['20.19.0', '22', '24', '26']

const HELP = `Runs the fast and the end-to-end tests on Node ${VERSIONS.join(', ')}, or on the versions given.

  npm run test:nodes [-- [--quick] [VERSION…]]

  --quick   the fast tests alone, on the oldest and the newest
`

const {values, positionals} = readFlags(HELP, {options: {quick: {type: 'boolean'}}, allowPositionals: true})
conclude(await testOn(chooseVersions()))

function chooseVersions() {
  if (positionals.length > 0) return positionals
  return values.quick ? [VERSIONS[0], VERSIONS.at(-1)] : VERSIONS
}

async function testOn(versions) {
  const folder = mkdtempSync(join(tmpdir(), 'storectl-nodes-'))
  const results = []
  try {
    for (const version of versions) {
      const node = fetchNode(join(folder, version), version)
      const name = `Node ${execFileSync(node, ['--version'], {encoding: 'utf8'}).trim()}`
      const env = {PATH: [dirname(node), process.env.PATH].join(delimiter)}
      results.push(await vitest(`${name}: tests`, 'vitest.config.ts', env))
      if (!values.quick) results.push(await vitest(`${name}: end to end`, 'test/vitest.e2e.config.ts', env))
    }
    return results
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

/** @returns {string} the path of the binary */
function fetchNode(prefix, version) {
  mkdirSync(prefix)
  writeFileSync(join(prefix, 'package.json'), '{"private": true}')
  const words = ['install', '--no-audit', '--no-fund', '--prefix', prefix, `node@${version}`]
  execFileSync('npm', words, {stdio: ['ignore', 'ignore', 'inherit']})
  return join(prefix, 'node_modules', 'node', 'bin', 'node')
}
