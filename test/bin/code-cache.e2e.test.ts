import {existsSync, readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {runProcess} from '../support/process.js'

// Code that was loaded while V8 ran with other flags than at the end would be compiled, and written, every time.
test.each([[['completion', 'bash']], [['auth', 'status']], [['customer', 'search', '--limit', '1']]])(
  'once the cache is warm, %j writes nothing into it',
  async argv => {
    const home = temporaryFolder()
    const env = {STORECTL_HOME: home}
    for (let round = 0; round < 3; round++)
      expect((await runProcess(argv, {env})).stderr).not.toContain('error')
    const warm = written(join(home, 'cache/code'))
    expect(warm.length).toBeGreaterThan(0)
    await runProcess(argv, {env})
    expect(written(join(home, 'cache/code'))).toEqual(warm)
  },
)

/** Every file with the moment it was written. */
function written(folder: string): string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort()
  return files.map(file => `${file} ${statSync(join(folder, file)).mtimeMs}`)
}
