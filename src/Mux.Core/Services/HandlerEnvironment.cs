using Microsoft.Extensions.Logging;
using Mux.Diagnostics;

namespace Mux.Services;

/// <summary>What all handlers of a server share.</summary>
/// <param name="Dispatch">Where handlers run if their contract does not say.</param>
/// <param name="Logger">Where failures go.</param>
/// <param name="Durations">Who measures them.</param>
/// <param name="DetailedErrors">Whether callers are told what handlers threw.</param>
internal sealed record HandlerEnvironment(MuxDispatchMode Dispatch, ILogger Logger, CallDurations Durations, bool DetailedErrors)
{
    /// <summary>How often refused work is told of.</summary>
    public RateLimit RefusalLog { get; } = new();

    /// <summary>How often failures that were sent without all their parts are told of.</summary>
    public RateLimit OmissionLog { get; } = new();
}
