/** A span of time, its end later than its beginning; milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What of a span lies in none of the others; the latest first. */
export function without(span: Span, others: readonly Span[]): Span[] {
  let left = [span]
  for (const {from, to} of others) {
    left = left.flatMap(each =>
      from >= each.to || to <= each.from
        ? [each]
        : [
            {from: each.from, to: Math.min(from, each.to)},
            {from: Math.max(to, each.from), to: each.to},
          ].filter(part => part.to > part.from),
    )
  }
  return left.sort((one, other) => other.to - one.to)
}
