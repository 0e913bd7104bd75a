/// A measurement script of a vendor, for the client (R-C6).
package struct AdVerification: Sendable, Hashable {
    package struct Resource: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case javaScript, executable
        }

        package var kind: Kind
        package var url: String
        package var apiFramework: String?
        package var browserOptional: Bool?
        package var type: String?
    }

    package var vendor: String?
    package var resources: [Resource]
    /// Verbatim.
    package var parameters: String?
    package var trackingEvents: TrackingEvents
    package var fromExtension: Bool

    init(_ element: XMLElement, fromExtension: Bool = false) {
        vendor = element.word("vendor")
        resources = element.children.compactMap { child in
            let kind: Resource.Kind
            switch child.name {
            case "JavaScriptResource": kind = .javaScript
            case "ExecutableResource": kind = .executable
            default: return nil
            }
            return Resource(
                kind: kind, url: child.url ?? "", apiFramework: child.attribute("apiFramework")?.trimmed,
                browserOptional: child.boolean("browserOptional"), type: child.word("type"))
        }
        parameters = element.text(of: "VerificationParameters")
        trackingEvents = TrackingEvents(in: element)
        self.fromExtension = fromExtension
    }

    /// URLs that report why the script did not run.
    package var notExecuted: [String] {
        trackingEvents.events.filter { $0.event == "verificationNotExecuted" }.map(\.url)
    }
}
