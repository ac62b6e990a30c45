using Mux.Identity;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Clients;

namespace Mux.ProtocolCases.Running;

/// <summary>A connection to the peer in the state that a case requires: see <see cref="BadInputStage"/>. Not thread-safe.</summary>
/// <param name="target">The peer.</param>
/// <param name="subject">The connection.</param>
/// <param name="deadline">Ends the case.</param>
internal sealed class SpecScene(SpecTarget target, SpecSubject subject, CancellationToken deadline)
{
    /// <summary>Id of the call that stays open until the end of the case.</summary>
    public static readonly CallId Waiting = new(1, 1);

    private static readonly CallId s_answered = new(2, 1);

    private readonly List<SpecFrame> _seen = [];
    private byte _pings;
    private byte[] _input = [];

    public SpecTarget Target => target;

    public SpecSubject Subject => subject;

    public SpecWire Wire => subject.Wire;

    public CancellationToken Deadline => deadline;

    /// <summary>True once the call <see cref="Waiting"/> has ended: at once if the peer has no method for it.</summary>
    public bool IsWaitingOver { get; private set; }

    /// <summary>The current step, for the message of a failure.</summary>
    public SpecStep Step { get; private set; } = SpecStep.Connecting;

    /// <summary>Frames received in the current step.</summary>
    public MeanwhileFrames Meanwhile { get; } = new();

    /// <summary>Frames of the peer that were read so far.</summary>
    public IReadOnlyList<SpecFrame> Seen => _seen;

    /// <summary>Does the handshake and opens the calls.</summary>
    /// <exception cref="SpecFailure">The peer does not do its part.</exception>
    public async Task OpenAsync(bool ownStream)
    {
        await ShakeHandsAsync(ownStream).ConfigureAwait(false);
        if (target.HoldsCalls) await MakeCallsAsync().ConfigureAwait(false);
        else IsWaitingOver = true;
        if (target.MakesCalls) await subject.OpenCallsAsync(this, ownStream).ConfigureAwait(false);
    }

    /// <summary>Sends HELLO and reads the peer's; authenticates if the peer requires it.</summary>
    /// <param name="ownStream">True if the peer opens a stream for the case.</param>
    /// <returns>The payload of the peer's HELLO.</returns>
    /// <exception cref="SpecFailure">The peer does not do its part, or rejects this side.</exception>
    public async Task<byte[]> ShakeHandsAsync(bool ownStream = false)
    {
        Begin("the peer's HELLO", "the preface and HELLO");
        await Wire.SendAsync(target.Greeting(ownStream), deadline).ConfigureAwait(false);
        var hello = (await ReadUntilAsync(frame => frame.Kind == FrameKind.Hello).ConfigureAwait(false))[^1].Payload;
        bool isAsked = target.IsAccepting && HelloFrame.TryRead(hello, out var said, out _) && said!.Settings.DemandsAuthentication;
        if (target.PeersKey is { } key) await AskForKeyAsync(key).ConfigureAwait(false);
        if (isAsked) await new SpecLogin(this, target.Credentials).PassAsync().ConfigureAwait(false);
        return hello;
    }

    /// <summary>Does the handshake up to authentication, with a peer that requires it or is told that this side does.</summary>
    /// <param name="challenge">Challenge for a peer that dials; empty for none.</param>
    /// <returns>The peer's credential; null if it was not challenged.</returns>
    /// <exception cref="SpecFailure">The peer does not do its part.</exception>
    public async Task<SpecFrame?> GreetAsync(byte[] challenge)
    {
        Begin("the peer's HELLO", "the preface and HELLO");
        await Wire.SendAsync(target.IsAccepting ? Raw.Hello(1, 1) : Raw.Hello(1, 1, Raw.Setting(SettingKey.Authentication, 1u)), deadline)
            .ConfigureAwait(false);
        await ReadUntilAsync(frame => frame.Kind == FrameKind.Hello).ConfigureAwait(false);
        if (challenge.Length == 0) return null;
        Begin("the peer's credential", "a challenge");
        await Wire.SendAsync(challenge, deadline).ConfigureAwait(false);
        return (await ReadUntilAsync(frame => frame.Kind == FrameKind.Auth).ConfigureAwait(false))[^1];
    }

    /// <summary>Starts the next step.</summary>
    /// <param name="awaited">Required action of the peer.</param>
    /// <param name="sent">Action of this side; empty for none.</param>
    public void Begin(string awaited, string sent = "")
    {
        Step = new SpecStep(Step.Number + 1, sent, awaited);
        Meanwhile.Clear();
    }

    /// <summary>Starts a step of the calls that the peer makes in every case.</summary>
    /// <inheritdoc cref="Begin"/>
    public void BeginOpening(string awaited, string sent = "")
    {
        Begin(awaited, sent);
        Step = Step with { IsOpening = true };
    }

    /// <summary>Refines what the current step awaits.</summary>
    public void Await(string awaited) => Step = Step with { Awaited = awaited };

