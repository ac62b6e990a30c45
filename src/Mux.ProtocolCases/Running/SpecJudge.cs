using Mux.Protocol;
using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>Checks the reaction to an input.</summary>
internal sealed class SpecJudge(SpecScene scene, BadInputCase badInput)
{
    private static readonly CallId s_new = new(3, 1), s_next = new(2, 2), s_own = new(1, 1), s_ownStream = new(3, 2);

    private readonly Reaction _expected = badInput.Reaction;

    /// <returns>The reaction.</returns>
    /// <exception cref="SpecFailure">The reaction is not the required one; the message describes it.</exception>
    public Task<string> CheckAsync() => _expected.End is null ? CheckLifeAsync() : _expected.Code is { } code ? CheckGoAwayAsync(code) : CheckSilenceAsync();

    private async Task<string> CheckSilenceAsync()
    {
        scene.Await("the peer to close the connection");
        while (await scene.Wire.ReadAsync(scene.Deadline).ConfigureAwait(false) is { } frame)
        {
            if (scene.Target.IsAccepting || frame.Kind != FrameKind.Hello) throw new SpecFailure($"{frame}");
        }

        await scene.Wire.EndAsync(scene.Deadline).ConfigureAwait(false);
        if (scene.Target.IsAccepting && scene.Wire.ReceivedBytes > 0) throw new SpecFailure($"{scene.Wire.ReceivedBytes} bytes, and closed");
        return "closed without a byte";
    }

    private async Task<string> CheckGoAwayAsync(ConnectionCode code)
    {
        scene.Await($"GOAWAY {code}");
        var frame = await scene.Wire.ReadAsync(scene.Deadline).ConfigureAwait(false);
        while (frame is not null && IsBeside(frame))
        {
            if (KeepsTheRule(frame)) return await CheckKeptAsync(frame).ConfigureAwait(false);
            frame = await scene.Wire.ReadAsync(scene.Deadline).ConfigureAwait(false);
        }

        if (frame is null) throw new SpecFailure(scene.DescribeEnd());
        if (frame.Kind != FrameKind.GoAway || frame.Has(FrameFlags.Answer) || !GoAwayFrame.TryRead(frame.Payload, out var goAway, out _) || goAway.Code != code)
        {
            throw new SpecFailure($"{frame}");
        }

        if (scene.Target.HasOurTexts && _expected.Tells is { } text && goAway.Text != text)
        {
            throw new SpecFailure($"{frame}, whose text is not '{text}': {goAway.Text}");
        }

        if (scene.Target.HasOurTexts && _expected.Tells is null
            && _expected.Says.FirstOrDefault(words => !goAway.Text.Contains(words, StringComparison.OrdinalIgnoreCase)) is { } missing)
            throw new SpecFailure($"{frame}, whose text does not say '{missing}': {goAway.Text}");

        scene.Begin($"the peer to close the connection after {frame}", "the end of this side's stream");
        scene.Wire.ShutdownSend();
        if (await scene.Wire.ReadAsync(scene.Deadline).ConfigureAwait(false) is { } more) throw new SpecFailure($"{frame}, and then {more}");
        await scene.Wire.EndAsync(scene.Deadline).ConfigureAwait(false);
        return $"{frame}, closed";
    }

    /// <summary>True if an earlier action of the peer makes the incomplete input valid.</summary>
    private bool KeepsTheRule(SpecFrame frame) =>
        (badInput.CrossesAnswer && frame.Id == s_new && SpecScene.IsTerminal(frame))
            || (!scene.Target.TakesOptions && _expected.Code == ConnectionCode.FlowControlError && badInput.HasOwnStream
            && frame.Kind == FrameKind.ResponseCredit && frame.Id == s_ownStream);

    private async Task<string> CheckKeptAsync(SpecFrame frame)
    {
        await scene.PingAsync().ConfigureAwait(false);
        return $"{frame} before the input was whole, stays open";
    }

