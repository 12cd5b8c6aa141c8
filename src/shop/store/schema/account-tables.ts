/** A person who signs in with a password. */
export interface UserRow {
  id: string
  username: string
  /** Without case and accents: user names are compared like that. */
  username_folded: string
  /** By scrypt, with its parameters and salt. */
  password_hash: string
  admin: number
  /** JSON list: `["customer:read"]`; administrators need none. */
  privileges: string
  /** Tokens issued before this moment are refused; milliseconds since 1970. */
  password_changed_at_ms: number
}

/** A program that signs in with an access key. */
export interface IntegrationRow {
  id: string
  /** `SWIA…` */
  access_key: string
  /** SHA-256 in hex: enough for 51 random characters. */
  secret_hash: string
  label: string
  admin: number
  /** JSON list, as of users. */
  privileges: string
}

export interface RefreshTokenRow {
  /** SHA-256 in hex. */
  token_hash: string
  user_id: string
  client_id: string
  /** JSON list in the order of the token. */
  scopes: string
  expires_at_ms: number
  revoked: number
}

/** What the shop keeps about itself, for all sales channels (`''`) or for one. */
export interface SystemConfigRow {
  configuration_key: string
  sales_channel_id: string
  configuration_value: string
}

export interface AccountTables {
  user_account: UserRow
  integration_account: IntegrationRow
  refresh_token: RefreshTokenRow
  system_config: SystemConfigRow
}
