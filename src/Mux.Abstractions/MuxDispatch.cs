namespace Mux;

/// <summary>Where the user code of a method runs: the handler at the server and, at the client, the code after the <c>await</c>.</summary>
public enum MuxDispatch
{
    /// <summary>The choice of the next level: the method's, then the service's, then the server's or channel's, which is <see cref="Inline"/> unless set.</summary>
    Default = 0,

    /// <summary>
    /// In place, on the thread that received the message: the fastest by far, for code that does not block. While it runs, the other
    /// calls of its connection wait, and blocking there on another call of the same connection never returns.
    /// </summary>
    Inline = 1,

    /// <summary>On the .NET thread pool: for code that blocks or computes for long. Costs a hop of some hundred nanoseconds per call.</summary>
    Pool = 2,
}
