import Glibc
import HLS
import Transport

extension Podstitch {
    /// Findings go to standard output. Ctrl-C ends the loads, and what was found so far is told.
    static func lint(_ arguments: LintArguments) async -> Int32 {
        if arguments.listsRules {
            let rules = LintRule.all.filter { arguments.tells(of: $0.number) }
            let text = arguments.isJSON ? LintRuleList.json(rules) : LintRuleList.text(rules)
            FileHandleOutput.write(Array(text.utf8), to: STDOUT_FILENO)
            return 0
        }
        let group: EventLoopGroup
        do {
            group = try EventLoopGroup(count: 1)
        } catch {
            complain("podstitch lint: \(error)")
            return 2
        }
        let loader = LintLoader(client: HTTPClient(group: group))
        StopSignal.install()
        let run = Task {
            var run = LintRun(arguments, loader: loader, time: SystemTimeSource())
            return await run.run()
        }
        // Waits in a thread of its own; the program ends without it.
        Task {
            await StopSignal.wait()
            run.cancel()
        }
        let result = await run.value
        FileHandleOutput.write(Array((arguments.isJSON ? result.json : result.text).utf8), to: STDOUT_FILENO)
        return result.status
    }
}
