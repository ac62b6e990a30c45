using System.Buffers.Binary;
using System.Text;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>
/// A connection to the client after the handshake: reads its frames, checks them against the rules of PROTOCOL.md for an initiator, and answers its PINGs. Not
/// thread-safe.
/// </summary>
/// <param name="scene">The case.</param>
/// <param name="wire">This end of the link.</param>
/// <param name="own">Settings of this side's HELLO.</param>
/// <param name="peer">Settings of the client's HELLO.</param>
/// <param name="login">The authentication of the client's shared key; null if there was none.</param>
internal sealed partial class ClientConnection(ClientScene scene, SpecWire wire, PeerSettings own, PeerSettings peer, ClientLogin? login)
{
    private const int MaxFragment = 32_768;

    private readonly Dictionary<ushort, string> _methods = [];
    private readonly ClientSlots _slots = new() { Limit = own.MaxCalls };
    private long _ownBulk = own.BulkCredit; // what the client may still send
    private long _peerBulk = peer.BulkCredit; // what this side may still send
    private int _usedBulk; // received and not returned yet; a case with its own setting decides when to return it
    private ulong _sentPing;
    private ulong _answeredPing;

    public SpecWire Wire => wire;

    public PeerSettings Peer => peer;

    /// <summary>Calls in the order of their first frames.</summary>
    public List<ClientCall> Calls { get; } = [];

    /// <summary>True once the client has acknowledged a drain.</summary>
    public bool HasAcknowledged { get; private set; }

    /// <summary>Code of the GOAWAY with which the client must end the connection; null if the case gives it no reason.</summary>
    public ConnectionCode? Expected { get; set; }

    /// <summary>True once that GOAWAY was received.</summary>
    public bool HasSaidExpected { get; private set; }

    /// <summary>True if the client's first DEFINE had a fingerprint; null before it was received.</summary>
    public bool? HasFingerprint { get; private set; }

    /// <summary>Number of times the client may renew its expiring key.</summary>
    public int MaxRenewals { get; set; }

    /// <summary>Number of times it has renewed its key.</summary>
    public int Renewals { get; private set; }

    /// <summary>True once the client has ended its stream.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Gets the unanswered calls of a method.</summary>
    public IEnumerable<ClientCall> Open(string method) => Calls.Where(call => call.Method == method && call is { IsAnswered: false, IsCancelled: false });

    public static (ushort Ordinal, string Name) ReadDefinition(SpecFrame frame) =>
        DefineFrame.TryRead(frame.Payload, out var define, out _) ? (define.Ordinal, Encoding.UTF8.GetString(define.Name))
        : (ushort.MaxValue, "a DEFINE that breaks a rule");

    /// <summary>Reads until a condition holds.</summary>
    /// <exception cref="SpecFailure">The client violates a rule, or ends the connection before.</exception>
    public async Task UntilAsync(Func<bool> holds, string awaited, string sent = "", bool isOpening = false)
    {
        scene.Begin(awaited, sent, isOpening);
        while (!holds())
        {
            if (!await ReadAsync().ConfigureAwait(false)) throw new SpecFailure($"the end of the connection, instead of {awaited}");
        }
    }

    /// <summary>Reads until the client ends the connection.</summary>
    public async Task EndAsync()
    {
        scene.Begin("the client to end the connection");
        while (await ReadAsync().ConfigureAwait(false))
        {
            // Frames that cross the end are checked as well.
        }

        wire.ShutdownSend();
    }

    /// <summary>Reads everything that the client sends immediately: for two round trips of a PING.</summary>
    public async Task SettleAsync()
    {
        for (int times = 0; times < 2; times++)
        {
            ulong opaque = ++_sentPing;
            var bytes = new byte[PingFrame.Length];
            BinaryPrimitives.WriteUInt64LittleEndian(bytes, opaque);
            await SendAsync(Raw.Frame(FrameKind.Ping, default, bytes)).ConfigureAwait(false);
            await UntilAsync(() => _answeredPing == opaque, "the answer to it", "a PING").ConfigureAwait(false);
        }
    }

    public Task SendAsync(ReadOnlyMemory<byte> bytes) => wire.SendAsync(bytes, scene.Deadline);

