import type { ElementHandle, Locator } from 'playwright-core'

/** How long a box may stand behind something else before its label is pressed, in milliseconds. */
const pressableAfterMs = 1_000

/** The first label of a control that is there to be seen: what people press where styles hide the control itself. */
async function labelOf(control: Locator): Promise<ElementHandle<HTMLElement> | undefined> {
  const label = await control.evaluateHandle((element) => {
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    return labels.find((one) => one.getClientRects().length > 0)
  })
  return label.asElement() ?? undefined
}

/** Whether a person can press a box, by itself or by its label. */
export async function isPressable(control: Locator): Promise<boolean> {
  return (await control.isVisible()) || (await labelOf(control)) !== undefined
}

/** Ticks or unticks a box, or chooses a radio button. @throws TimeoutError where neither it nor its label can be pressed */
export async function tick(control: Locator, value: boolean): Promise<void> {
  await control.waitFor({ state: 'attached' })
  const label = await labelOf(control)
  if (!label) return control.setChecked(value)
  if ((await control.isChecked()) === value) return
  const pressed = (await control.isVisible()) && control.setChecked(value, { timeout: pressableAfterMs })
  const isDone = await Promise.resolve(pressed).then(
    (done) => done !== false,
    () => false,
  )
  // It may have changed though something stands before it.
  if (!isDone && (await control.isChecked()) !== value) await label.click()
}
