using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>Defaults for all calls of a route, in the engine's units. A method or the options of a call may override them.</summary>
internal sealed record RouteSettings
{
    public required Clock Clock { get; init; }

    /// <summary>Deadline of a call in microseconds, or <see cref="Clock.Never"/>.</summary>
    public required long Deadline { get; init; }

    /// <summary>True if calls made in a handler end no later than the handler's own call.</summary>
    public required bool InheritsDeadlines { get; init; }

    /// <summary>Default for where the code after calls runs, if the contract does not say.</summary>
    public required MuxDispatchMode Dispatch { get; init; }

    /// <summary>Workers for the code after calls. Shared by the process, except in tests.</summary>
    public Workers Completions { get; init; } = ProcessWorkers.Completions;

    public required CallDurations Durations { get; init; }

    /// <summary>First window of each response stream, in bytes.</summary>
    public int StreamWindow { get; init; } = 64 * 1024;

    /// <summary>Bytes of requests that are kept because their calls may be sent again; 0 if none is.</summary>
    public long KeptLimit { get; init; }

    /// <summary>Address of the server in spans.</summary>
    public required KeyValuePair<string, object?>[] ServerTags { get; init; }
}
