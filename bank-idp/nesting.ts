/** More levels than any message has. What has more can be read as JSON, and neither be checked nor be written as such again. */
const maxLevels = 100

/** Whether a value that was read as JSON is nested more deeply than any message is. */
export function isNestedTooDeeply(value: unknown, levels = maxLevels): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isNestedTooDeeply(one, levels - 1))
}
