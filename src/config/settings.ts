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

/** The sources of settings, the strongest first. */
type Origin = 'flag' | 'environment' | 'project' | 'user' | 'default'

/** A setting as text, with its source. */
export interface Resolved {
  readonly key: SettingKey
  /** `undefined` if it is not set and there is no default. */
  readonly text: string | undefined
  readonly origin: Origin
  /** The source: `--timeout`, `STORECTL_TIMEOUT`, the path of a file; empty for a default. */
  readonly from: string
}

/** The sources of settings, as raw text. */
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
   * The effective value.
   *
   * @throws StorectlError `usage.setting` if the winning text is not allowed; it names the source
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

  /** The winning text and its source, allowed or not. */
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
 * Parses a typed key.
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
 * Notes the file to which settings were moved aside. Until a profile is chosen, the current one counts as unknown, not
 * as missing.
 */
export const SET_ASIDE = 'setAside'

/**
 * Stores a user setting, or deletes it.
 *
 * @param text `undefined` deletes it, which restores the default
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
