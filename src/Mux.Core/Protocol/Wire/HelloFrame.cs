using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>HELLO (0x01): sent once per side, before any other frame (PROTOCOL.md section 1.2).</summary>
/// <remarks>
/// <code>
/// versionMin u8 | versionMax u8 | reserved u16 | settings: key u16, length u16, value ...
/// </code>
/// </remarks>
internal sealed record HelloFrame(byte VersionMin, byte VersionMax, PeerSettings Settings) : IFrame
{
    private const int HeadLength = 4;
    private const int SettingHeadLength = 4;
    private const int MaxPeerName = 256;

    /// <summary>Maximum number of settings; keys are remembered to find duplicates. Far more than are defined today.</summary>
    private const int MaxSettings = 64;

    public static FrameKind Kind => FrameKind.Hello;

    public static bool TryRead(ReadOnlySpan<byte> payload, out HelloFrame? frame, out ProtocolViolation? violation)
    {
        frame = null;
        violation = null;
        if (payload.Length < HeadLength)
        {
            violation = Error($"HELLO carries {payload.Length} bytes; its head alone takes {HeadLength}.");
            return false;
        }

        if (payload[0] > payload[1])
        {
            violation = Error($"HELLO offers versions {payload[0]} to {payload[1]}: the lowest is above the highest.");
            return false;
        }

        var settings = PeerSettings.Default;
        Span<ushort> seen = stackalloc ushort[MaxSettings];
        int count = 0;
        for (var rest = payload[HeadLength..]; !rest.IsEmpty;)
        {
            if (rest.Length < SettingHeadLength || rest.Length - SettingHeadLength < BinaryPrimitives.ReadUInt16LittleEndian(rest[2..]))
            {
                violation = Error($"HELLO ends inside setting number {count + 1}.");
                return false;
            }

            ushort key = BinaryPrimitives.ReadUInt16LittleEndian(rest);
            int length = BinaryPrimitives.ReadUInt16LittleEndian(rest[2..]);
            if (count == MaxSettings) violation = new(ConnectionCode.ExcessiveLoad, $"HELLO has more than {MaxSettings} settings.");
            else if (seen[..count].Contains(key)) violation = Error($"HELLO has setting {key} twice.");
            else settings = Apply(settings, (SettingKey)key, rest.Slice(SettingHeadLength, length), out violation);
            if (violation is not null) return false;

            seen[count++] = key;
            rest = rest[(SettingHeadLength + length)..];
        }

        frame = new(payload[0], payload[1], settings);
        return true;
    }

    /// <summary>
    /// Writes the payload without settings at their default; <paramref name="payload"/> must hold <see cref="ProtocolConstants.MaxHelloLength"/> bytes.
    /// </summary>
    /// <returns>Length of the payload.</returns>
    public int Write(Span<byte> payload)
    {
        payload[0] = VersionMin;
        payload[1] = VersionMax;
        BinaryPrimitives.WriteUInt16LittleEndian(payload[2..], 0);
        int at = HeadLength;
        var absent = PeerSettings.Default;
        WriteNumber(payload, ref at, SettingKey.MaxFramePayload, Settings.MaxFramePayload, absent.MaxFramePayload);
        WriteNumber(payload, ref at, SettingKey.MaxMessage, Settings.MaxMessage, absent.MaxMessage);
        WriteNumber(payload, ref at, SettingKey.MaxCalls, Settings.MaxCalls, absent.MaxCalls);
        WriteNumber(payload, ref at, SettingKey.StreamCredit, Settings.StreamCredit, absent.StreamCredit);
        WriteNumber(payload, ref at, SettingKey.BulkCredit, Settings.BulkCredit, absent.BulkCredit);
        WriteNumber(payload, ref at, SettingKey.KeepAlive, Settings.KeepAliveMilliseconds, absent.KeepAliveMilliseconds);
        WriteNumber(payload, ref at, SettingKey.Idle, Settings.IdleMilliseconds, absent.IdleMilliseconds);
        WriteNumber(payload, ref at, SettingKey.MaxMetadata, Settings.MaxMetadata, absent.MaxMetadata);
        if (Settings.PeerName.Length > 0)
        {
            int length = Utf8Text.WriteCut(payload.Slice(at + SettingHeadLength, MaxPeerName), Settings.PeerName);
            WriteSettingHead(payload, ref at, SettingKey.PeerName, length);
            at += length;
        }

        if (Settings.InstanceId != Guid.Empty)
        {
            WriteSettingHead(payload, ref at, SettingKey.InstanceId, 16);
            Settings.InstanceId.TryWriteBytes(payload[at..], bigEndian: true, out _);
            at += 16;
        }

        WriteNumber(payload, ref at, SettingKey.MaxOrdinals, Settings.MaxOrdinals, absent.MaxOrdinals);
        WriteNumber(payload, ref at, SettingKey.Fingerprints, Settings.ReadsFingerprints ? 1 : 0, absent: 0);
        WriteNumber(payload, ref at, SettingKey.Authentication, Settings.DemandsAuthentication ? 1 : 0, absent: 0);
        WriteNumber(payload, ref at, SettingKey.Leases, Settings.ReadsLeases ? 1 : 0, absent: 0);
        WriteNumber(payload, ref at, SettingKey.ControlFrames, Settings.ControlFrames, absent.ControlFrames);
        WriteNumber(payload, ref at, SettingKey.TinyFrames, Settings.TinyFrames, absent.TinyFrames);
        WriteNumber(payload, ref at, SettingKey.PingInterval, Settings.PingIntervalMilliseconds, absent.PingIntervalMilliseconds);
        WriteNumber(payload, ref at, SettingKey.PrematureCancels, Settings.PrematureCancels, absent.PrematureCancels);
        WriteNumber(payload, ref at, SettingKey.StreamMetadata, Settings.ReadsStreamMetadata ? 1 : 0, absent: 0);
        WriteNumber(payload, ref at, SettingKey.ItemWindows, Settings.ReadsItemWindows ? 1 : 0, absent: 0);
        WriteNumber(payload, ref at, SettingKey.Keys, Settings.ReadsKeys ? 1 : 0, absent: 0);
        WriteNumber(payload, ref at, SettingKey.StreamWindows, Settings.StreamWindows, absent.StreamWindows);
        return at;
    }

