namespace Mux;

/// <summary>Selects where your code runs: on the server the handler, on the client the code after the <c>await</c>.</summary>
public enum MuxDispatchMode
{
    /// <summary>
    /// The mode of the next level: a method uses the mode of its service, a service that of the server or channel, whose default is <see cref="Adaptive"/>.
    /// One-way methods that a client serves are <see cref="Serial"/> as well: the client hears what happened in the order in which it happened. Another mode in
    /// the contract, <see cref="Adaptive"/>, <see cref="Pool"/> or <see cref="Inline"/>, lets their handlers overlap.
    /// </summary>
    Default = 0,

    /// <summary>
    /// In place, on the thread that received the message, however long the code runs. For code that never blocks: the other calls of the connection wait while
    /// it runs. If it occupies the thread for more than a few milliseconds, another thread continues with those calls.
    /// </summary>
    Inline = 1,

    /// <summary>On the .NET thread pool. For code that blocks or computes for long. Adds a few hundred nanoseconds per call.</summary>
    Pool = 2,

    /// <summary>
    /// In place or on a worker thread, by measured cost. Code that takes a few microseconds runs in place; other code runs on Mux's own worker threads. While
    /// code blocks worker threads, Mux starts more of them. Calls of one connection may overlap and finish in any order.
    /// </summary>
    Adaptive = 3,

    /// <summary>
    /// Handlers of one key (<see cref="MuxKeyAttribute"/>) run one after the other, in the order in which their calls were handed over to one connection;
    /// those of other keys run concurrently. The order includes all methods of the service with this mode. For contracts alone: a method with one request and
    /// one reply or none, and with a key (MUX0065). Where handlers and the code after calls run, the server and the channel say.
    /// A key that is null or empty is none: such calls have no order. Beyond 1,024 calls of a key or 100,000 keys, calls fail with
    /// <see cref="MuxStatus.ResourceExhausted"/>, not executed. See docs/order.md.
    /// </summary>
    Ordered = 4,

    /// <summary>
    /// Handlers run one after the other for each connection, in the order in which their calls came. The order includes all methods of the service with this
    /// mode. For contracts alone, like <see cref="Ordered"/>, but without a key. See docs/order.md.
    /// </summary>
    Serial = 5,
}
