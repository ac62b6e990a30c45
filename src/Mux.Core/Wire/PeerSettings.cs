namespace Mux.Wire;

/// <summary>
/// What one side tells the other in its HELLO (PROTOCOL.md section 1.3): its limits as a receiver, and who it is. The defaults are what an absent key means.
/// </summary>
internal sealed record PeerSettings
{
    public static PeerSettings Default { get; } = new();

    /// <summary>Key 1: longest payload of one frame I read; 16,384 to 65,536.</summary>
    public int MaxFramePayload { get; init; } = ProtocolConstants.MaxFramePayload;

    /// <summary>Key 2: longest message I read, in one frame or many; 16,384 to 2^31-1.</summary>
    public int MaxMessage { get; init; } = 4 * 1024 * 1024;

    /// <summary>Key 3: calls the peer may have open toward me, which are slots 1 to this; 0 to 2^20-1.</summary>
    public int MaxCalls { get; init; } = 16_384;

    /// <summary>Key 4: credit each stream starts with; 1 to 2^31-1.</summary>
    public int StreamCredit { get; init; } = 64 * 1024;

    /// <summary>Key 5: bulk credit the connection starts with; 1 to 2^31-1.</summary>
    public int BulkCredit { get; init; } = 1024 * 1024;

    /// <summary>Key 6: after how many milliseconds of silence I ask whether the peer lives; 0 = never.</summary>
    public int KeepAliveMilliseconds { get; init; }

    /// <summary>Key 7: after how many milliseconds without calls I end the connection; 0 = never.</summary>
    public int IdleMilliseconds { get; init; }

    /// <summary>Key 8: longest metadata block I read; 0 to 65,535.</summary>
    public int MaxMetadata { get; init; } = 8 * 1024;

    /// <summary>Key 10: a name for the peer's logs, up to 256 bytes of UTF-8.</summary>
    public string PeerName { get; init; } = string.Empty;

    /// <summary>Key 11: new at every start of a process, so that a peer can tell a restart from a reconnect.</summary>
    public Guid InstanceId { get; init; }

    /// <summary>Key 12: methods the peer may define; 0 to 65,536.</summary>
    public int MaxOrdinals { get; init; } = 4096;

    /// <summary>Key 13: I read the fingerprints of definitions and answer those that are others here; false or true as 0 or 1.</summary>
    public bool ReadsFingerprints { get; init; }

    /// <summary>Key 14: the peer has to say who it is before anything else; false or true as 0 or 1. Of the accepting side alone.</summary>
    public bool DemandsAuthentication { get; init; }

    /// <summary>
    /// Key 16: frames without a message that I accept within ten seconds, beyond those that are earned (PROTOCOL.md section 9); 0 = not announced.
    /// </summary>
    public int ControlFrames { get; init; }

    /// <summary>Key 17: small fragments and empty pieces that I accept within ten seconds, beyond those that are earned; 0 = not announced.</summary>
    public int TinyFrames { get; init; }

    /// <summary>Key 18: milliseconds between two PINGs with nothing between them; 0 = not announced.</summary>
    public int PingIntervalMilliseconds { get; init; }

    /// <summary>Key 19: calls within ten seconds from which on I end a connection that cancels nine of ten at once; 0 = not announced.</summary>
    public int PrematureCancels { get; init; }
}
