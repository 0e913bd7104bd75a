import DevKit
import Server

extension Podstitch {
    static func demo(_ arguments: DemoArguments) async -> Int32 {
        complain("the demo is not part of this build")
        return 1
    }
}
