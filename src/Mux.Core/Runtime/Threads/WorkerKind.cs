namespace Mux.Runtime;

/// <summary>Kinds of work of <see cref="Workers"/>. Each kind has its own threads, so that none waits for another.</summary>
internal enum WorkerKind
{
    /// <summary>Handlers that are too expensive for the threads that receive.</summary>
    Handlers,

    /// <summary>The code after calls, and large replies. Blocked handlers wait for it.</summary>
    Completions,

    /// <summary>Producers of streams, callbacks of tokens and other user code that the .NET thread pool has not taken. It may wait for completions.</summary>
    Callbacks,

    /// <summary>Calls that ended while they waited for a thread of one of the kinds above.</summary>
    Overdue,

    /// <summary>
    /// Work of connections for themselves, such as sending for other connections. Their logs and metrics also run here, and such code may block: work that
    /// finds no thread runs on the .NET thread pool.
    /// </summary>
    Engine,

    /// <summary>Event loops and deliveries whose thread is stuck in user code, and the pumps of in-memory networks.</summary>
    Leaders,
}
