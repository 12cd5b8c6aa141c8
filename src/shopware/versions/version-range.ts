/** The versions of a shop and of its payment provider's plugin. Plain JSON: runs and plans store it. */
export interface ShopVersions {
  /** `6.6.7.1`; `null` where it is not known. */
  readonly shop: string | null
  /** `9.6.2`; `null` where it is not known. */
  readonly plugin: string | null
  /** Who gave them: the shop, the profile's settings for what the shop does not give, or nobody. */
  readonly from: 'shop' | 'profile' | null
}

/** Versions from one on and before another. */
export interface VersionRange {
  readonly from: string
  readonly below: string
}

/** Versions of shop and plugin that outcomes hold for. */
export interface VersionPair {
  readonly shop: VersionRange
  readonly plugin: VersionRange
  /** Whether a running shop answered so; otherwise its source says so. */
  readonly isMeasured: boolean
  /** Where the outcomes come from. */
  readonly source: string
}