    public async Task SendAsync(byte[] bytes, SpecSplit split)
    {
        Begin("the peer to accept the input", SpecText.Sent(bytes));
        _input = bytes;
        int at = 0;
        foreach (int length in SpecPieces.Of(bytes.Length, split))
        {
            await Wire.SendAsync(bytes.AsMemory(at, length), deadline).ConfigureAwait(false);
            at += length;
        }
    }

    /// <summary>Sends a PING and reads up to its answer: by then, everything that the peer sends immediately was received.</summary>
    /// <returns>Frames received before the answer.</returns>
    /// <exception cref="SpecFailure">The connection ended.</exception>
    public async Task<List<SpecFrame>> PingAsync()
    {
        Begin("the answer to it", "a PING");
        byte[] opaque = [.. "muxspec"u8, ++_pings];
        await Wire.SendAsync(Raw.Frame(FrameKind.Ping, default, opaque), deadline).ConfigureAwait(false);
        return await ReadUntilAsync(frame => IsAnswerTo(opaque, frame)).ConfigureAwait(false);
    }

    /// <exception cref="SpecFailure">It answers a PING that was not sent.</exception>
    private bool IsAnswerTo(byte[] opaque, SpecFrame frame)
    {
        if (frame.Kind != FrameKind.Ping || !frame.Has(FrameFlags.Answer)) return false;
        if (frame.Payload.AsSpan().SequenceEqual(opaque)) return true;
        bool isOfEarlier = frame.Payload.Length == opaque.Length && frame.Payload.AsSpan().StartsWith("muxspec"u8) && frame.Payload[^1] < _pings;
        if (isOfEarlier || _input.AsSpan().IndexOf(frame.Payload) >= 0) return false; // the input may have PINGs, too
        throw new SpecFailure($"an answer to PING with the bytes {Convert.ToHexStringLower(frame.Payload)} in place of {Convert.ToHexStringLower(opaque)}");
    }

    /// <summary>Reads up to a frame.</summary>
    /// <returns>Frames received up to and including that frame.</returns>
    /// <exception cref="SpecFailure">The connection ended instead.</exception>
    public async Task<List<SpecFrame>> ReadUntilAsync(Func<SpecFrame, bool> isIt)
    {
        var frames = new List<SpecFrame>();
        while (true)
        {
            var frame = await Wire.ReadAsync(deadline).ConfigureAwait(false)
                ?? throw new SpecFailure($"{DescribeEnd()}, instead of {Step.Awaited}") { IsForeign = Wire.Foreign is not null || Wire.ReceivedBytes == 0 };
            frames.Add(frame);
            _seen.Add(frame);
            Meanwhile.Add(frame);
            subject.OnFrame(frame);
            IsWaitingOver |= frame.Id == Waiting && IsTerminal(frame);
            if (isIt(frame)) return frames;
            if (frame.Kind == FrameKind.GoAway && !frame.Has(FrameFlags.Answer)) throw new SpecFailure($"{frame}, instead of {Step.Awaited}");
        }
    }

    /// <summary>Reads up to a frame that may have been received already.</summary>
    public async Task ReadUntilSeenAsync(Func<SpecFrame, bool> isIt)
    {
        if (!_seen.Exists(frame => isIt(frame))) await ReadUntilAsync(isIt).ConfigureAwait(false);
    }

    public static bool IsTerminal(SpecFrame frame) => frame.Kind == FrameKind.Fail || (frame.Kind == FrameKind.Response && !frame.Has(FrameFlags.More));

    public string DescribeEnd() => Wire.Foreign is { } foreign ? $"sent {foreign}" : Wire.ReceivedBytes == 0 ? "closed without a byte"
        : "closed without GOAWAY";

    private async Task AskForKeyAsync(SharedKey key)
    {
        BeginOpening("the proof of the client's shared key", "a challenge");
        var login = new ClientLogin(key, Wire);
        await login.ChallengeAsync(deadline).ConfigureAwait(false);
        await login.AcceptAsync((await ReadUntilAsync(frame => frame.Kind == FrameKind.Auth).ConfigureAwait(false))[^1], lifetime: 0, deadline)
            .ConfigureAwait(false);
    }

    private async Task MakeCallsAsync()
    {
        // For a peer without a method that waits, an incomplete request takes its place, which is as good for most input.
        Begin("the reply to a good call", "DEFINE and REQUEST of two calls");
        byte[] waiting = target.Methods.Contains(SpecMethods.Wait) ? Raw.Request(1, 1, 1)
            : Raw.Frame(FrameKind.Request, Waiting, [0, 0, 0, 0, .. Raw.U32(1_000)], FrameFlags.More);
        await Wire.SendAsync((byte[])[.. Raw.Define(0, 0, target.Echo), .. Raw.Define(1, 0, SpecMethods.Wait), .. waiting,
            .. Raw.Request(2, 1, 0, RequestOptions.None, 1, 2, 3)], deadline).ConfigureAwait(false);
        await ReadUntilAsync(frame => frame.Id == s_answered && frame.Kind is FrameKind.Response or FrameKind.Fail).ConfigureAwait(false);
    }
}
