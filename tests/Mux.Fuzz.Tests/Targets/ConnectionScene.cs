using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.Transports;

namespace Mux.Fuzz.Tests.Targets;

/// <summary>
/// A connection whose handshake is done. Of the peer's methods, ordinal 0 is an echo, 1 waits, 2 streams both ways and 3 takes a stream; its slot 1 is open. Of its own calls, slot 1 waits, slot 2 streams both ways,
/// slot 3 is cancelled and not answered.
/// </summary>
internal sealed class ConnectionScene
{
    private static readonly MethodDescriptor s_own = new("test", "Own", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_ownStream = new("test", "OwnStream", MethodShape.Duplex, takesToken: false);

    // Small, so that what is bounded is reached by small inputs.
    private static readonly ConnectionOptions s_options = new()
    {
        Local = PeerSettings.Default with { MaxMessage = 64 * 1024, MaxCalls = 8, StreamCredit = 4 * 1024, MaxMetadata = 256, ReadsLeases = true },
        ReassemblyLimit = 128 * 1024,
        StreamLimit = 64 * 1024,
    };

    private readonly ManualWork _work = new();
    private readonly ProbeMethod _echo;
    private readonly ProbeMethod _waiting;
    private readonly ProbeMethod[] _streaming;
    private readonly ProbeCall[] _own;
    private readonly ProbeStreamCall _ownStream;

    public ConnectionScene(bool accepting)
    {
        Peer = ScriptedPeer.Open(accepting, s_options with { Work = _work });
        _echo = Peer.Methods.Add("test/Echo");
        _echo.Handler = static body => body;
        _waiting = Peer.Methods.Add("test/Waiting", takesToken: true);
        _streaming = [Peer.Methods.Add("test/Both", MethodShape.Duplex), Peer.Methods.Add("test/Up", MethodShape.RequestStream)];
        Peer.Define(0, "test/Echo");
        Peer.Define(1, "test/Waiting");
        Peer.Define(2, "test/Both", MethodShape.Duplex);
        Peer.Define(3, "test/Up", MethodShape.RequestStream);
        Peer.Request(new CallId(1, 1), 1, []);
        var waiting = Peer.Call(s_own, []);
        _ownStream = Peer.CallStream(s_ownStream);
        var cancelled = Peer.Call(s_own, []);
        CallHolder.Cancel(cancelled);
        _own = [waiting, cancelled];
        Peer.ReadAll();
    }

    public ScriptedPeer Peer { get; }

    /// <summary>Everything that must not depend on how the input was split.</summary>
    public string Describe()
    {
        _work.RunAll();
        var requests = _echo.Bodies.Concat(_waiting.Bodies).Concat(_streaming.SelectMany(static method => method.Bodies)).Select(Convert.ToHexString);
        var items = _streaming.SelectMany(static method => method.Items).Append(_ownStream.Received).Select(static items => $"{string.Join('.', items.Bodies.Select(Convert.ToHexString))} {items.IsEnded}");
        var calls = _own.Select(static call => $"{call.Response?.Length} {call.Failure?.Status}").Append($"{_ownStream.Response?.Length} {_ownStream.Failure?.Status}");
        return $"{Peer.Owner.End?.Reason} {Peer.Owner.End?.Text}; {string.Join(',', requests)}; {string.Join(',', items)}; {string.Join(',', calls)}";
    }

    /// <summary>Which frames the connection answered with.</summary>
    public int KindOfAnswers()
    {
        var kinds = Peer.ReadAll().Select(static frame => ((int)frame.Kind, frame.Kind == FrameKind.Fail && FailFrame.TryRead(frame.Payload, out var fail, out _) ? (int)fail.Status : 0));
        return string.Join(' ', kinds.Distinct().Order()).GetHashCode(StringComparison.Ordinal);
    }

    /// <summary>The link ends; every call is decided then, and nothing is left.</summary>
    public void Finish()
    {
        foreach (var method in _streaming.Append(_waiting)) method.Pending.ForEach(static call => call.Reply([]));
        _waiting.Tokens.ForEach(static token => token.Release());
        Peer.End(LinkCloseCause.EndOfStream);
        _work.RunAll();
        Assert.All(_own, static call => Assert.True(call.IsDone, "A call was left open."));
        Assert.True(_ownStream.IsDone, "A call with streams was left open.");
        foreach (var items in _streaming.SelectMany(static method => method.Items).Append(_ownStream.Received)) items.Take();
        Assert.Equal(0, Peer.Sut.RequestCounts.OpenCount);
        Assert.True(Peer.Owner.Released, "The connection was not released.");
        Assert.Equal(0, Peer.Time.ArmedTimers);
    }
}
