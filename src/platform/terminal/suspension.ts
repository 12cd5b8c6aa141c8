/** A drawing that is interrupted while the shell has the terminal. */
export interface Drawing {
  /** Leaves the terminal as a shell expects it. */
  leave(): void
  /** Draws again, wherever the cursor is now. */
  drawAgain(): void
}

/** Makes Node read the terminal's size: a process in the background gets no signal when it changes. */
export function refreshSize(): void {
  process.emit('SIGWINCH')
}

/** SIGTSTP does not stop a process where no shell could resume it. */
const UNSTOPPED_MS = 100

/**
 * Lets Ctrl-Z and SIGTSTP suspend the command, and `fg` resume it, while a question reads key by key. By itself,
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
    // The shell may have changed the mode. In the background this stops the command again.
    keyboard.setRawMode(false).setRawMode(true)
    drawing ??= setImmediate(draw)
  }
  const stop = () => {
    drawn.leave()
    keyboard.setRawMode(false)
    unstopped = setTimeout(goOn, UNSTOPPED_MS)
    process.off('SIGTSTP', stop)
    // The whole process group, as with Ctrl-Z: a script that waits for this command must stop too.
    process.kill(0, 'SIGTSTP')
    process.on('SIGTSTP', stop)
  }
  // Hides this key from others: readline would act on it, and a list would search for an entry.
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
