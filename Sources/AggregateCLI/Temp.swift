import AggregateCore
struct FlatLayout: Sendable { let s: Schema; init(sample: Batch, policy: NewColumnPolicy) throws { s = Schema(sample.schema.columns.filter { $0.name != "_extra" }) }
 func apply(_ b: Batch) throws -> Batch { Batch(schema: s, columns: b.schema.columns.indices.filter { b.schema.columns[$0].name != "_extra" }.map { b.columns[$0] }, rowCount: b.rowCount) } }
enum FunctionCatalogue { static let all: [(name: String, summary: String)] = [] }
