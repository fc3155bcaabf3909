import AggregateCore

/// One run: which service is asked for a place, and which stands in when it fails.
struct WeatherRun: Sendable {
  let wanted: Wanted
  let mapper: WeatherMapper
  /// Those that can be asked, in order.
  let services: [any WeatherService]
  let register: PlaceRegister
  let outages = Outages()
  let patience: Duration

  /// A place that is another one: it has no rows of its own.
  private struct Repeated: Error {}

  /// Reads the weather at a place and emits its rows.
  func read(_ place: Place, _ index: Int, _ context: ProviderContext) async throws {
    defer { register.settle(index) }
    var isEntered = false
    for (position, service) in services.enumerated() {
      let isLast = position + 1 == services.count
      let client = ServiceClient(
        service: service, hasOther: !isLast, outages: outages, patience: patience,
        http: context.http)
      var rows: Rows?
      do {
        let location = try await locate(place, client)
        if !isEntered { try await enter(location, place, index, context) }
        isEntered = true
        rows = try await self.rows(location, client, context)
        let nothing = "\(service.name)'s answer has no weather for it"
        if rows == nil, isLast {
          context.log.warn("\(context.source): \(place.shown): \(nothing): it has no row")
        } else if rows == nil {
          warn(of: nothing, place, position, context)
        }
      } catch is Repeated {
        return
      } catch let left as ServiceClient.LeftOut {
        // It was told when it failed.
        if isLast { throw explained(left.error, place, position) }
      } catch let failure as Failure {
        let isLasting = Outages.isLasting(failure.error, hasOther: !isLast)
        let isNew =
          !isLasting || outages.note(failure.error, of: service.name, at: failure.url)
        if isLast { throw explained(failure.error, place, position) }
        if isNew { warn(of: failure.error.message, isLasting: isLasting, place, position, context) }
      } catch let error as AggregateError {
        if isLast { throw explained(error, place, position) }
        warn(of: error.message, place, position, context)
      }
      guard let rows else { continue }
      // From here on it is no matter of the service: another one would be asked in vain.
      for loss in rows.losses {
        try context.log.lost(
          column: loss.column, kind: loss.kind, count: 1, example: "\(loss.text) of \(place.shown)")
      }
      return try await context.emit(rows.batch, from: rows.origin)
    }
  }

  /// What an answer gives.
  private struct Rows {
    let batch: Batch
    let losses: [Reading.Loss]
    let origin: WorkOrigin
  }

  /// The failure of a request.
  struct Failure: Error {
    let error: AggregateError
    let url: WebURL
  }

  /// The answer to a request; its failure, with where it was sent.
  func answer(to request: HTTPRequest, _ client: ServiceClient) async throws -> HTTPResponse {
    do {
      return try await client.send(request)
    } catch let error as AggregateError {
      throw Failure(error: error, url: request.url)
    }
  }

  /// What becomes of an answer; an error that it brings is one of the request.
  func reading<Value>(
    _ response: HTTPResponse, _ request: HTTPRequest, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as AggregateError {
      throw Failure(error: error, url: request.url)
    }
  }

  /// The rows of a place; nil when there are none.
  private func rows(
    _ location: Location, _ client: ServiceClient, _ context: ProviderContext
  ) async throws -> Rows? {
    let service = client.service
    let request = try service.request(for: location, wanted)
    let response = try await answer(to: request, client)
    var readings = try reading(response, request) {
      try service.readings(in: service.decode(response), wanted.mode)
    }
    if readings.isEmpty { return nil }
    if let days = wanted.period.dayCount, let perDay = service.readingsPerDay(wanted.mode) {
      let found = (readings.count + perDay - 1) / perDay
      if found < days {
        context.log.warn(
          "\(context.source): \(service.name) has \(found) \(found == 1 ? "day" : "days") of the "
            + "\(days) that are asked for")
      }
      // A day of the past has as many hours as the clocks made it have.
      if wanted.period.days != nil { readings = Array(readings.prefix(days * perDay)) }
    }
    for index in readings.indices { readings[index].noteOverflows(in: mapper.units) }
    var rows = BatchBuilder(schema: mapper.schema)
    try mapper.map(
      readings, of: WeatherMapper.Origin(location: location, service: service.name), into: &rows)
    return Rows(
      batch: rows.finish(), losses: readings.flatMap(\.losses), origin: WorkOrigin(response))
  }

  /// Enters a place that was found into the register, and tells of one that is there already.
  private func enter(
    _ location: Location, _ place: Place, _ index: Int, _ context: ProviderContext
  ) async throws {
    let isLookedUp = if case .named = place { true } else { false }
    switch try await register.enter(index, location, isLookedUp: isLookedUp) {
    case .new: break
    case .same(let earlier):
      context.log.warn(
        "\(context.source): “places” names \(earlier.shown) twice"
          + (place.shown == earlier.shown ? "" : ", the second time as \(place.shown)")
          + "; it is read once")
      throw Repeated()
    case .namesake:
      context.log.warn(
        "\(context.source): two places are called “\(location.shown)” in the rows; to tell them apart, "
          + "write them with their regions, or as lat, lon and name")
    }
  }

  private func warn(
    of message: String, isLasting: Bool = false, _ place: Place, _ position: Int,
    _ context: ProviderContext
  ) {
    context.log.warn(
      "\(context.source): \(place.shown): \(services[position].name) failed, asking "
        + "\(services[position + 1].name): \(message)"
        + (isLasting ? "; it is asked no more in this run" : ""))
  }

  private func explained(
    _ error: AggregateError, _ place: Place, _ position: Int
  ) -> AggregateError {
    let service = services[position]
    let others = services[..<position]
    var error = error
    if error.message.hasPrefix("there is no sample for") {
      error.message = "\(place.shown) is not in the sample as it is asked for"
      error.hint = WeatherProvider.sampled
    }
    if !error.message.contains(place.shown) { error.message = "\(place.shown): \(error.message)" }
    if !others.isEmpty {
      error.message += "; \(others.map(\.name).joined(separator: " and ")) failed before it"
    }
    if let hint = error.status.flatMap(service.hint) { error.hint = hint }
    if error.hint == nil {
      error.hint =
        error.code == .unavailable
        ? service.hint(for: 503) : "is the address in “base_urls” one of \(service.name)?"
    }
    // A second service is no advice where there is one.
    if !others.isEmpty, error.hint == service.hint(for: 503) { error.hint = "try again later" }
    return error
  }
}
