import Testing

@testable import Conditioning

@Suite struct StorageIndexTests {
    @Test func `the least recently used goes first`() {
        var index = StorageIndex<String>(byteLimit: 100)
        let found1 = index.insert("a", bytes: 40)
        #expect(found1.isEmpty)
        let found2 = index.insert("b", bytes: 40)
        #expect(found2.isEmpty)
        let found7 = index.use("a")
        #expect(found7)
        let found3 = index.insert("c", bytes: 40)
        #expect(found3 == ["b"])
        #expect(index.contains("a") && index.contains("c") && !index.contains("b"))
        #expect(index.totalBytes == 80)
    }

    @Test func `the new one stays, however large`() {
        var index = StorageIndex<String>(byteLimit: 100)
        _ = index.insert("a", bytes: 50)
        let found4 = index.insert("b", bytes: 500)
        #expect(found4 == ["a"])
        let found5 = index.insert("c", bytes: 10)
        #expect(found5 == ["b"])
        #expect(index.totalBytes == 10)
    }

    @Test func `what is entered twice counts once`() {
        var index = StorageIndex<String>(byteLimit: 100)
        _ = index.insert("a", bytes: 60)
        let found6 = index.insert("a", bytes: 70)
        #expect(found6.isEmpty)
        #expect(index.totalBytes == 70)
        index.remove("a")
        index.remove("a")
        #expect(index.totalBytes == 0 && index.count == 0)
        let isThere = index.use("a")
        #expect(!isThere)
    }
}
