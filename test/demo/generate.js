// `npm run docs`: writes all that is generated and committed, or compares it with `--check`.
import process from 'node:process'
import {readFlags} from '../../bin/build/read-flags.js'
import {installed, run} from '../vitest-counts.js'

const HELP = `Writes what is generated and committed: oclif.manifest.json, docs/commands/, the consoles of the README,
docs/session.svg, and the screens in test/fixtures/terminal/. Look at the difference before you commit it.

  npm run docs
  npm run docs -- --check   writes nothing, and fails when one of them is stale
`

const {values} = readFlags(HELP, {options: {check: {type: 'boolean'}}})
const written = values.check ? ['--check'] : []
const steps = [
  ['commands', process.execPath, ['bin/build.js', ...written]],
  ['README', installed('vitest'), ['run', '--config', 'test/vitest.e2e.config.ts', 'test/demo/readme']],
  ['screens', installed('vitest'), ['run', 'test/golden', ...(values.check ? [] : ['--update'])]],
]
for (const [name, command, argv] of steps)
  if (!(await run(name, command, argv, values.check ? {} : {RECORD: '1'}))) process.exitCode = 1
