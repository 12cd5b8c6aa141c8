import {createUsageError, StorectlError} from '../errors.js'
import {suggestNearest} from '../language/nearest-word.js'
import type {JsonStore} from '../platform/files/json-store.js'
import {
  refuseSecret,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type SettingValues,
} from './setting-definitions.js'

/** Who gave a setting its value, the strongest first. */
type Origin = 'flag' | 'environment' | 'project' | 'user' | 'default'

/** A setting as text, with who gave it. */
export interface Resolved {
  readonly key: SettingKey
  /** `undefined` when nobody gave one and there is no default. */
  readonly text: string | undefined
  readonly origin: Origin
  /** What to look at: `--timeout`, `STORECTL_TIMEOUT`, the path of a file; empty for a default. */
  readonly from: string
}

/** Where settings come from. All texts are as they were given. */
interface SettingSources {
  readonly flags: Readonly<Partial<Record<SettingKey, string | undefined>>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** `.storectl.json` of this folder or one above; it may name a profile and nothing else. */
  readonly project: () => {readonly file: string; readonly profile: string} | undefined
  readonly user: {readonly file: string; readonly values: Readonly<Record<string, unknown>>}
}

/** Settings by flag > environment > project > user > default. */
export class Settings {
  constructor(private readonly sources: SettingSources) {}

  /**
   * The value to go by.
   *
   * @throws StorectlError `usage.setting` when the text that wins is not allowed; it says where that text stands
   */
  resolveValue<Key extends SettingKey>(key: Key): SettingValues[Key] | undefined {
    const {text, origin, from} = this.resolve(key)
    if (text === undefined) return undefined
    if (origin !== 'environment') refuseSecret(key, text, from)
    try {
      return SETTINGS[key].parse(text) as SettingValues[Key]
    } catch (error) {
      if (!(error instanceof StorectlError) || origin === 'default') throw error
      const nextSteps = origin === 'user' ? [`storectl config set ${key} --unset`] : []
      throw createUsageError('setting', `${key}, from ${from}: ${error.message}`, nextSteps)
    }
  }

  /** The text that wins and where it stands, whether it is allowed or not. */
  resolve(key: SettingKey): Resolved {
    const {flags, env, user} = this.sources
    const {env: variable, preset} = SETTINGS[key]
    const own = user.values[key]
    if (flags[key] !== undefined) return {key, text: flags[key], origin: 'flag', from: `--${key}`}
    if (env[variable]) return {key, text: env[variable], origin: 'environment', from: variable}
    const project = key === 'profile' ? this.sources.project() : undefined
    if (project) return {key, text: project.profile, origin: 'project', from: project.file}
    if (own !== undefined) return {key, text: String(own), origin: 'user', from: user.file}
    return {key, text: preset, origin: 'default', from: ''}
  }

  /** Every setting, in a fixed order. */
  resolveAll(): Resolved[] {
    return SETTING_KEYS.map(key => this.resolve(key))
  }
}

/**
 * The key that a person typed.
 *
 * @throws StorectlError `usage.unknown_setting` with the nearest key
 */
export function parseSettingKey(typed: string): SettingKey {
  const key = SETTING_KEYS.find(each => each === typed)
  if (key) return key
  throw createUsageError(
    'unknown_setting',
    `Unknown setting "${typed}".${suggestNearest(typed, SETTING_KEYS)} Settings: ${SETTING_KEYS.join(', ')}.`,
    ['storectl config list'],
  )
}

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
