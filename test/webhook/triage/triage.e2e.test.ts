import {expect, test} from 'vitest'
import {warmHome} from '../../support/home.js'
import {CTRL_Z, inShell} from '../../support/job-control.js'
import {runProcess} from '../../support/process.js'
import {type Answer, onTerminal, type Terminal} from '../../support/terminal.js'
import {event, eventId, ndjson, openPayments, testShop, transactionId} from '../support.js'

/** States of payments, by turns; the last one is that of a payment that the shop does not know. */
const STATES = ['open', 'refunded', 'reminded', 'paid', 'refunded_partially', undefined]

/** A shop, and a home whose inbox has events of six causes. */
async function openInbox(count: number) {
  const states = Array.from({length: count}, (_, index) => [transactionId(index), STATES[index % 6]] as const)
  const known = states.filter((each): each is [string, string] => each[1] !== undefined)
  const shop = await testShop(Object.fromEntries(known))
  const env = {...shop.env, STORECTL_HOME: warmHome()}
  const events = Array.from({length: count}, (_, index) => event(index))
  await runProcess(['webhook', 'import', '-'], {env, stdin: ndjson(events)})
  return {shop, env}
}

/** Notes what a person sees, without lines that a command before has scrolled away, and presses keys. */
function press(screens: string[][], keys: string): (terminal: Terminal) => void {
  return terminal => {
    const top = terminal.lines.findIndex(line => line.startsWith('Triage'))
    screens.push(terminal.lines.slice(top))
    terminal.write(keys)
  }
}

const DOWN = '\u001b[B'

test('plans, sends and resolves by keys, and prints the commands that do the same', async () => {
  const {shop, env} = await openInbox(36)
  const screens: string[][] = []
  const answers: Answer[] = [
    ['storectl webhook resolve --cause', press(screens, DOWN.repeat(6))],
    ['s       storectl webhook replay --cause not-sent', press(screens, ' ')],
    ['marked: 6 in 1 group', press(screens, '\r')],
    ['1 of 6', press(screens, '\r')],
    ['leads to: paid', press(screens, '\u001b[F')],
    ['"resource_version": "2.0"', press(screens, 's')],
    ['Plan of not-sent: 6 to send', press(screens, 's')],
    ['Send 6 events (60.00 EUR) to', 'y\r'],
    ['Press Enter', '\r'],
    ['why      The shop does not know', press(screens, 'r')],
    ['(--reason): _', 'old shop\r'],
    ['6 events of', 'y\r'],
    ['Press Enter', '\r'],
    ['24 events', press(screens, 'q')],
  ]
  const {exit, lines} = await onTerminal(['webhook', 'triage'], answers, env, [80, 24])
  expect(exit).toBe(0)
  expect(shop.arrived().sort()).toEqual([0, 6, 12, 18, 24, 30].map(eventId))
  for (const screen of screens) {
    expect(screen.length).toBeLessThanOrEqual(24)
    expect(Math.max(...screen.map(line => line.length))).toBeLessThanOrEqual(80)
    expect(screen[0]).toMatch(/^Triage {2}/)
  }
  const transcript = lines.slice(lines.indexOf('Commands of this session:') + 1).filter(Boolean)
  expect(transcript.map(line => line.trim())).toEqual([
    'storectl webhook list --cause not-sent',
    expect.stringMatching(/^storectl webhook show WH-\d+-\d+$/),
    'storectl webhook replay --cause not-sent --dry-run',
    'storectl webhook replay --cause not-sent',
    expect.stringMatching(/^storectl webhook resolve --cause [a-z-]+ --reason 'old shop'$/),
  ])
})