    /// <returns>False once the client's stream has ended.</returns>
    private async Task<bool> ReadAsync()
    {
        if (HasEnded) return false;
        if (await wire.ReadAsync(scene.Deadline).ConfigureAwait(false) is not { } frame)
        {
            HasEnded = true;
            return wire.Foreign is { } foreign ? throw new SpecFailure(foreign) : false;
        }

        scene.Meanwhile.Add(frame);
        if (frame.Header.Length > own.MaxFramePayload)
        {
            throw new SpecFailure($"a {frame} of {frame.Header.Length} bytes, above the {own.MaxFramePayload} of setting 1");
        }

        await TakeAsync(frame).ConfigureAwait(false);
        return true;
    }

    private async Task TakeAsync(SpecFrame frame)
    {
        switch (frame.Kind)
        {
            case FrameKind.Ping when frame.Has(FrameFlags.Answer):
                TakeAnswer(frame.Payload);
                break;
            case FrameKind.Ping:
                await SendAsync(Raw.Frame(FrameKind.Ping, default, frame.Payload, FrameFlags.Answer)).ConfigureAwait(false);
                break;
            case FrameKind.GoAway when frame.Has(FrameFlags.Answer):
                HasAcknowledged = true;
                break;
            case FrameKind.GoAway:
                bool isWhole = GoAwayFrame.TryRead(frame.Payload, out var goAway, out _);
                if (isWhole && goAway.Code == Expected)
                {
                    HasSaidExpected = true;
                    break;
                }

                if (!isWhole || goAway.Code is not (ConnectionCode.Ok or ConnectionCode.Draining or ConnectionCode.IdleTimeout or ConnectionCode.MaxAge))
                    throw new SpecFailure($"{frame}: {goAway.Text}");
                await SendAsync(Raw.Frame(FrameKind.GoAway, default, [], FrameFlags.Answer)).ConfigureAwait(false); // lets the client leave gracefully
                break;
            case FrameKind.Auth when login is not null && Renewals < MaxRenewals:
                await login.AcceptAsync(frame, lifetime: 0, scene.Deadline).ConfigureAwait(false);
                Renewals++;
                break;
            case FrameKind.Credit:
                _peerBulk = Granted(_peerBulk, frame);
                break;
            case FrameKind.Define:
                var (ordinal, name) = ReadDefinition(frame);
                HasFingerprint ??= DefineFrame.TryRead(frame.Payload, out var define, out _) && define.Fingerprint.IsKnown;
                if (ordinal != _methods.Count) throw new SpecFailure($"DEFINE with the ordinal {ordinal}, where the next is {_methods.Count}");
                if (_methods.Count == own.MaxOrdinals) throw new SpecFailure($"one DEFINE more than the {own.MaxOrdinals} of setting 12");
                _methods.Add(ordinal, name);
                break;
            case FrameKind.FirstExtension:
                break;
            default:
                TakeCall(frame);
                if (_usedBulk > 0 && own.BulkCredit == PeerSettings.Default.BulkCredit) await ReturnBulkAsync().ConfigureAwait(false);
                break;
        }
    }

    private void TakeAnswer(byte[] opaque)
    {
        ulong answered = opaque.Length == PingFrame.Length ? BinaryPrimitives.ReadUInt64LittleEndian(opaque) : 0;
        if (answered == 0 || answered > _sentPing)
        {
            var sent = _sentPing == 0 ? "where none was sent" : $"in place of {BinaryPrimitives.ReverseEndianness(_sentPing):x16}";
            throw new SpecFailure($"an answer to PING with the bytes {Convert.ToHexStringLower(opaque)} {sent}");
        }

        _answeredPing = answered;
    }

    private static long Granted(long left, SpecFrame frame)
    {
        if (frame.Payload.Length != sizeof(uint)) throw new SpecFailure($"{frame} of {frame.Payload.Length} bytes");
        uint bytes = BinaryPrimitives.ReadUInt32LittleEndian(frame.Payload);
        if (bytes is 0 or > int.MaxValue || left + bytes > int.MaxValue) throw new SpecFailure($"{frame} that grants {bytes} where {left} are left");
        return left + bytes;
    }
}