    private static PeerSettings Apply(PeerSettings settings, SettingKey key, ReadOnlySpan<byte> value, out ProtocolViolation? violation)
    {
        violation = null;
        switch (key)
        {
            case SettingKey.MaxFramePayload:
                return settings with
                {
                    MaxFramePayload = Number(key, value, ProtocolConstants.MinFramePayload, ProtocolConstants.MaxFramePayload, out violation),
                };
            case SettingKey.MaxMessage:
                return settings with { MaxMessage = Number(key, value, ProtocolConstants.MinFramePayload, int.MaxValue, out violation) };
            case SettingKey.MaxCalls:
                return settings with { MaxCalls = Number(key, value, 0, CallId.MaxSlot, out violation) };
            case SettingKey.StreamCredit:
                return settings with { StreamCredit = Number(key, value, 1, int.MaxValue, out violation) };
            case SettingKey.BulkCredit:
                return settings with { BulkCredit = Number(key, value, 1, int.MaxValue, out violation) };
            case SettingKey.KeepAlive:
                return settings with { KeepAliveMilliseconds = Number(key, value, 0, int.MaxValue, out violation) };
            case SettingKey.Idle:
                return settings with { IdleMilliseconds = Number(key, value, 0, int.MaxValue, out violation) };
            case SettingKey.MaxMetadata:
                return settings with { MaxMetadata = Number(key, value, 0, ushort.MaxValue, out violation) };
            case SettingKey.MaxOrdinals:
                return settings with { MaxOrdinals = Number(key, value, 0, ushort.MaxValue + 1, out violation) };
            case SettingKey.Fingerprints:
                return settings with { ReadsFingerprints = Number(key, value, 0, 1, out violation) != 0 };
            case SettingKey.Authentication:
                return settings with { DemandsAuthentication = Number(key, value, 0, 1, out violation) != 0 };
            case SettingKey.Leases:
                return settings with { ReadsLeases = Number(key, value, 0, 1, out violation) != 0 };
            case SettingKey.ControlFrames:
                return settings with { ControlFrames = Number(key, value, 0, int.MaxValue, out violation) };
            case SettingKey.TinyFrames:
                return settings with { TinyFrames = Number(key, value, 0, int.MaxValue, out violation) };
            case SettingKey.PingInterval:
                return settings with { PingIntervalMilliseconds = Number(key, value, 0, int.MaxValue, out violation) };
            case SettingKey.PrematureCancels:
                return settings with { PrematureCancels = Number(key, value, 0, int.MaxValue, out violation) };
            case SettingKey.StreamMetadata:
                return settings with { ReadsStreamMetadata = Number(key, value, 0, 1, out violation) != 0 };
            case SettingKey.ItemWindows:
                return settings with { ReadsItemWindows = Number(key, value, 0, 1, out violation) != 0 };
            case SettingKey.Keys:
                return settings with { ReadsKeys = Number(key, value, 0, 1, out violation) != 0 };
            case SettingKey.StreamWindows:
                return settings with { StreamWindows = Number(key, value, 0, int.MaxValue, out violation) };
            case SettingKey.PeerName:
                if (value.Length > MaxPeerName) violation = Error($"Setting {(int)key} carries {value.Length} bytes; allowed are 0 to {MaxPeerName}.");
                return settings with { PeerName = Utf8Text.Read(value, MaxPeerName) };
            case SettingKey.InstanceId:
                if (value.Length == 16) return settings with { InstanceId = new Guid(value, bigEndian: true) };
                violation = Error($"Setting {(int)key} carries {value.Length} bytes; it must carry 16.");
                return settings;
            default:
                return settings; // compression is not supported yet; unknown keys come from newer peers
        }
    }

    private static int Number(SettingKey key, ReadOnlySpan<byte> value, int min, int max, out ProtocolViolation? violation)
    {
        violation = null;
        if (value.Length != sizeof(uint))
        {
            violation = Error($"Setting {(int)key} carries {value.Length} bytes; it must carry {sizeof(uint)}.");
            return 0;
        }

        uint number = BinaryPrimitives.ReadUInt32LittleEndian(value);
        if (number < (uint)min || number > (uint)max) violation = Error($"Setting {(int)key} is {number}; allowed are {min} to {max}.");
        return (int)number;
    }

    private static void WriteNumber(Span<byte> payload, ref int at, SettingKey key, int value, int absent)
    {
        if (value == absent) return;
        WriteSettingHead(payload, ref at, key, sizeof(uint));
        BinaryPrimitives.WriteUInt32LittleEndian(payload[at..], (uint)value);
        at += sizeof(uint);
    }

    private static void WriteSettingHead(Span<byte> payload, ref int at, SettingKey key, int length)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(payload[at..], (ushort)key);
        BinaryPrimitives.WriteUInt16LittleEndian(payload[(at + 2)..], (ushort)length);
        at += SettingHeadLength;
    }

    private static ProtocolViolation Error(string text) => new(ConnectionCode.ProtocolError, text);
}

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
