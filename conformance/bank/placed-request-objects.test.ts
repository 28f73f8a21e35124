import { PlacedRequestObjects } from './placed-request-objects.js'

describe('the request objects of a run', () => {
  test('are known by the address at which they lie, until something else lies there', () => {
    const objects = new PlacedRequestObjects()
    const [first, second] = ['https://service.example/first', 'https://service.example/second']
    objects.made('an object', { max_age: 600 })
    objects.place(first, 'an object')
    expect(objects.at(first)).toEqual({ max_age: 600 })
    expect(objects.at(second)).toBeUndefined()
    objects.place(first, 'an object that was altered')
    expect(objects.at(first)).toBeUndefined()
  })

  test('are known by the whole address, with its fragment', () => {
    const objects = new PlacedRequestObjects()
    objects.made('an object', { scope: 'openid' })
    objects.place('https://service.example/object#one', 'an object')
    expect(objects.at('https://service.example/object#another')).toBeUndefined()
  })
})
