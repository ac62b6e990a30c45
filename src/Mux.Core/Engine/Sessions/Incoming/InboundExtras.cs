using Mux.Protocol;

namespace Mux.Engine;

/// <summary>The parts of a request that most requests do not have.</summary>
/// <param name="Options">Options in the head of the request, without those that say what else is in it.</param>
/// <param name="Trace">Trace context of the call; null if it has none.</param>
/// <param name="Metadata">Metadata that came before the request and that its handler sees, or null.</param>
internal sealed record InboundExtras(RequestOptions Options, TraceContext? Trace, MuxMetadata? Metadata)
{
    /// <summary>Bytes that the metadata holds until the call is answered.</summary>
    public int Held { get; } = Metadata is null ? 0 : MetadataBlock.MeasureDecoded(Metadata);

    private const RequestOptions Layout = RequestOptions.Deadline | RequestOptions.Trace | RequestOptions.Key;

    private const int LowBits = 6; // the hops follow the bits of the layout, which close the gap

    private static readonly InboundExtras?[] s_ofOptions = new InboundExtras?[1 << (LowBits + 4)];

    /// <summary>Number of gateways that the request has passed. Known only for methods that see options.</summary>
    public int Hops => GatewayMarks.HopsOf(Options);

    /// <summary>The caller, as a gateway names it that is believed; null if none does.</summary>
    public ForwardedCaller? Caller { get; init; }

    /// <summary>The hash of the key, for a method that forwards it; 0 if it has none.</summary>
    public ulong Key { get; init; }

    /// <summary>True if it keeps its order among the calls of its key.</summary>
    public bool IsOrdered => Key != 0 && (Options & RequestOptions.Ordered) != 0;

    /// <summary>Gets the extras of a request. Those that consist of options alone, such as a priority, are shared by all requests.</summary>
    /// <param name="options">Options in the head of the request.</param>
    /// <param name="trace">Trace context of the call; null if it has none.</param>
    /// <param name="metadata">A checked block of metadata that the handler sees; empty if there is none.</param>
    /// <param name="caller">The caller that the handler sees, as a gateway names it; null if there is none.</param>
    /// <param name="key">The hash of the key that the handler sees; 0 if there is none.</param>
    public static InboundExtras Of(
        RequestOptions options, TraceContext? trace, ReadOnlySpan<byte> metadata, ForwardedCaller? caller = null, ulong key = 0)
    {
        options &= key == 0 ? ~(Layout | RequestOptions.Ordered) : ~Layout;
        bool hasMetadata = !metadata.IsEmpty && MetadataBlock.ShowsAny(metadata);
        if (trace is null && caller is null && key == 0 && !hasMetadata) return SharedOf(options);
        return new InboundExtras(options, trace, hasMetadata ? MetadataBlock.Decode(metadata) : null) { Caller = caller, Key = key };
    }

    /// <summary>A request without extras.</summary>
    public static InboundExtras None { get; } = new(RequestOptions.None, null, null);

    /// <summary>The span of the handler, ended with the call; null if nothing listens.</summary>
    public System.Diagnostics.Activity? Activity { get; init; }

    /// <summary>The options that the handler sees, if its contract asks for them.</summary>
    public MuxCallOptions? Seen { get; init; }

    private static InboundExtras SharedOf(RequestOptions options)
    {
        int low = (int)(options & ~RequestOptions.HopsMask), hops = GatewayMarks.HopsOf(options);
        return s_ofOptions[low | hops << LowBits] ??= new InboundExtras(options, null, null);
    }
}