test('on a large screen: event beside the list, a lifted limit, a cancelled send that leaves the marks, a check', async () => {
  const shop = await testShop(openPayments(201).states)
  const env = {...shop.env, STORECTL_HOME: warmHome(), NO_COLOR: '1'}
  const events = openPayments(201).events
  await runProcess(['webhook', 'import', '-'], {env, stdin: ndjson(events)})
  const screens: string[][] = []
  const answers: Answer[] = [
    ['replay --cause not-sent', press(screens, ' \r')],
    ['leads to: paid', press(screens, 'G')],
    ['201 of 201', press(screens, 's')],
    ['Limit lifted: 201 events to send, and --max is 200', press(screens, 's')],
    ['Send 201 events (2,010.00 EUR) to', 'n\r'],
    ['Press Enter', '\r'],
    ['marked: 201 in 1 group', press(screens, 'v')],
    ['Press Enter', '\r'],
    ['201 events', press(screens, '?')],
    ['list the keys', press(screens, 'q')],
  ]
  const {exit, lines, raw} = await onTerminal(['webhook', 'triage'], answers, env, [200, 50])
  expect(exit).toBe(0)
  expect(shop.arrived()).toEqual([])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: codes of styles
  expect(raw).not.toMatch(/\u001b\[\d+(;\d+)*m.*Triage/)
  for (const screen of screens) {
    expect(screen.length).toBeLessThanOrEqual(50)
    expect(Math.max(...screen.map(line => line.length))).toBeLessThanOrEqual(200)
  }
  const beside = screens[1]?.find(line => line.includes(`> [x] ${eventId(200)}`))
  expect(beside).toContain(' │ ')
  const transcript = lines.slice(lines.indexOf('Commands of this session:') + 1).filter(Boolean)
  expect(transcript.map(line => line.trim())).toEqual([
    'storectl webhook list --cause not-sent',
    'storectl webhook replay --cause not-sent --dry-run',
    'storectl webhook replay --cause not-sent --max 201  # cancelled',
    'storectl webhook verify --cause not-sent',
  ])
})

test('shows what --cause and --where choose, and has them in its commands', async () => {
  const {env} = await openInbox(36)
  const screens: string[][] = []
  const chosen = ['--cause', 'not-sent', '--cause', 'already-applied', '--where', 'not id ends "3"']
  const answers: Answer[] = [
    ['10 events', press(screens, DOWN)],
    ['webhook resolve --cause already-applied', press(screens, ' ')],
    ['marked: 4 in 1 group', press(screens, '\r')],
    ['of 4', press(screens, 'q')],
  ]
  const {exit, lines} = await onTerminal(['webhook', 'triage', ...chosen], answers, env, [110, 24])
  expect(exit).toBe(0)
  expect(screens[0]).toContain('--cause not-sent --cause already-applied --where \'not id ends "3"\'')
  expect(screens[0]?.filter(line => /^[> ] \[/.test(line)).length).toBe(2)
  expect(lines.join(' ')).toContain(`storectl webhook list --cause already-applied --where 'not id ends "3"'`)
})

test('redraws for the new size of the terminal, and leaves it as it was', async () => {
  const {env} = await openInbox(6)
  const screens: string[][] = []
  const answers: Answer[] = [
    ['6 events', terminal => terminal.resize(50, 14)],

    ['unknown-transaction', press(screens, 'q')],
  ]
  const noColor = {...env, NO_COLOR: '1'}
  const {exit, lines, raw} = await onTerminal(['webhook', 'triage'], answers, noColor, [80, 24])
  expect(exit).toBe(0)
  expect(screens[0]?.filter(line => line.startsWith('Triage'))).toHaveLength(1)
  expect(screens[0]?.length).toBeLessThanOrEqual(14)
  expect(lines.filter(Boolean)).toEqual([])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: codes of styles
  expect(raw).not.toMatch(/\u001b\[\d*(;\d+)*m/)
  expect(raw.trimEnd().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true)
})

test('triage gives the screen back to the shell, and is drawn anew at the size of then', async () => {
  const {env} = await openInbox(6)
  const screens: (readonly string[])[] = []
  const look = (act: (terminal: Terminal) => void) => (terminal: Terminal) => {
    screens.push(terminal.lines)
    act(terminal)
  }
  const {shown, lines} = await inShell(
    'webhook triage',
    [
      ['6 events', CTRL_Z],
      ['Stopped', look(({write}) => write('stty -a; echo as"king"\r'))],
      [
        'asking',
        ({write, resize}) => {
          resize(50, 14)
          write('fg\r')
        },
      ],
      ['unknown-transaction', look(({write}) => write('q'))],
    ],
    env,
  )
  expect(shown).toContain('exit=0')
  expect(shown).toContain(' icanon ')
  const [stopped = [], drawn = []] = screens
  expect(stopped.join('\n')).toMatch(/ready>.*Stopped/s)
  expect(stopped.join('\n')).not.toContain('Triage')
  const tops = drawn.flatMap((line, at) => (line.startsWith('Triage') ? [at] : []))
  expect(tops).toHaveLength(1)
  expect(drawn.length - (tops[0] ?? 0)).toBeLessThanOrEqual(14)
  expect(lines.join('\n')).not.toContain('Triage')
})

test('SIGHUP leaves the screen as it was', async () => {
  const {env} = await openInbox(6)
  const hangUp = ({pid}: Terminal) => void process.kill(pid, 'SIGHUP')
  const {exit, raw, lines} = await onTerminal(['webhook', 'triage'], [['6 events', hangUp]], env)
  expect(exit).toBe(129)
  expect(lines.filter(Boolean)).toEqual([])
  expect(raw.trimEnd().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true)
})
