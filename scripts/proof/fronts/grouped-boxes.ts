import express, { type RequestHandler, Router } from 'express'

/** What one box stands for each. */
const groups: Readonly<Record<string, readonly string[]>> = {
  contact: ['profile.email', 'profile.phonenumber', 'profile.addresses'],
  person: [
    ...['profile.name', 'profile.titles', 'profile.birthdate', 'profile.gender', 'profile.maritalstatus'],
    'profile.birthplaceNationality',
  ],
  papers: ['profile.idcards', 'profile.birthnumber', 'profile.legalstatus', 'profile.verification'],
  settings: ['profile.locale', 'profile.zoneinfo', 'profile.updatedat'],
}

const selectorOf = (group: string) => `input[name=group][value=${group}]`

/** The boxes of {@link groupedBoxes}; what is in no group has one of its own. */
export const boxesOfGroups = Object.fromEntries(
  Object.entries(groups).map(([group, scopes]) => [selectorOf(group), scopes]),
)

const boxes = /<input type="checkbox" name="scope" value="([^"]*)"[^>]*>/g

/** A box in place of those of a group; what cannot be refused keeps its own, which is fixed. */
function grouped(page: string): string {
  const shown = new Set<string>()
  return page.replaceAll(boxes, (box, scope) => {
    const [group, scopes = []] = Object.entries(groups).find(([, ofGroup]) => ofGroup.includes(scope)) ?? []
    if (group === undefined || box.includes('disabled')) return box
    const isFirst = !shown.has(group)
    shown.add(group)
    const asked = [...page.matchAll(boxes)].flatMap(([one, name = '']) =>
      scopes.includes(name) && !one.includes('disabled') ? [name] : [],
    )
    const stands = `<input type="hidden" name="of.${group}" value="${asked.join(' ')}">`
    return isFirst ? `${stands}<input type="checkbox" name="group" value="${group}" checked="">` : ''
  })
}

/** A bank on whose consent page one box stands for several scopes: for all that leads to contact data, and so on. */
export function groupedBoxes(): Router {
  const asking: RequestHandler = (req, res, next) => {
    const { body } = req
    const ticked = [body?.group ?? []].flat().map((group) => String(body[`of.${group}`] ?? ''))
    if (ticked.length > 0)
      req.body = { ...body, scope: [body.scope ?? [], ticked.flatMap((scopes) => scopes.split(' '))].flat() }
    const answer = res.send.bind(res)
    res.send = (page) => answer(typeof page === 'string' ? grouped(page) : page)
    next()
  }
  return Router().use('/interaction', express.urlencoded({ extended: false }), asking)
}
