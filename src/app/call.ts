import type {PresentCallDeps} from '../call/present-call.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'

/** Dependencies of `api`. @param file of the body; `-` for stdin */
export async function buildCallDeps(
  {interruption, redaction}: Host,
  adapters: Adapters,
  file: string | undefined,
): Promise<PresentCallDeps> {
  const {profile, signed, patient, refusal, confirmWrite} = await adapters.connect()
  return {
    ...{signed, patient, refusal},
    body: file === undefined ? undefined : await adapters.files.openInput(file),
    agree: async what => (profile.protected ? confirmWrite(what) : undefined),
    hide: secret => redaction.hide(secret),
    signal: interruption.stopping,
  }
}
