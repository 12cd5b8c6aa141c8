// Makes a process one of another machine: MACHINE_NAME is its name, and MACHINE_CLOCK_MS how far its clock is ahead.
const {syncBuiltinESMExports} = require('node:module')
const os = require('node:os')

const aheadMs = Number(process.env.MACHINE_CLOCK_MS)
const Here = Date

class Ahead extends Here {
  constructor(...given) {
    if (given.length === 0) super(Here.now() + aheadMs)
    else super(...given)
  }

  static now() {
    return Here.now() + aheadMs
  }
}

globalThis.Date = Ahead
os.hostname = () => process.env.MACHINE_NAME
syncBuiltinESMExports()
