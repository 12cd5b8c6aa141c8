import {expect, test} from 'vitest'
import {storectl} from '../support/storectl.js'

test('a word that names nothing is answered with the nearest name and exit 2', async () => {
  expect(await storectl(['compeltion', 'bash'])).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      'error: Unknown command "compeltion". Did you mean "storectl completion"?\n' +
      '  next: storectl completion --help\n',
  })
})

test('under --json the answer is one line of JSON on stderr', async () => {
  const {exit, stdout, stderr} = await storectl(['compeltion', '--json'])
  expect({exit, stdout}).toEqual({exit: 2, stdout: ''})
  expect(JSON.parse(stderr).error).toMatchObject({code: 'usage.unknown_command', exit: 2})
  const byEnvironment = await storectl(['compeltion'], {env: {STORECTL_OUTPUT: 'json'}})
  expect(byEnvironment.stderr).toBe(stderr)
})

test('an unknown flag is answered with the nearest flag', async () => {
  const {exit, stderr} = await storectl(['completion', 'bash', '--verbos'])
  expect(exit).toBe(2)
  expect(stderr).toContain('Did you mean "--verbose"?')
})

test.each([[['login', '--client-secret=hunter2']], [['--client-secret=hunter2', 'login']]])(
  'a value given to a flag that does not exist is not repeated: %j',
  async argv => {
    const {exit, stdout, stderr} = await storectl(argv)
    expect({exit, stdout}).toEqual({exit: 2, stdout: ''})
    expect(stderr).toContain('--client-secret')
    expect(stderr).not.toContain('hunter2')
  },
)

test('storectl alone, help and --help say the same on stdout', async () => {
  const alone = await storectl([])
  expect(alone).toMatchObject({exit: 0, stderr: ''})
  expect(alone.stdout).toContain('\nOTHER COMMANDS\n')
  expect(await storectl(['help'])).toEqual(alone)
  expect(await storectl(['--help'])).toEqual(alone)
})

test('help is as wide as the terminal and plain where colours are not wanted', async () => {
  const {stdout} = await storectl(['completion', '--help'], {terminal: true, columns: 200})
  expect(stdout).toContain('\u001b[1mEXAMPLES')
  const plain = await storectl(['completion', '--help'], {terminal: true, columns: 60, env: {NO_COLOR: '1'}})
  expect(plain.stdout).not.toContain('\u001b')
  expect(plain.stdout.split('\n').length).toBeGreaterThan(stdout.split('\n').length)
})

test('help that nobody reads any more ends well', async () => {
  const {testContext} = await import('../support/context.js')
  const test = testContext()
  test.interruption.stop('output-closed')
  expect((await storectl(['--help'], test)).exit).toBe(0)
})
