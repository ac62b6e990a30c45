namespace Mux.Execution;

/// <summary>What threads of <see cref="Workers"/> run. Each kind has threads of its own, so that none waits for another.</summary>
internal enum WorkerKind
{
    /// <summary>Handlers that are too expensive for the threads that receive.</summary>
    Handlers,

    /// <summary>The code after calls, and large replies. Handlers that block wait for it.</summary>
    Completions,

    /// <summary>Calls that ended while they waited for one of the above.</summary>
    Overdue,

    /// <summary>What connections do for themselves, such as sending for others. No user code: none of it blocks.</summary>
    Engine,

    /// <summary>Event loops and deliveries whose thread is stuck in user code.</summary>
    Leaders,
}
