using Mux.ProtocolCases.Cases;
using Mux.Wire;

namespace Mux.ProtocolCases.Running;

/// <summary>A connection to the peer in the state in which cases find it: see <see cref="BadInputStage"/>. One thread at a time.</summary>
/// <param name="target">The peer.</param>
/// <param name="subject">The connection.</param>
/// <param name="deadline">When to give up.</param>
internal sealed class SpecScene(SpecTarget target, SpecSubject subject, CancellationToken deadline)
{
    /// <summary>Open until the end of the case.</summary>
    public static readonly CallId Waiting = new(1, 1);

    private static readonly CallId s_answered = new(2, 1), s_third = new(3, 1), s_ownStream = new(3, 2);

    private byte _pings;

    public SpecTarget Target => target;

    public SpecSubject Subject => subject;

    public SpecWire Wire => subject.Wire;

    public CancellationToken Deadline => deadline;

    /// <summary>Whether the call <see cref="Waiting"/> has ended: at once if the peer knows no method for it.</summary>
    public bool IsWaitingOver { get; private set; }

    /// <summary>What is awaited, for the message when it does not come.</summary>
    public string Doing { get; set; } = "a connection";

    /// <summary>Shakes hands and opens the calls.</summary>
    /// <exception cref="SpecFailure">The peer does not do its part.</exception>
    public async Task OpenAsync(bool ownStream)
    {
        await ShakeHandsAsync().ConfigureAwait(false);

        // A peer without a method that waits has a request there that is not whole, which is as good for most that may come for it.
        Doing = "the reply to a good call";
        byte[] waiting = target.Methods.Contains(SpecMethods.Wait) ? Raw.Request(1, 1, 1) : Raw.Frame(FrameKind.Request, Waiting, [0, 0, 0, 0, .. Raw.U32(1_000)], FrameFlags.More);
        await Wire.SendAsync((byte[])[.. Raw.Define(0, 0, target.Echo), .. Raw.Define(1, 0, SpecMethods.Wait), .. waiting, .. Raw.Request(2, 1, 0, RequestOptions.None, 1, 2, 3)], deadline).ConfigureAwait(false);
        await ReadUntilAsync(frame => frame.Id == s_answered && frame.Kind is FrameKind.Response or FrameKind.Fail).ConfigureAwait(false);
        if (target.MakesCalls) await OpenOwnCallsAsync(ownStream).ConfigureAwait(false);
    }

    /// <summary>Sends HELLO and reads the peer's; where that asks who this side is, says so and waits until it is taken.</summary>
    /// <returns>The payload of the peer's HELLO.</returns>
    /// <exception cref="SpecFailure">The peer does not do its part, or does not let this side in.</exception>
    public async Task<byte[]> ShakeHandsAsync()
    {
        Doing = "the peer's HELLO";
        await Wire.SendAsync(Raw.Hello(1, 1), deadline).ConfigureAwait(false);
        var hello = (await ReadUntilAsync(frame => frame.Kind == FrameKind.Hello).ConfigureAwait(false))[^1].Payload;
        bool isAsked = target.IsAccepting && HelloFrame.TryRead(hello, out var said, out _) && said!.Settings.DemandsAuthentication;
        if (isAsked) await new SpecLogin(this, target.Credentials).PassAsync().ConfigureAwait(false);
        return hello;
    }

    /// <summary>Shakes hands with a peer that wants to know who this side is, or is told that this side does.</summary>
    /// <exception cref="SpecFailure">The peer does not do its part.</exception>
    public async Task GreetAsync()
    {
        Doing = "the peer's HELLO";
        await Wire.SendAsync(target.IsAccepting ? Raw.Hello(1, 1) : Raw.Hello(1, 1, Raw.Setting(SettingKey.Authentication, 1u)), deadline).ConfigureAwait(false);
        await ReadUntilAsync(frame => frame.Kind == FrameKind.Hello).ConfigureAwait(false);
    }

    public async Task SendAsync(byte[] bytes, SpecSplit split)
    {
        Doing = "the peer to take the input";
        int at = 0;
        foreach (int length in SpecPieces.Of(bytes.Length, split))
        {
            await Wire.SendAsync(bytes.AsMemory(at, length), deadline).ConfigureAwait(false);
            at += length;
        }
    }

    /// <summary>Sends a PING and reads up to its answer: whatever the peer sends at once has come then.</summary>
    /// <returns>What came before.</returns>
    /// <exception cref="SpecFailure">The connection ended.</exception>
    public async Task<List<SpecFrame>> PingAsync()
    {
        Doing = "the answer to a PING";
        byte[] opaque = [.. "muxspec"u8, ++_pings];
        await Wire.SendAsync(Raw.Frame(FrameKind.Ping, default, opaque), deadline).ConfigureAwait(false);
        return await ReadUntilAsync(frame => frame.Kind == FrameKind.Ping && frame.Has(FrameFlags.Answer) && frame.Payload.AsSpan().SequenceEqual(opaque)).ConfigureAwait(false);
    }

    /// <summary>Reads up to a frame.</summary>
    /// <returns>What came up to it, and it.</returns>
    /// <exception cref="SpecFailure">The connection ended instead.</exception>
    public async Task<List<SpecFrame>> ReadUntilAsync(Func<SpecFrame, bool> isIt)
    {
        var frames = new List<SpecFrame>();
        while (true)
        {
            var frame = await Wire.ReadAsync(deadline).ConfigureAwait(false) ?? throw new SpecFailure($"{DescribeEnd()}, instead of {Doing}") { IsForeign = Wire.Foreign is not null || Wire.ReceivedBytes == 0 };
            frames.Add(frame);
            IsWaitingOver |= frame.Id == Waiting && IsTerminal(frame);
            if (isIt(frame)) return frames;
            if (frame.Kind == FrameKind.GoAway && !frame.Has(FrameFlags.Answer)) throw new SpecFailure($"{frame}, instead of {Doing}");
        }
    }

    public static bool IsTerminal(SpecFrame frame) => frame.Kind == FrameKind.Fail || (frame.Kind == FrameKind.Response && !frame.Has(FrameFlags.More));

    public string DescribeEnd() => Wire.Foreign is { } foreign ? $"sent {foreign}" : Wire.ReceivedBytes == 0 ? "closed without a byte" : "closed without GOAWAY";

    private async Task OpenOwnCallsAsync(bool withStream)
    {
        Doing = "the peer's calls";
        subject.MakeCalls();
        await ReadUntilAsync(frame => frame.Kind == FrameKind.Request && frame.Id == s_third).ConfigureAwait(false);
        await Wire.SendAsync(Raw.Frame(FrameKind.Response, s_third), deadline).ConfigureAwait(false);
        if (!withStream) return;
        await PingAsync().ConfigureAwait(false); // then its slot is free again
        Doing = "the peer's stream";
        subject.MakeStreamCall();
        await ReadUntilAsync(frame => frame.Kind == FrameKind.Request && frame.Id == s_ownStream).ConfigureAwait(false);
    }
}
