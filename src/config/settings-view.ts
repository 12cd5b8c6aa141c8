import {SETTINGS, type Setting} from './setting-definitions.js'
import type {Resolved} from './settings.js'

/** A setting as it is listed. */
export interface SettingRow {
  readonly key: string
  /** `null` if it is not set and has no default. */
  readonly value: string | null
  readonly origin: string
  /** The source: a flag, a variable, a file; `null` for a default. */
  readonly from: string | null
}

/** A row for JSON and tables. */
export function buildSettingRow({key, text, origin, from}: Resolved): SettingRow {
  const {shown = keepText}: Setting<unknown> = SETTINGS[key]
  return {key, value: text === undefined ? null : shown(text), origin, from: from || null}
}

const keepText = (text: string) => text

export const SETTING_VIEW = {
  noun: ['setting', 'settings'] as const,
  id: 'key',
  columns: [{path: 'key'}, {path: 'value'}],
} as const

/** `SETTING_VIEW` with where each value came from. */
export const SETTING_ORIGIN_VIEW = {
  ...SETTING_VIEW,
  columns: [...SETTING_VIEW.columns, {path: 'origin'}, {path: 'from'}],
} as const

export const PATHS_VIEW = {
  noun: ['path', 'paths'] as const,
  id: 'config',
  columns: [
    {path: 'config'},
    {path: 'state'},
    {path: 'cache'},
    {path: 'settingsFile'},
    {path: 'credentialsFile'},
    {path: 'recordsDatabase'},
    {path: 'shopFolder'},
  ],
} as const
