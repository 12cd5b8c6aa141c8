import {join} from 'node:path'
import {createKeyringStore} from '../../auth/credentials/keyring-secret-store.js'
import type {ReachableStore} from '../../auth/credentials/secret-store.js'
import type {Paths} from '../../config/paths.js'
import {writeNote} from '../../output/write-note.js'
import {processKeyring} from '../../platform/keyring.js'
import type {Host} from '../host.js'

/** A person who must unlock the keyring needs time to find the password. */
const LIMIT_WITH_PERSON_MS = 30_000

/** Unattended, a keyring answers in a tenth of a second or not at all. */
const LIMIT_MS = 5000

/** The keyring of the operating system. @param mayAsk whether a person may be asked to unlock it */
export function openKeyring(
  {root, env, clock, interruption, stderr}: Host,
  paths: Paths,
  mayAsk: boolean,
): ReachableStore {
  const report = (text: string) => writeNote(stderr, text)
  const keyring = processKeyring({
    program: join(root, 'bin', 'keyring.js'),
    env,
    clock,
    interruption,
    limitMs: mayAsk ? LIMIT_WITH_PERSON_MS : LIMIT_MS,
    onWait: async () => {
      if (mayAsk) await report('waiting for the keyring; it may be asking to be unlocked')
    },
  })
  return createKeyringStore({
    keyring,
    home: env.STORECTL_HOME ? paths.config : undefined,
    warn: text => report(`warning: ${text}`),
  })
}
