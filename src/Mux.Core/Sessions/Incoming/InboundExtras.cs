using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>What came with a request that most do not bring.</summary>
/// <param name="Options">Of the request's head.</param>
/// <param name="Trace">Where the call stands in a trace; null if it does not say.</param>
/// <param name="Metadata">What came before the request and its handler sees, or null.</param>
internal sealed record InboundExtras(RequestOptions Options, TraceContext? Trace, MuxMetadata? Metadata)
{
    /// <summary>What the metadata may take of this side's memory until the call is answered.</summary>
    public int Held { get; } = Metadata is null ? 0 : MetadataBlock.MeasureDecoded(Metadata);

    /// <summary>Nothing came.</summary>
    public static InboundExtras None { get; } = new(RequestOptions.None, null, null);

    /// <summary>The span of the handler, ended with the call; null if nobody wants one.</summary>
    public System.Diagnostics.Activity? Activity { get; init; }

    /// <summary>What the handler sees of the call, if its contract asks for it.</summary>
    public MuxCallOptions? Seen { get; init; }
}
