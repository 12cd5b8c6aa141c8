import {execFile, execFileSync} from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {promisify} from 'node:util'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {findMissingPrograms} from '../../support/installed.js'
import {environmentOfNpm} from '../../support/npm.js'
import {nameOf} from '../../support/skipped.js'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const isHost = process.platform === 'linux' && process.arch === 'x64'
const missing = isHost ? findMissingPrograms(['git', 'npm', 'tar', 'xz']) : ['Linux on x64']
const lintian = findMissingPrograms(['lintian'])
const cleanRoot = [
  ...findMissingPrograms(['dpkg', 'unshare', 'ldd']),
  ...(process.getuid?.() === 0 ? [] : ['root']),
]

let folder: string
const packages = () => join(folder, 'one', 'packages')
const find = (end: string) =>
  join(packages(), readdirSync(packages()).find(name => name.endsWith(end)) ?? end)

describe.skipIf(missing.length > 0)(nameOf('packages', missing), () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'storectl-two-builds-'))
    await makePackages(root, join(folder, 'one'))
    // A clone of the first: its commit, whatever was committed since.
    await makePackages(join(folder, 'one'), join(folder, 'another folder'))
  }, 1_800_000)
  afterAll(() => rmSync(folder, {recursive: true, force: true}))

  test('two clones in two folders make the same bytes', () => {
    const [one, other] = ['one', 'another folder'].map(name => readPackages(join(folder, name, 'packages')))
    expect([...(one?.keys() ?? [])]).toEqual(
      expect.arrayContaining([
        'SHA256SUMS',
        expect.stringMatching(/^storectl-.*\.tgz$/),
        expect.stringMatching(/^storectl-.*-linux-arm64\.tar\.xz$/),
        expect.stringMatching(/^storectl_.*_amd64\.deb$/),
        expect.stringMatching(/\.cdx\.json$/),
      ]),
    )
    expect([...(other?.keys() ?? [])]).toEqual([...(one?.keys() ?? [])])
    const unlike = [...(one ?? [])].filter(([name, bytes]) => !other?.get(name)?.equals(bytes))
    expect(unlike.map(([name]) => name)).toEqual([])
  })

  test('the checksums are those of the packages and of the executable in them', () => {
    const archive = find('-linux-x64.tar.xz')
    execFileSync('tar', ['-xJf', archive], {cwd: packages()})
    const arm64 = find('-linux-arm64.tar.xz')
    execFileSync('tar', ['-xJf', arm64], {cwd: packages()})
    const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: packages(),
      encoding: 'utf8',
    })
    expect(checked.match(/: OK$/gm)).toHaveLength(
      readFileSync(join(packages(), 'SHA256SUMS'), 'utf8').split('\n').length - 1,
    )
  })

  test('a signature by ssh-keygen is one of the checksums', () => {
    const words = ['-Y', 'verify', '-f', join(folder, 'signers'), '-I', 'releases', '-n', 'storectl-release']
    const signature = join(packages(), 'SHA256SUMS.sig')
    const verify = (input: Buffer) =>
      execFileSync('ssh-keygen', [...words, '-s', signature], {input, encoding: 'utf8', stdio: 'pipe'})
    const sums = readFileSync(join(packages(), 'SHA256SUMS'))
    expect(verify(sums)).toContain('Good "storectl-release" signature')
    expect(() => verify(Buffer.concat([sums, Buffer.from('x')]))).toThrow()
  })

  test('the executable says what it is, and that all its files are those of the build', async () => {
    const {stdout} = await run(join(unpack(), 'storectl'), ['version', '--check', '-o', 'json'], {
      env: {STORECTL_HOME: join(folder, 'home')},
    })
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: join(folder, 'one'),
      encoding: 'utf8',
    }).trim()
    expect(JSON.parse(stdout)).toMatchObject({kind: 'executable', commit, modified: false, changed: []})
  })

  test.skipIf(lintian.length > 0)(nameOf('lintian has nothing to say', lintian), async () => {
    for (const end of ['_amd64.deb', '_arm64.deb']) {
      const {stdout} = await run('lintian', ['--allow-root', '--fail-on', 'error,warning', find(end)])
      expect(stdout).toBe('')
    }
  })

  test.skipIf(cleanRoot.length > 0)(
    nameOf(
      'package and file do the incident of the README where there is no Node, and leave nothing',
      cleanRoot,
    ),
    async () => {
      const clean = makeCleanRoot(join(unpack(), 'storectl'))
      const before = listFiles(clean)
      const dpkg = (...words: string[]) =>
        execFileSync('dpkg', [`--root=${clean}`, '--force-depends', '--force-script-chrootless', ...words], {
          stdio: 'pipe',
        })
      dpkg('--install', find('_amd64.deb'))
      expect(listFiles(clean)).toEqual(
        expect.arrayContaining(['usr/bin/storectl', 'usr/share/man/man1/storectl.1.gz']),
      )
      await doIncident(clean, '/usr/bin')
      dpkg('--remove', 'storectl')
      expect(listFiles(clean)).toEqual(before)
      cpSync(join(unpack(), 'storectl'), join(clean, 'opt/storectl'))
      await doIncident(clean, '/opt')
    },
  )
})

