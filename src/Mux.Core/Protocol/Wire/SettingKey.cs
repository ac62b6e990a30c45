namespace Mux.Protocol;

/// <summary>Keys of HELLO settings (PROTOCOL.md section 1.3).</summary>
internal enum SettingKey : ushort
{
    MaxFramePayload = 1,
    MaxMessage = 2,
    MaxCalls = 3,
    StreamCredit = 4,
    BulkCredit = 5,
    KeepAlive = 6,
    Idle = 7,
    MaxMetadata = 8,
    Compression = 9,
    PeerName = 10,
    InstanceId = 11,
    MaxOrdinals = 12,
    Fingerprints = 13,
    Authentication = 14,
    Leases = 15,
    ControlFrames = 16,
    TinyFrames = 17,
    PingInterval = 18,
    PrematureCancels = 19,
    StreamMetadata = 20,
    ItemWindows = 21,
    Keys = 22,
    StreamWindows = 23,
}
