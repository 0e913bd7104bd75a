import Testing

@testable import Server

struct PlayerParametersTests {
    @Test func `the first request's query becomes player parameters without what is ours (rule 1212)`() throws {
        let query = [("stream_id", "x"), ("section", "sport"), ("_HLS_msn", "4"), ("section", "other"), ("", "y")]
            .map { (name: $0.0, value: $0.1) }
        #expect(try PlayerParameters.parameters(query: query) == ["section": "sport"])
    }

    @Test func `a session request brings parameters in its body or as ads dot names`() throws {
        let body = Array(#"{"adsParams":{"deviceType":"tv","age":7,"kids":true,"none":null}}"#.utf8)
        #expect(try PlayerParameters.parameters(sessionBody: body) == ["deviceType": "tv", "age": "7", "kids": "true"])
        let query = [(name: "ads.section", value: "news"), (name: "other", value: "1")]
        #expect(try PlayerParameters.parameters(sessionQuery: query) == ["section": "news"])
        #expect(try PlayerParameters.parameters(sessionBody: []) == [:])
    }

    @Test(arguments: ["{", "[]", "\"x\"", "{\"adsParams\":[]}", "<html>"])
    func `a body that is no such object is a bad request`(body: String) {
        #expect(throws: ServerError(.badRequest)) { try PlayerParameters.parameters(sessionBody: Array(body.utf8)) }
    }

    @Test func `too many or too long parameters are a bad request`() {
        let many = (0...64).map { (name: "p\($0)", value: "1") }
        #expect(throws: ServerError(.badRequest)) { try PlayerParameters.parameters(query: many) }
        let long = [(name: "p", value: String(repeating: "x", count: 2_049))]
        #expect(throws: ServerError(.badRequest)) { try PlayerParameters.parameters(query: long) }
    }
}
