using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>The parts of a request that most requests do not have.</summary>
/// <param name="Options">Options in the head of the request.</param>
/// <param name="Trace">Trace context of the call; null if it has none.</param>
/// <param name="Metadata">Metadata that came before the request and that its handler sees, or null.</param>
internal sealed record InboundExtras(RequestOptions Options, TraceContext? Trace, MuxMetadata? Metadata)
{
    /// <summary>Bytes that the metadata holds until the call is answered.</summary>
    public int Held { get; } = Metadata is null ? 0 : MetadataBlock.MeasureDecoded(Metadata);

    private static readonly InboundExtras?[] s_ofOptions = new InboundExtras?[(int)RequestOptions.Defined + 1];

    /// <summary>What gateways have added to the request. Read only for methods that see options.</summary>
    public GatewayMarks Marks { get; init; }

    /// <summary>Gets the extras of a request. Those that consist of options alone, such as a priority, are shared by all requests.</summary>
    /// <param name="options">Options in the head of the request.</param>
    /// <param name="trace">Trace context of the call; null if it has none.</param>
    /// <param name="metadata">A checked block of metadata that the handler sees; empty if there is none.</param>
    public static InboundExtras Of(RequestOptions options, TraceContext? trace, ReadOnlySpan<byte> metadata)
    {
        if (trace is null && metadata.IsEmpty) return s_ofOptions[(int)options] ??= new InboundExtras(options, null, null);
        if (metadata.IsEmpty) return new InboundExtras(options, trace, null);
        var marks = MetadataBlock.ReadMarks(metadata, out bool hasOthers);
        return new InboundExtras(options, trace, hasOthers ? MetadataBlock.Decode(metadata) : null) { Marks = marks };
    }

    /// <summary>A request without extras.</summary>
    public static InboundExtras None { get; } = new(RequestOptions.None, null, null);

    /// <summary>The span of the handler, ended with the call; null if nothing listens.</summary>
    public System.Diagnostics.Activity? Activity { get; init; }

    /// <summary>The options that the handler sees, if its contract asks for them.</summary>
    public MuxCallOptions? Seen { get; init; }
}
