import Glibc
import Server
import Transport

extension Podstitch {
    /// The report goes to standard output, why there is none to standard error.
    static func vast(_ arguments: AdAnswerArguments) async -> Int32 {
        let group: EventLoopGroup
        do {
            group = try EventLoopGroup(count: 1)
        } catch {
            complain("podstitch vast: \(error)")
            return 2
        }
        let run = AdAnswerRun(
            arguments, loader: AdAnswerLoader(client: HTTPClient(group: group), arguments: arguments),
            time: SystemTimeSource(), random: { UInt64.random(in: .min ... .max) })
        let report = await run.run()
        let text = arguments.isJSON ? report.json.formatted + "\n" : report.text
        FileHandleOutput.write(Array(text.utf8), to: STDOUT_FILENO)
        if let problem = report.problem { complain("podstitch vast: \(problem)") }
        return report.status
    }
}
