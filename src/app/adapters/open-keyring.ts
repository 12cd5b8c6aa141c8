import {join} from 'node:path'
import {keyringStore} from '../../auth/credentials/keyring-secret-store.js'
import type {ReachableStore} from '../../auth/credentials/secret-store.js'
import type {Context} from '../../context.js'
import {visibleLines} from '../../output/escape-controls.js'
import {processKeyring} from '../../platform/keyring.js'

/** A person who is asked to unlock the keyring has to find the password. */
const LIMIT_WITH_PERSON_MS = 30_000

/** Where nobody is there, a keyring answers in a tenth of a second or not at all. */
const LIMIT_MS = 5000

/** The keyring of the operating system, once for all that a command asks of it. */
export function openKeyring(context: Context): ReachableStore {
  const {host, paths, prompts} = context
  const say = (text: string) => host.stderr.write(visibleLines(`${text}\n`))
  const keyring = processKeyring({
    program: join(host.root, 'bin', 'keyring.js'),
    env: host.env,
    clock: host.clock,
    interruption: host.interruption,
    limitMs: prompts.possible ? LIMIT_WITH_PERSON_MS : LIMIT_MS,
    onWait: async () => {
      if (prompts.possible) await say('waiting for the keyring; it may be asking to be unlocked')
    },
  })
  return keyringStore({
    keyring,
    home: host.env.STORECTL_HOME ? paths.config : undefined,
    warn: text => say(`warning: ${text}`),
  })
}