/** Runs the command lines of the README in a root, on a PATH with storectl and nothing else. */
async function doIncident(clean: string, path: string): Promise<void> {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, incident = ''] = /^## Replay failed events\n[\s\S]*?```console\n([\s\S]*?)```/m.exec(readme) ?? []
  const lines = [...incident.matchAll(/^\$ (.*)$/gm)].map(([, line]) => line)
  expect(lines.length).toBeGreaterThan(5)
  writeFileSync(join(clean, 'tmp/incident.sh'), renderIncident(path, lines.join('\n')))
  const words = `mount -t proc proc '${clean}/proc' && mount --bind /dev/null '${clean}/dev/null' && exec chroot '${clean}' /bin/sh /tmp/incident.sh`
  const {stdout, stderr} = await run('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', words], {
    env: {PATH: process.env.PATH},
  })
  expect(stderr).toContain('7 applied, 1 held')
  expect(stderr).toContain('1 resolved')
  expect(stdout).toMatch(
    /^no Node\n[\s\S]*\nnothing is left\n# Completed: 7 of 8 events delivered, 1 held.\nserver 0\n$/,
  )
  rmSync(join(clean, 'tmp'), {recursive: true})
  mkdirSync(join(clean, 'tmp'))
}

const renderIncident = (path: string, lines: string) => `
export HOME=/tmp STORECTL_HOME=/tmp/home PATH=${path}
cd /tmp
command -v node || echo no Node
head() { read -r line; echo "$line"; }
storectl server start --port 0 > server.log 2>&1 &
until storectl server status > status 2>&1; do kill -0 $! || exit; done
storectl server seed > seeded
${lines}
kill $!
wait $!
echo server $?
`

/** All paths of a root but those of dpkg's own records. */
function listFiles(clean: string): string[] {
  return (readdirSync(clean, {recursive: true}) as string[])
    .filter(path => !/^var\/lib\/dpkg/.test(path))
    .sort()
}

/** Clones the last commit and makes its packages, signed. */
async function makePackages(from: string, clone: string): Promise<void> {
  await run('git', ['clone', '--quiet', from, clone])
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  appendFileSync(join(clone, '.git/info/exclude'), 'node_modules\n')
  const own = join(root, 'tools/package/node_modules')
  if (existsSync(own)) cpSync(own, join(clone, 'tools/package/node_modules'), {recursive: true})
  const key = join(folder, 'key')
  if (!existsSync(key)) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key])
    writeFileSync(join(folder, 'signers'), `releases ${readFileSync(`${key}.pub`, 'utf8')}`)
  }
  await run('npm', ['run', '--silent', 'package', '--', '--quick', '--sign', key], {
    cwd: clone,
    env: environmentOfNpm(),
  })
}

function readPackages(from: string): Map<string, Buffer> {
  return new Map(
    readdirSync(from)
      .sort()
      .map(name => [name, readFileSync(join(from, name))]),
  )
}

function unpack(): string {
  execFileSync('tar', ['-xJf', find('-linux-x64.tar.xz')], {cwd: folder})
  return join(folder, readdirSync(folder).find(name => name.endsWith('-linux-x64')) ?? '')
}

/** A root with a shell and the libraries that the executable is linked to, and nothing else. */
function makeCleanRoot(executable: string): string {
  const clean = join(folder, 'root')
  for (const name of ['info', 'updates', 'triggers'])
    mkdirSync(join(clean, 'var/lib/dpkg', name), {recursive: true})
  for (const name of ['proc', 'dev', 'tmp', 'bin', 'opt']) mkdirSync(join(clean, name))
  for (const name of ['var/lib/dpkg/status', 'dev/null']) writeFileSync(join(clean, name), '')
  cpSync('/bin/sh', join(clean, 'bin/sh'), {dereference: true})
  for (const program of [executable, '/bin/sh']) {
    for (const [library] of execFileSync('ldd', [program], {encoding: 'utf8'}).matchAll(/\/\S+/g)) {
      mkdirSync(join(clean, dirname(library)), {recursive: true})
      cpSync(library, join(clean, library), {dereference: true})
    }
  }
  return clean
}
