extension Podstitch {
    static func stitch(_ arguments: StitchArguments) async -> Int32 {
        complain("stitching files is not part of this build")
        return 1
    }
}
