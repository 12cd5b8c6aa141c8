/** Names and values in their order, as they came. */
export type Headers = readonly (readonly [name: string, value: string])[]
