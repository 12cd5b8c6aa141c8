interface Row {
  readonly name: string
  readonly value?: number
  readonly memoryMiB?: number
  readonly p99Ms?: number
  readonly atMost?: number
  readonly atLeast?: number
  readonly note?: string
}

export function groupText(group: {
  readonly title: string
  readonly unit: string
  readonly rows: readonly Row[]
}): string
