/** The versions of a shop and of its payment provider's plugin. Plain JSON: runs and plans store it. */
export interface ShopVersions {
  /** `6.6.7.1`; `null` where unknown. */
  readonly shop: string | null
  /** `9.6.2`; `null` where unknown. */
  readonly plugin: string | null
  /** Their source: the shop, the profile's settings where the shop does not report them, or none. */
  readonly from: 'shop' | 'profile' | null
}

/** Versions from `from` up to, but without, `below`. */
export interface VersionRange {
  readonly from: string
  readonly below: string
}

/** Versions of shop and plugin that outcomes apply to. */
export interface VersionPair {
  readonly shop: VersionRange
  readonly plugin: VersionRange
  /** Whether it was measured on a running shop, and not only read in the source code. */
  readonly isMeasured: boolean
  readonly source: string
}
