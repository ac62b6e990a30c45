namespace Mux;

/// <summary>Selects where your code runs: on the server the handler, on the client the code after the <c>await</c>.</summary>
public enum MuxDispatchMode
{
    /// <summary>
    /// The mode of the next level: first the method, then the service, then the server or channel. Its default is <see cref="Adaptive"/>.
    /// </summary>
    Default = 0,

    /// <summary>
    /// In place, on the thread that received the message, whatever it costs. For code that never blocks: the other calls of the connection wait while it runs.
    /// If it occupies the thread for more than some milliseconds, another thread continues with those calls.
    /// </summary>
    Inline = 1,

    /// <summary>On the .NET thread pool. For code that blocks or computes for long. Adds some hundred nanoseconds per call.</summary>
    Pool = 2,

    /// <summary>
    /// Chosen by measured cost. Code that takes some microseconds runs in place; other code runs on Mux's own worker threads, which grow in number while code
    /// blocks. Calls of one connection may overlap and finish in any order.
    /// </summary>
    Adaptive = 3,
}
