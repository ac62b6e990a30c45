namespace Mux.Execution;

/// <summary>What threads of <see cref="Workers"/> run. Each kind has threads of its own, so that none waits for another.</summary>
internal enum WorkerKind
{
    /// <summary>Handlers that are too expensive for the threads that receive.</summary>
    Handlers,

    /// <summary>The code after calls, and large replies. Handlers that block wait for it.</summary>
    Completions,

    /// <summary>Calls that ended while they waited for a thread of one of the kinds above.</summary>
    Overdue,

    /// <summary>
    /// What connections do for themselves, such as sending for others. Their logs and metrics are told here too, and such code may block: what finds no thread
    /// runs on the .NET thread pool.
    /// </summary>
    Engine,

    /// <summary>Event loops and deliveries whose thread is stuck in user code.</summary>
    Leaders,
}
