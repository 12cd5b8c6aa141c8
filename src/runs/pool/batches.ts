/** Values in groups of `size`, the last one smaller. */
export async function* splitBatches<V>(
  values: AsyncIterable<V>,
  size: number,
): AsyncGenerator<V[], void, void> {
  let batch: V[] = []
  for await (const value of values) {
    batch.push(value)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
