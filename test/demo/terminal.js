import {spawn} from 'node:child_process'
import {rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {spawn as spawnOnTerminal} from '@lydell/node-pty'

const binary = join(import.meta.dirname, '../../bin/run.js')
const color = process.stdout.isTTY && !process.env.NO_COLOR
const bold = text => (color ? `\u001b[1m${text}\u001b[0m` : text)
const dim = text => (color ? `\u001b[2m${text}\u001b[0m` : text)

/** As wide as the terminal that the demo runs on, and so high that nothing waits for a key. */
const SIZE = {cols: process.stdout.columns || 80, rows: 1000}

/** A comment between the commands. */
export function say(text) {
  process.stdout.write(`\n${dim(text.replace(/^/gm, '# '))}\n`)
}

/** A shell of our own: shows each command, runs the built binary on a terminal, and compares what it prints. */
export class Terminal {
  constructor(env, folder) {
    this.env = env
    this.folder = folder
    this.running = new Map()
  }

  /**
   * Types a command and shows what it prints.
   *
   * @param words the arguments of `storectl`
   * @param expected `exit`, and text to find in what is printed
   * @param options `input`: what the file `secret` holds, which is its stdin; `lines`, `last`: how many of the first
   *   and last lines to show; `stdin`: runs it without a terminal, as in a pipe
   */
  async type(words, {exit = 0, find = []} = {}, {input, lines = 14, last = 0, stdin} = {}) {
    const typed = ['storectl', ...words.map(quoted), ...(input === undefined ? [] : ['< secret'])]
    process.stdout.write(`\n${bold(breakCommand(typed, SIZE.cols))}\n`)
    const ended = stdin === undefined ? await this.runOnTerminal(words, input) : await this.run(words, stdin)
    const printed = ended.stdout + ended.stderr
    process.stdout.write(shorten(ended.stdout, lines, last) + ended.stderr)
    if (exit !== 0) process.stdout.write(dim(`(exit ${ended.exit})\n`))
    if (ended.exit !== exit) throw new Error(`expected exit ${exit}, got ${ended.exit}:\n${printed}`)
    for (const text of find) {
      if (!(text instanceof RegExp ? text.test(printed) : printed.includes(text))) {
        throw new Error(`expected ${text} in:\n${printed}`)
      }
    }
    return ended
  }

  /** Runs a command on a terminal; `stdout` is all that it shows. */
  runOnTerminal(words, input = '') {
    const secret = join(this.folder, 'secret')
    writeFileSync(secret, input, {mode: 0o600})
    const redirected = ['-c', 'exec "$0" "$@" < secret', process.execPath, binary, ...words]
    const [file, args] = input === '' ? [process.execPath, [binary, ...words]] : ['sh', redirected]
    const terminal = spawnOnTerminal(file, args, {
      ...SIZE,
      cwd: this.folder,
      // No bar and no question: nobody sits at this terminal.
      env: {...this.env, TERM: 'xterm', CI: '1', ...(color ? {} : {NO_COLOR: '1'})},
    })
    this.watch(terminal, ended => terminal.onExit(ended))
    let shown = ''
    terminal.onData(text => {
      shown += text
    })
    return new Promise(resolve => {
      terminal.onExit(({exitCode}) => {
        rmSync(secret)
        resolve({exit: exitCode, stdout: shown.replaceAll('\r\n', '\n'), stderr: ''})
      })
    })
  }

  /** Runs a command without showing it. */
  run(words, stdin = '') {
    const child = spawn(process.execPath, [binary, ...words], {env: this.env, cwd: this.folder})
    this.watch(child, ended => child.on('close', ended))
    const out = []
    const err = []
    child.stdout.on('data', chunk => out.push(chunk))
    child.stderr.on('data', chunk => err.push(chunk))
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', code =>
        resolve({exit: code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString()}),
      )
    })
  }

  /** Starts the bundled server; resolves to the line that it announces itself with. */
  async serve(words) {
    process.stdout.write(`\n${bold(`$ storectl ${words.map(quoted).join(' ')} &`)}\n`)
    const child = spawn(process.execPath, [binary, ...words, '-o', 'json'], {
      env: this.env,
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.watch(child, ended => child.on('close', ended))
    for await (const chunk of child.stdout) {
      const started = JSON.parse(chunk.toString().split('\n')[0])
      process.stdout.write(`the shop listens at ${started.url}\n`)
      return {started}
    }
    throw new Error('the server ended before it listened')
  }

  /** Remembers a process until its end. */
  watch(child, onEnd) {
    const ended = new Promise(resolve => {
      onEnd(resolve)
    }).then(() => this.running.delete(child))
    this.running.set(child, ended)
    if (this.isClosed) child.kill('SIGKILL')
  }

  /** Ends all that runs. */
  async close() {
    this.isClosed = true
    for (const child of this.running.keys()) child.kill('SIGKILL')
    await Promise.all(this.running.values())
  }
}

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** A command as it is typed at a prompt, over as many lines as the terminal's width takes. */
function breakCommand(words, columns) {
  const lines = ['$']
  for (const word of joinValues(words)) {
    const line = lines.pop()
    // Room for the backslash that continues the line.
    if (line.length + word.length + 3 <= columns) lines.push(`${line} ${word}`)
    else lines.push(`${line} \\`, `    ${word}`)
  }
  return lines.join('\n')
}

/** Each flag together with the value that follows it. */
function joinValues(words) {
  const parts = []
  for (const word of words) {
    const isValue = /^-[^ ]+$/.test(parts.at(-1) ?? '') && !word.startsWith('-')
    if (isValue) parts.push(`${parts.pop()} ${word}`)
    else parts.push(word)
  }
  return parts
}

/** The first lines of a result, and the last ones. */
function shorten(text, lines, last) {
  const all = text.trimEnd().split('\n')
  const left = all.length - lines - last
  if (left <= 1) return text
  const end = last === 0 ? [] : all.slice(-last)
  return `${[...all.slice(0, lines), dim(`… ${left} more lines`), ...end].join('\n')}\n`
}
