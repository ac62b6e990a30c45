using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.Transports;

namespace Mux.Core.Tests.BadInput;

/// <summary>
/// A connection to which bad input comes, in the middle of its life. Of the peer's calls, slot 1 is open (its handler runs and has a token), slot 2 is answered; of its own,
/// slot 1 is open, slot 2 was cancelled and not answered yet, slot 3 is answered, or open again with streams both ways if the case says so. Ordinal 0 is an echo, ordinal 1 the method
/// that waits; Up, Down and Both stream, and are not defined yet.
/// </summary>
internal sealed class BadInputScene
{
    private static readonly MethodDescriptor s_own = new("test", "Own", MethodShape.Unary, takesToken: false);

    private static readonly MethodDescriptor s_ownStream = new("test", "OwnStream", MethodShape.Duplex, takesToken: false);

    private readonly BadInputCase _case;
    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly ManualWork _work = new();
    private readonly ScriptedPeer _peer;
    private readonly ProbeMethod _echo;
    private readonly ProbeMethod _waiting;
    private readonly ProbeMethod[] _streaming;
    private ProbeCall? _own;
    private ProbeStreamCall? _ownStream;

    public BadInputScene(BadInputCase badInput, bool accepting)
    {
        _case = badInput;
        _peer = new ScriptedPeer(accepting, badInput.Options with { Work = _work });
        _echo = _peer.Methods.Add(SpecMethods.Echo);
        _echo.Handler = body => body;
        _waiting = _peer.Methods.Add(SpecMethods.Wait, takesToken: true);
        _streaming =
        [
            _peer.Methods.Add(SpecMethods.Up, MethodShape.RequestStream),
            _peer.Methods.Add(SpecMethods.Down, MethodShape.ResponseStream),
            _peer.Methods.Add(SpecMethods.Both, MethodShape.Duplex),
        ];
        if (badInput.Stage == BadInputStage.Authenticating) _peer.SendHandshake(new PeerSettings { DemandsAuthentication = !accepting });
        if (badInput.Challenge.Length > 0) AnswerChallenge();
        if (badInput.Stage == BadInputStage.Open) OpenCalls();
        _peer.ReadAll();
    }

    /// <summary>Delivers the input in pieces; <paramref name="lengths"/> are cut off at its end.</summary>
    public void Receive(IEnumerable<int> lengths)
    {
        int at = 0;
        foreach (int length in lengths)
        {
            int count = Math.Min(length, _case.Bytes.Length - at);
            if (count > 0) _peer.Send(_case.Bytes.AsSpan(at, count));
            at += count;
        }
    }

    /// <summary>Everything that has to hold after it.</summary>
    public void CheckReaction()
    {
        if (_case.Reaction.End is { } reason) CheckEnd(reason);
        else CheckLife();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        Assert.Equal(0, _peer.Sut.RequestCounts.OpenCount);
    }

    private void AnswerChallenge()
    {
        _peer.Send(_case.Challenge);
        _work.RunAll();
    }

    private void OpenCalls()
    {
        _peer.SendHandshake();
        _peer.Define(0, SpecMethods.Echo);
        _peer.Define(1, SpecMethods.Wait);
        _peer.Request(new CallId(1, 1), 1, []);
        _peer.Request(new CallId(2, 1), 0, [1, 2, 3]);
        _own = _peer.Call(s_own, []);
        CallHolder.Cancel(_peer.Call(s_own, []));
        _peer.Call(s_own, []);
        _peer.Respond(new CallId(3, 1), []);
        if (_case.HasOwnStream) _ownStream = _peer.CallStream(s_ownStream);
    }

    private void CheckEnd(CloseReason reason)
    {
        Assert.Equal(reason, _peer.Owner.End?.Reason);
        Assert.All(_case.Reaction.Says, words => Assert.Contains(words, _peer.Owner.End!.Text, StringComparison.OrdinalIgnoreCase));
        CheckLastWords();

        // Every call is decided, handlers know it, and nothing more is sent whatever comes.
        if (_own is not null) Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (_own.Failure!.Status, _own.Failure.Execution));
        if (_ownStream is not null) Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (_ownStream.Failure!.Status, _ownStream.Failure.Execution));
        _work.RunAll();
        Assert.All(_waiting.Tokens, token => Assert.True(token.Token.IsCancellationRequested));
        AnswerWaiting();
        int handlers = _echo.Bodies.Count + _waiting.Bodies.Count;
        _peer.Request(new CallId(2, 2), 0, [1]);
        _peer.SendFrame(FrameKind.Ping, default, new byte[8]);
        _peer.SendFrame(0, default, []);
        Assert.Empty(_peer.ReadAll());
        Assert.Equal(handlers, _echo.Bodies.Count + _waiting.Bodies.Count);
        EndLink();
        Assert.Equal(reason, _peer.Owner.End?.Reason); // the first reason stays the only one
    }

    private void CheckLastWords()
    {
        if (_case.Reaction.Code is not { } code)
        {
            Assert.Empty(_peer.ReadAll());
            Assert.True(_peer.Link.IsClosed);
            return;
        }

        var words = _peer.ReadAll();
        if (_case.Stage != BadInputStage.Authenticating) Assert.Single(words); // a good credential, or the answer to a PING, may go before
        var last = words[^1];
        Assert.Equal(FrameKind.GoAway, last.Kind);
        Assert.True(GoAwayFrame.TryRead(last.Payload, out var goAway, out _));
        Assert.Equal(code, goAway.Code);
        if (_case.Reaction.Tells is { } text) Assert.Equal(text, goAway.Text);
        else Assert.All(_case.Reaction.Says, says => Assert.Contains(says, goAway.Text, StringComparison.OrdinalIgnoreCase));
        Assert.True(_peer.Link.IsSendEnded);
    }

    private void CheckLife()
    {
        Assert.Null(_peer.Owner.End);
        _work.RunAll(); // large requests run elsewhere
        Assert.Equal(_case.Reaction.Answers, _peer.ReadMessages().Select(AsAnswer));
        Assert.Equal(0, _peer.Link.UnconsumedBytes);
        AnswerWaiting();
        Assert.Equal((FrameKind.Response, new CallId(1, 1)), (_peer.Read().Kind, new CallId(1, 1)));
        _peer.Respond(new CallId(1, 1), [42]);
        Assert.Equal([42], _own!.Response);
        if (_ownStream is not null) _peer.Respond(_ownStream.Id, []);
        Assert.True(_ownStream?.IsDone ?? true);
        EndLink();
    }

    private void AnswerWaiting()
    {
        _waiting.Pending.ForEach(call => call.Reply([]));
        foreach (var method in _streaming) method.Pending.ForEach(call => call.Reply([]));
        _waiting.Tokens.ForEach(token => token.Release());
    }

    private void EndLink()
    {
        _peer.End(LinkCloseCause.EndOfStream);
        Assert.True(_peer.Owner.Released);
        Assert.Equal(0, _peer.Time.ArmedTimers);
    }

    private static Answer AsAnswer(RawFrame frame)
    {
        if (frame.Kind != FrameKind.Fail) return new(frame.Kind, frame.Id);
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        return new(frame.Kind, frame.Id, (MuxStatus)fail.Status, fail.Execution);
    }
}
