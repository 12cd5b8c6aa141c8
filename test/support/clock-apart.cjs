// Preloaded by a process whose clock is to differ from the machine's by CLOCK_APART_MS.
const process = require('node:process')

const apartMs = Number(process.env.CLOCK_APART_MS ?? 0)
const Real = Date

globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + apartMs)
    else super(...given)
  }

  static now() {
    return Real.now() + apartMs
  }
}
