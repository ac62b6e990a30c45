namespace Mux.Runtime;

/// <summary>Sends what a connection has left to a thread of the .NET pool. Any thread may run it.</summary>
internal interface IPostponedSend : IThreadPoolWorkItem
{
    /// <summary>True if nothing was sent since it was left.</summary>
    bool IsOwed { get; }

    /// <summary>True while <see cref="PostponedSends"/> knows it. Set by the code that adds it, cleared by the monitor.</summary>
    bool IsWatched { get; set; }
}
