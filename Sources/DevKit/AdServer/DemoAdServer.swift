/// The demo's ad server.
///
///     /vast?dur=30     a pod that fills 30 s at most
///     /vmap            breaks at the start, in the middle and at the end
///     /beacon?…        recorded
///     /report          what was asked and told, as a page; /report.json the same as JSON
///     /media/…         the ads
struct DemoAdServer: StandIn {
    let report = AdReport()
    let files: MediaFiles

    init(media: DemoMedia) {
        files = MediaFiles(root: media.folder)
    }

    func respond(to request: StandInRequest, at milliseconds: Int64) -> StandInResponse {
        switch request.path {
        case "/vast":
            let number = report.nextNumber()
            let seconds = request.parameter("dur").flatMap(Double.init) ?? Double(DemoAdDocuments.defaultSeconds)
            let whole = seconds.isFinite ? Int(max(0, min(seconds, 3600))) : DemoAdDocuments.defaultSeconds
            let pod = DemoAdDocuments.pod(of: DemoItem.ads, filling: whole, turn: number)
            record(number, request, pod.map(\.title), milliseconds)
            return StandInResponse(DemoAdDocuments(base: request.base).vast(pod, request: number), "application/xml")
        case "/vmap":
            let number = report.nextNumber()
            record(number, request, [], milliseconds)
            return StandInResponse(DemoAdDocuments(base: request.base).vmap(request: number), "application/xml")
        case "/beacon":
            report.record(
                AdReport.Beacon(
                    milliseconds: milliseconds, request: request.parameter("request") ?? "",
                    ad: request.parameter("ad") ?? "", event: request.parameter("event") ?? ""))
            var response = StandInResponse("", "image/gif")
            response.status = 204
            return response
        case "/report":
            return StandInResponse(report.page(), "text/html; charset=utf-8")
        case "/report.json":
            return StandInResponse(report.json(), "application/json")
        default:
            guard request.path.hasPrefix("/media/ads/") else {
                return StandInResponse(status: 404, "try /vast, /vmap or /report")
            }
            return files.respond(relativePath: String(request.path.dropFirst(7)), range: request.range)
        }
    }

    private func record(_ number: Int, _ request: StandInRequest, _ ads: [String], _ milliseconds: Int64) {
        report.record(
            AdReport.AdRequest(number: number, milliseconds: milliseconds, target: request.target, ads: ads))
    }
}
