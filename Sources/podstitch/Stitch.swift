import Glibc
import Transport

extension Podstitch {
    /// The playlist goes to standard output, what became of breaks and ads to standard error.
    static func stitch(_ arguments: StitchArguments) async -> Int32 {
        do {
            let group = try EventLoopGroup(count: 1)
            let input = StitchInput(group: group)
            let content = try await input.content(arguments)
            let (ads, adNotes) = try await input.ads(arguments)
            let output = try FileStitcher.stitch(content, ads: ads, breaks: arguments.breaks)
            for note in adNotes + output.notes { complain(note) }
            FileHandleOutput.write(output.playlist, to: STDOUT_FILENO)
            return 0
        } catch let failure as StitchFailure {
            complain("podstitch stitch: \(failure.message)")
        } catch {
            complain("podstitch stitch: \(error)")
        }
        return 1
    }
}
