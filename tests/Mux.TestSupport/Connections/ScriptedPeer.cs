using System.Text;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Time;
using Mux.Transports;

namespace Mux.TestSupport.Connections;

/// <summary>The peer of one real connection, played frame by frame by a test: single-threaded, on a clock that stands still. Sends raw frames, looks at raw frames.</summary>
internal sealed class ScriptedPeer
{
    private int _read;
    private bool _prefaceRead;

    /// <param name="accepting">The connection under test is the accepting side.</param>
    /// <param name="options">What it is told.</param>
    /// <param name="host">Where the peer is, as limits of an address count it.</param>
    /// <param name="takesUnsent">Its owner accepts the calls that it has not sent when it ends.</param>
    public ScriptedPeer(bool accepting, ConnectionOptions? options = null, string host = "", bool takesUnsent = false)
    {
        Owner = new RecordingOwner { TakesUnsentCalls = takesUnsent };
        Sut = new Connection(Link, options ?? new ConnectionOptions(), Owner, Methods, new Clock(Time), accepting);
        Sut.Start(host);
        Link.Handler.OnConnected();
    }

    public ManualTime Time { get; } = new();

    public TestLink Link { get; } = new();

    public RecordingOwner Owner { get; }

    public ProbeMethods Methods { get; } = new();

    /// <summary>The connection under test.</summary>
    public Connection Sut { get; }

    /// <summary>A connection whose handshake is done; what it sent for it is read already.</summary>
    public static ScriptedPeer Open(
        bool accepting, ConnectionOptions? options = null, PeerSettings? settings = null, bool takesUnsent = false, string host = "")
    {
        var peer = new ScriptedPeer(accepting, options, host, takesUnsent);
        peer.SendHandshake(settings);
        Assert.Equal(FrameKind.Hello, peer.Read().Kind);
        Assert.True(peer.Owner.Opened);
        return peer;
    }

    /// <summary>Delivers bytes as they are, as one batch.</summary>
    public void Send(ReadOnlySpan<byte> bytes) => Link.Deliver(bytes);

    /// <summary>The link takes nothing from here on, until it grows.</summary>
    public void StopReading() => Link.Capacity = Link.SentBytes;

    public void SendHandshake(PeerSettings? settings = null) => Send([.. Preface.Bytes, .. Hello(settings ?? PeerSettings.Default)]);

    public void SendFrame(FrameKind kind, CallId id, ReadOnlySpan<byte> payload, FrameFlags flags = FrameFlags.None) => Send(Frame(kind, id, payload, flags));

    public void Define(int ordinal, string name, MethodShape shape = MethodShape.Unary) =>
        SendFrame(FrameKind.Define, default, [(byte)ordinal, (byte)(ordinal >> 8), (byte)shape, .. Encoding.UTF8.GetBytes(name)]);

    public void Request(CallId id, int ordinal, ReadOnlySpan<byte> body) => SendFrame(FrameKind.Request, id, [(byte)ordinal, (byte)(ordinal >> 8), 0, 0, .. body]);

    public void Respond(CallId id, ReadOnlySpan<byte> body) => SendFrame(FrameKind.Response, id, body);

    /// <summary>The first frame of a message in fragments: it says how long the message is.</summary>
    public void Begin(FrameKind kind, CallId id, int total, ReadOnlySpan<byte> head = default)
    {
        Span<byte> length = stackalloc byte[FragmentHead.Length];
        FragmentHead.Write(length, total);
        SendFrame(kind, id, [.. head, .. length], FrameFlags.More);
    }

    /// <summary>A further frame of a message in fragments.</summary>
    public void Continue(FrameKind kind, CallId id, ReadOnlySpan<byte> body, bool isLast = false) => SendFrame(kind, id, body, isLast ? FrameFlags.None : FrameFlags.More);

    /// <summary>A REQUEST that opens a stream.</summary>
    public void RequestStream(CallId id, int ordinal, ReadOnlySpan<byte> body = default) =>
        SendFrame(FrameKind.Request, id, [(byte)ordinal, (byte)(ordinal >> 8), (byte)RequestOptions.Stream, 0, .. body]);

    public void Credit(FrameKind kind, CallId id, int bytes)
    {
        Span<byte> payload = stackalloc byte[CreditFrame.Length];
        CreditFrame.Write(payload, bytes);
        SendFrame(kind, id, payload);
    }

    /// <summary>The next frame the connection sent.</summary>
    public RawFrame Read() => TryRead() ?? throw new InvalidOperationException("The connection sent no further frame.");

    /// <summary>The next frame the connection sent, or null.</summary>
    public RawFrame? TryRead()
    {
        ReadPreface();
        int available = Link.SentBytes - _read;
        FrameReader.Read(Link.SentAt(_read, Math.Min(available, FrameHeader.Size)), ProtocolConstants.MaxFramePayload, out var header, out var violation);
        Assert.Null(violation);
        if (available < FrameHeader.Size || available < FrameHeader.Size + header.Length)
        {
            Assert.True(available == 0 || Link.Capacity != long.MaxValue, "The connection sent a piece of a frame.");
            return null;
        }

        var payload = Link.SentAt(_read + FrameHeader.Size, header.Length);
        _read += FrameHeader.Size + header.Length;
        return new RawFrame(header, payload);
    }

    /// <summary>All further frames the connection sent.</summary>
    public List<RawFrame> ReadAll()
    {
        var frames = new List<RawFrame>();
        while (TryRead() is { } frame) frames.Add(frame);
        return frames;
    }

    /// <summary>All further messages the connection sent, those in fragments joined.</summary>
    public List<RawFrame> ReadMessages() => Fragments.Join(ReadAll());

    /// <summary>Starts a call on the connection under test.</summary>
    public ProbeCall Call(MethodDescriptor method, ReadOnlySpan<byte> body, TimeSpan? deadline = null)
    {
        var call = new ProbeCall(method);
        if (deadline is { } within)
        {
            call.StartedAt = Sut.Clock.Now;
            call.Due = call.StartedAt + Clock.Microseconds(within);
        }

        Assert.True(Sut.Initiator.TryStart(call, body), "The connection takes no calls.");
        return call;
    }

    /// <summary>Starts a call with streams on the connection under test.</summary>
    public ProbeStreamCall CallStream(MethodDescriptor method, ReadOnlySpan<byte> body = default)
    {
        var call = new ProbeStreamCall(method);
        Assert.True(Sut.Initiator.TryStart(call, body), "The connection takes no calls.");
        return call;
    }

    /// <summary>The link ends under the connection.</summary>
    public void End(LinkCloseCause cause = LinkCloseCause.EndOfStream, Exception? error = null) => Link.Handler.OnClosed(cause, error);

    public static byte[] Hello(PeerSettings settings)
    {
        var buffer = new byte[FrameWriter.MaxControlFrame];
        return buffer[..FrameWriter.Write(buffer, new HelloFrame(1, 1, settings))];
    }

    public static byte[] Frame(FrameKind kind, CallId id, ReadOnlySpan<byte> payload, FrameFlags flags = FrameFlags.None)
    {
        var bytes = new byte[FrameHeader.Size + payload.Length];
        new FrameHeader(kind, flags, id, payload.Length).Write(bytes);
        payload.CopyTo(bytes.AsSpan(FrameHeader.Size));
        return bytes;
    }

    private void ReadPreface()
    {
        if (_prefaceRead || Link.SentBytes == 0) return;
        Assert.Equal(Preface.Bytes, Link.SentAt(0, Preface.Size));
        _prefaceRead = true;
        _read = Preface.Size;
    }
}
