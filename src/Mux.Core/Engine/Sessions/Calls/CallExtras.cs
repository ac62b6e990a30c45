using Mux.Protocol;

namespace Mux.Engine;

/// <summary>The parts of a call that most calls do not have.</summary>
internal sealed class CallExtras
{
    /// <summary>The options of a call that its extras replace.</summary>
    public const RequestOptions Overridden = RequestOptions.PriorityMask | RequestOptions.Idempotent;

    /// <summary>Priority and idempotence, as sent in the head of the request.</summary>
    public RequestOptions Options { get; init; }

    /// <summary>Trace context of the call; sent with the request if <see cref="Options"/> say so.</summary>
    public TraceContext Trace { get; init; }

    /// <summary>Metadata sent before the request. A private copy: the caller may change its own after the call was made.</summary>
    public MuxMetadata? Metadata { get; init; }

    /// <summary>The span of the call, ended with it; null if nothing listens.</summary>
    public System.Diagnostics.Activity? Activity { get; init; }

    /// <summary>Receives the metadata that comes before the reply or failure.</summary>
    public MuxMetadata? ResponseMetadata { get; init; }
}
