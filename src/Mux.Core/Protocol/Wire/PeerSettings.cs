namespace Mux.Protocol;

/// <summary>
/// Settings that a side sends in its HELLO (PROTOCOL.md section 1.3): its limits as a receiver, its name and its instance. The defaults apply to absent keys.
/// </summary>
internal sealed record PeerSettings
{
    /// <summary>Default of <c>MaxReassemblyBytes</c>, which a side that accepts longer messages must raise.</summary>
    private const int DefaultReassembly = 64 << 20;

    public static PeerSettings Default { get; } = new();

    /// <summary>Key 1: maximum frame payload that this side reads; 16,384 to 65,536.</summary>
    public int MaxFramePayload { get; init; } = ProtocolConstants.MaxFramePayload;

    /// <summary>Key 2: maximum message that this side reads, in one frame or many; 16,384 to 2^31-1.</summary>
    public int MaxMessage { get; init; } = 4 * 1024 * 1024;

    /// <summary>Names <see cref="MaxMessage"/> for people of both sides: the sender writes the text, and its peer may read it.</summary>
    /// <param name="isClient">True if the side that announced it is the client.</param>
    public string DescribeMaxMessage(bool isClient) =>
        $"{(isClient ? "MaxMessageBytes of the client (MuxChannelOptions)" : "MaxMessageBytes of the server (MuxServerOptions)")} is {MaxMessage}";

    /// <summary>Names what the peer must raise to accept a message, as the end of a sentence about its limit.</summary>
    public static string NameOptionsFor(int length) =>
        length > DefaultReassembly ? "raise it and MaxReassemblyBytes there" : "raise it there";

    /// <summary>Like <see cref="DescribeMaxMessage"/>, for <see cref="MaxMetadata"/>.</summary>
    public string DescribeMaxMetadata(bool isClient) =>
        $"MaxMetadataBytes of the {(isClient ? "client (MuxChannelOptions)" : "server (MuxServerOptions)")} is {MaxMetadata}";

    /// <summary>Says why the peer accepts no such metadata, and what helps.</summary>
    /// <param name="metadata">The entries, which exceed <see cref="MaxMetadata"/>, or are too many for any peer.</param>
    /// <param name="of">Names the message: "reply".</param>
    /// <param name="isClient">True if the peer is a client.</param>
    public string DescribeExcess(MuxMetadata metadata, string of, bool isClient) =>
        MetadataBlock.DescribeExcess(metadata, of, $"{DescribeMaxMetadata(isClient)}. Send less, or raise it there");

    /// <summary>Key 3: maximum number of calls the peer may have open, in slots 1 to this; 0 to 2^20-1.</summary>
    public int MaxCalls { get; init; } = 16_384;

    /// <summary>Key 4: initial credit of each stream; 1 to 2^31-1.</summary>
    public int StreamCredit { get; init; } = 64 * 1024;

    /// <summary>Key 5: initial bulk credit of the connection; 1 to 2^31-1.</summary>
    public int BulkCredit { get; init; } = 1024 * 1024;

    /// <summary>Key 6: milliseconds of silence after which this side checks that the peer is alive; 0 = never.</summary>
    public int KeepAliveMilliseconds { get; init; }

    /// <summary>Key 7: milliseconds without calls after which this side ends the connection; 0 = never.</summary>
    public int IdleMilliseconds { get; init; }

    /// <summary>Key 8: maximum metadata block that this side reads; 0 to 65,535.</summary>
    public int MaxMetadata { get; init; } = 8 * 1024;

    /// <summary>Key 10: name for the peer's logs, up to 256 bytes of UTF-8.</summary>
    public string PeerName { get; init; } = string.Empty;

    /// <summary>Key 11: id that is new at every start of a process, so that a peer can distinguish a restart from a reconnect.</summary>
    public Guid InstanceId { get; init; }

    /// <summary>Key 12: maximum number of methods the peer may define; 0 to 65,536.</summary>
    public int MaxOrdinals { get; init; } = 4096;

    /// <summary>Key 13: this side reads the fingerprints of definitions and answers those that differ; sent as 0 or 1.</summary>
    public bool ReadsFingerprints { get; init; }

    /// <summary>Key 14: the peer must authenticate before anything else; sent as 0 or 1, by the accepting side only.</summary>
    public bool DemandsAuthentication { get; init; }

    /// <summary>Key 15: this side reads LEASE; sent as 0 or 1.</summary>
    public bool ReadsLeases { get; init; }

    /// <summary>
    /// Key 16: frames without a message that this side accepts within ten seconds, in addition to earned ones (PROTOCOL.md section 9); 0 = not announced.
    /// </summary>
    public int ControlFrames { get; init; }

    /// <summary>Key 17: small fragments and empty pieces that this side accepts within ten seconds, in addition to earned ones; 0 = not announced.</summary>
    public int TinyFrames { get; init; }

    /// <summary>Key 18: minimum milliseconds between two PINGs with nothing between them; 0 = not announced.</summary>
    public int PingIntervalMilliseconds { get; init; }

    /// <summary>
    /// Key 19: number of calls within ten seconds from which this side ends a connection that cancels nine of ten at once; 0 = not announced.
    /// </summary>
    public int PrematureCancels { get; init; }

    /// <summary>Key 20: this side reads metadata on the first item of a response stream; sent as 0 or 1.</summary>
    public bool ReadsStreamMetadata { get; init; }

    /// <summary>Key 21: this side reads ITEM_WINDOW and returns credit in items; sent as 0 or 1.</summary>
    public bool ReadsItemWindows { get; init; }

    /// <summary>Key 22: this side forwards requests, and wants the keys of calls; sent as 0 or 1.</summary>
    public bool ReadsKeys { get; init; }

    /// <summary>
    /// Key 23: number of windows that this side has for streams of the peer: each request stream takes one, and at a gateway each response stream, too; 0 = not
    /// announced.
    /// </summary>
    public int StreamWindows { get; init; }
}
