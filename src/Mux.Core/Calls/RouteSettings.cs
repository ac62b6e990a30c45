using Mux.Diagnostics;
using Mux.Execution;
using Mux.Timing;

namespace Mux.Calls;

/// <summary>What applies to all calls of a route unless a method or the options of a call say otherwise, in the engine's units.</summary>
internal sealed record RouteSettings
{
    public required Clock Clock { get; init; }

    /// <summary>Microseconds each call may take, or <see cref="Clock.Never"/>.</summary>
    public required long Deadline { get; init; }

    /// <summary>Whether calls made in handlers end no later than what these handle.</summary>
    public required bool InheritsDeadlines { get; init; }

    /// <summary>Where the code after calls runs if the contract does not say.</summary>
    public required MuxDispatchMode Dispatch { get; init; }

    /// <summary>Those of the process; tests have others.</summary>
    public Workers Completions { get; init; } = ProcessWorkers.Completions;

    public required CallDurations Durations { get; init; }
}
