import type {PresentCallDeps} from '../call/present-call.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'

/** Dependencies of `api`. @param file of the body; `-` for stdin */
export async function buildCallDeps(
  {interruption, redaction, stderr}: Host,
  adapters: Adapters,
  file: string | undefined,
): Promise<PresentCallDeps> {
  const {profile, signed, patient, refusal, confirmWrite} = await adapters.connect()
  return {
    ...{signed, patient, refusal},
    body: file === undefined ? undefined : await adapters.files.openInput(file),
    agree: async (what, warning) => {
      if (!profile.protected) return
      if (warning !== undefined) await stderr.write(`${warning}\n`)
      await confirmWrite(what)
    },
    hide: secret => redaction.hide(secret),
    signal: interruption.stopping,
  }
}
