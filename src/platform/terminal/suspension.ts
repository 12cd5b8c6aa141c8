/** What is drawn, around a pause in which the shell has the terminal. */
export interface Drawing {
  /** Leaves the terminal as a shell expects it. */
  leave(): void
  /** Draws anew, wherever the cursor is by now. */
  drawAgain(): void
}

/** Has Node look how large the terminal is: who does not have the terminal is not told of another size. */
export function refreshSize(): void {
  process.emit('SIGWINCH')
}

/** A signal to stop stops nobody where no shell could go on with the command. */
const UNSTOPPED_MS = 100

/**
 * Lets Ctrl-Z and SIGTSTP stop the command, and `fg` go on with it, while a question reads key by key. Left to itself,
 * readline would pause its input for good.
 *
 * @param keyboard a terminal
 * @returns a function that ends it
 */
export function allowSuspension(keyboard: NodeJS.ReadStream, drawn: Drawing): () => void {
  // Windows has neither signal.
  if (process.platform === 'win32') return () => {}
  let unstopped: NodeJS.Timeout | undefined
  let drawing: NodeJS.Immediate | undefined
  const draw = () => {
    drawing = undefined
    drawn.drawAgain()
  }
  const goOn = () => {
    clearTimeout(unstopped)
    // The shell may have changed the mode behind our back. In the background this stops the command again.
    keyboard.setRawMode(false).setRawMode(true)
    drawing ??= setImmediate(draw)
  }
  const stop = () => {
    drawn.leave()
    keyboard.setRawMode(false)
    unstopped = setTimeout(goOn, UNSTOPPED_MS)
    process.off('SIGTSTP', stop)
    // The whole group, as Ctrl-Z does: a script that waits for this command is to stop with it.
    process.kill(0, 'SIGTSTP')
    process.on('SIGTSTP', stop)
  }
  // Nobody else is to hear of this key: readline would act on it, and a list would look for an entry.
  const {emit} = keyboard
  keyboard.emit = ((name: string, ...values: [unknown, {ctrl?: boolean; name?: string}]) => {
    if (name !== 'keypress' || !values[1].ctrl || values[1].name !== 'z')
      return Reflect.apply(emit, keyboard, [name, ...values])
    stop()
    return true
  }) as typeof emit
  process.on('SIGTSTP', stop)
  process.on('SIGCONT', goOn)
  return () => {
    keyboard.emit = emit
    process.off('SIGTSTP', stop)
    process.off('SIGCONT', goOn)
    clearTimeout(unstopped)
    clearImmediate(drawing)
  }
}
