import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {nameOf} from '../../support/skipped.js'
import {storectl} from '../../support/storectl.js'

const isRoot = process.getuid?.() === 0
const isUnix = process.platform !== 'win32'

describe.skipIf(!isUnix)(nameOf('a home folder', !isUnix && 'a Unix system'), () => {
  test.each([0o777, 0o720, 0o702])(
    'with mode %o is refused before anything is read or written',
    async mode => {
      const home = temporaryFolder()
      chmodSync(home, mode)
      const {exit, stderr} = await storectl(['config', 'set', 'output', 'json'], {home})
      expect(exit).toBe(2)
      expect(stderr).toContain(`${home} can be written by other users: storectl stores secrets there.`)
      expect(stderr).toContain(`chmod go-w ${home}`)
      expect(readdirSync(home)).toEqual([])
    },
  )

  test('that others may only read is used', async () => {
    const home = temporaryFolder()
    chmodSync(home, 0o755)
    expect((await storectl(['config', 'set', 'output', 'json'], {home})).exit).toBe(0)
  })

  test.each(['profile list', 'customer search', 'server credentials', 'webhook list'])(
    'below a file is refused by `%s` with one code',
    async line => {
      const file = join(temporaryFolder(), 'file')
      writeFileSync(file, '')
      const {exit, stderr} = await storectl([...line.split(' '), '-o', 'json'], {home: join(file, 'home')})
      expect([exit, JSON.parse(stderr).error.code]).toEqual([2, 'usage.folder_is_a_file'])
    },
  )

  test('that is not there yet is made for its owner alone', async () => {
    const home = join(temporaryFolder(), 'new')
    expect((await storectl(['config', 'set', 'output', 'json'], {home})).exit).toBe(0)
    expect(existsSync(join(home, 'settings.json'))).toBe(true)
  })

  test.skipIf(!isRoot)(
    nameOf('of another user is refused, and no link in it is followed', !isRoot && 'root'),
    async () => {
      const [home, outside] = [temporaryFolder(), join(temporaryFolder(), 'target')]
      writeFileSync(outside, 'untouched')
      symlinkSync(outside, join(home, 'credentials.json'))
      chownSync(home, 4711, 4711)
      const login = ['login', '--url', 'https://shop.example', '--client-id', 'x', '--client-secret-stdin']
      const {exit, stderr} = await storectl(login, {home, stdin: 'secret'})
      expect(exit).toBe(2)
      expect(stderr).toContain(`${home} belongs to another user (uid 4711): storectl stores secrets there.`)
      expect(readFileSync(outside, 'utf8')).toBe('untouched')
    },
  )

  test('that is refused is what doctor finds', async () => {
    const home = temporaryFolder()
    chmodSync(home, 0o777)
    const {exit, stdout} = await storectl(['doctor', '-o', 'json'], {home})
    expect(exit).toBe(2)
    const findings = JSON.parse(stdout) as {check: string; state: string; found: string}[]
    const modes = findings.find(({check}) => check === 'file modes')
    expect(modes).toMatchObject({state: 'failed', found: expect.stringContaining('other users')})
    expect(stdout).not.toContain('yours alone')
  })

  test('that is a link is judged by the folder behind it', async () => {
    const folder = temporaryFolder()
    const [target, home] = [join(folder, 'target'), join(folder, 'home')]
    mkdirSync(target)
    chmodSync(target, 0o777)
    symlinkSync(target, home)
    expect((await storectl(['config', 'list'], {home})).exit).toBe(2)
  })
})
