namespace Mux;

/// <summary>Where the user code of a method runs: the handler at the server and, at the client, the code after the <c>await</c>.</summary>
public enum MuxDispatchMode
{
    /// <summary>
    /// The choice of the next level: the method's, then the service's, then the server's or channel's, which is <see cref="Adaptive"/> unless set.
    /// </summary>
    Default = 0,

    /// <summary>
    /// In place, on the thread that received the message, whatever it costs: for code that never blocks. The other calls of its connection wait while it runs.
    /// Should it keep the thread for more than some milliseconds, another thread goes on with them.
    /// </summary>
    Inline = 1,

    /// <summary>On the .NET thread pool: for code that blocks or computes for long. Costs a hop of some hundred nanoseconds per call.</summary>
    Pool = 2,

    /// <summary>
    /// By what it costs, as it is measured: in place while it takes some microseconds, else on Mux's own worker threads, of which there are as many as blocking
    /// code needs. Calls of one connection may overlap and finish in any order.
    /// </summary>
    Adaptive = 3,
}
