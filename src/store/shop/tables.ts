/**
 * The shop's tables as kysely knows them. Entities (`customer`, `order` …) get theirs from their descriptions in
 * `shop-model`; those named here belong to the server itself. A table group lives in a file of its own and is joined
 * here.
 */
// biome-ignore lint/suspicious/noEmptyInterface: table groups are joined below as they come
export interface ShopTables {}