    private async Task<string> CheckLifeAsync()
    {
        var frames = await scene.PingAsync().ConfigureAwait(false);
        scene.Begin("the answer to the input");
        while (Answers(frames).Count < _expected.Answers.Length) frames.AddRange(await scene.ReadUntilAsync(_ => true).ConfigureAwait(false));

        if (scene.Target.HoldsCalls)
        {
            scene.Begin("the reply to a good call after the input", "REQUEST of a good call");
            await SendAsync(Raw.Request(s_next.Slot, s_next.Generation, 0)).ConfigureAwait(false);
            frames.AddRange(await scene.ReadUntilAsync(frame => frame.Id == s_next && SpecScene.IsTerminal(frame)).ConfigureAwait(false));
        }

        if (!scene.IsWaitingOver)
        {
            scene.Begin("the end of the call that is cancelled", "CANCEL");
            await SendAsync(Raw.Frame(FrameKind.Cancel, SpecScene.Waiting, [0])).ConfigureAwait(false);
            frames.AddRange(await scene.ReadUntilAsync(frame => frame.Id == SpecScene.Waiting && SpecScene.IsTerminal(frame)).ConfigureAwait(false));
        }

        if (scene.Target.MakesCalls) await SendAsync(Raw.Frame(FrameKind.Response, s_own, [42])).ConfigureAwait(false);
        if (scene.Target.MakesCalls && badInput.HasOwnStream) await SendAsync(Raw.Frame(FrameKind.Response, s_ownStream)).ConfigureAwait(false);
        frames.AddRange(await scene.PingAsync().ConfigureAwait(false));
        scene.Await(SpecText.Expected(badInput));
        var answers = Answers(frames);
        var got = answers.Count == 0 ? "no answer, stays open" : $"{string.Join(", ", answers.Select(answer => answer.Frame.ToString()))}, stays open";
        return answers.Select(answer => answer.Answer).SequenceEqual(_expected.Answers) ? got : throw new SpecFailure(got);
    }

    private Task SendAsync(byte[] bytes) => scene.Wire.SendAsync(bytes, scene.Deadline);

    /// <summary>Gets the frames that answer the input, rather than calls before or after it.</summary>
    private List<(SpecFrame Frame, Answer Answer)> Answers(List<SpecFrame> frames) => [.. frames.Where(IsAnswer).Select(frame => (frame, AsAnswer(frame)))];

    private bool IsAnswer(SpecFrame frame)
    {
        if (frame.Id == SpecScene.Waiting || frame.Id == s_next || frame.Has(FrameFlags.More)) return false;
        return frame.Kind switch
        {
            FrameKind.Response or FrameKind.Fail => frame.Id != s_new || !IsStream || Expects(frame), // one of our streams, which may end at any time
            FrameKind.ResponseItem => true,
            FrameKind.GoAway => true,
            FrameKind.Cancel => Expects(frame), // of a call whose reply was refused
            FrameKind.Define => frame.Has(FrameFlags.Answer) && Expects(frame), // a peer without fingerprints does not answer
            _ => false,
        };
    }

    private bool IsStream => SpecNeeds.Methods(badInput).Any();

    private bool Expects(SpecFrame frame) => _expected.Answers.Any(answer => answer.Kind == frame.Kind && answer.Id == frame.Id);

    /// <summary>
    /// Converts a frame to an answer. For a method that is not ours, rejecting an undecodable message counts as a reply: the frame was accepted.
    /// </summary>
    private Answer AsAnswer(SpecFrame frame)
    {
        if (frame.Kind != FrameKind.Fail || !FailFrame.TryRead(frame.Payload, out var fail, out _)) return new(frame.Kind, frame.Id);
        bool isUndecodable = (MuxStatus)fail.Status == MuxStatus.InvalidArgument && fail.Execution == MuxExecution.NotExecuted;
        bool isTaken = scene.Target.Echo != SpecMethods.Echo && isUndecodable && _expected.Answers.Contains(Answer.Response(frame.Id));
        return isTaken ? Answer.Response(frame.Id) : new(frame.Kind, frame.Id, (MuxStatus)fail.Status, fail.Execution);
    }

    /// <summary>True for frames that a peer may send at any time: its HELLO while it dials, AUTH, its own calls, credit.</summary>
    private bool IsBeside(SpecFrame frame) => frame.Kind switch
    {
        FrameKind.Auth or FrameKind.Ping => badInput.Stage == BadInputStage.Authenticating, // a challenge, a valid credential, the answer to a PING
        FrameKind.Hello => badInput.Stage == BadInputStage.Connected && !scene.Target.IsAccepting,
        FrameKind.Define or FrameKind.Request or FrameKind.RequestItem or FrameKind.RequestEnd or FrameKind.Cancel => true,
        FrameKind.Credit or FrameKind.RequestCredit or FrameKind.ResponseCredit or FrameKind.ItemCredit => true,
        FrameKind.Response or FrameKind.Fail => badInput.CrossesAnswer && frame.Id == s_new,
        _ => false,
    };
}
