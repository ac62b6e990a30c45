using Mux.Wire;

namespace Mux.Sessions.Calls;

/// <summary>What a call takes along that most do not.</summary>
internal sealed class CallExtras
{
    /// <summary>Priority and idempotence, as the head of the request says them.</summary>
    public RequestOptions Options { get; init; }

    /// <summary>Where the call stands in a trace; part of the request if <see cref="Options"/> say so.</summary>
    public TraceContext Trace { get; init; }

    /// <summary>Travels before the request. Nobody else's: the caller may change its own once the call is made.</summary>
    public MuxMetadata? Metadata { get; init; }

    /// <summary>The span of the call, ended with it; null if nobody wants one.</summary>
    public System.Diagnostics.Activity? Activity { get; init; }

    /// <summary>Takes what travels before the reply or failure.</summary>
    public MuxMetadata? ResponseMetadata { get; init; }
}
