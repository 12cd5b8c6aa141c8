import {test} from 'vitest'
import {runProcess} from '../../support/process.js'
import {everyNth} from '../../support/sized.js'
import {
  CHANNELS,
  DATABASE_WAYS,
  expectFlagKept,
  expectPasswordKept,
  expectVariableKept,
  OF_SHOPS,
} from './secret-channels.js'

/** In one process all are tried: `secrets.test.ts`. */
const SOME = everyNth(3, CHANNELS)

test.each(SOME)('what a process of %s reads by --%s comes out nowhere', (...channel) =>
  expectFlagKept(runProcess, channel, 400),
)

test.each(everyNth(2, OF_SHOPS))('what %s holds for processes comes out nowhere', variable =>
  expectVariableKept(runProcess, variable, 400),
)

test.each(DATABASE_WAYS)('a password in %s for a process comes out nowhere', way =>
  expectPasswordKept(runProcess, way, [['run', 'list']]),
)
