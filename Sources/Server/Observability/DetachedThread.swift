import Glibc

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs a body that blocks on a thread of its own, which ends with it. For calls of C that wait.
package func startThread(_ run: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let body = Unmanaged.passRetained(ThreadBody(run))
    let result = pthread_create(
        &thread, &attributes,
        { argument in
            if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }, body.toOpaque())
    if result != 0 { body.release() }
    pthread_attr_destroy(&attributes)
}
