import type {JsonStore} from '../platform/files/json-store.js'
import {refuseSecret, SETTINGS, type SettingKey} from './setting-definitions.js'

/**
 * Names the file that settings were set aside in. It says that the current profile is not known, rather than that there
 * is none, until one is chosen.
 */
export const SET_ASIDE = 'setAside'

/**
 * Keeps a user setting, or drops it.
 *
 * @param text `undefined` drops it, so that its default stands again
 * @throws StorectlError as the setting's `parse`, before anything is written
 */
export async function changeSetting(
  key: SettingKey,
  text: string | undefined,
  store: Pick<JsonStore, 'update'>,
): Promise<void> {
  if (text !== undefined) {
    refuseSecret(key, text, 'a settings file')
    SETTINGS[key].parse(text)
  }
  await store.update(content => {
    const {[key]: _, ...others} = (content.settings ?? {}) as Record<string, unknown>
    const {[SET_ASIDE]: __, ...known} = content
    return {
      ...(key === 'profile' ? known : content),
      settings: text === undefined ? others : {...others, [key]: text},
    }
  })
}
