using Mux.Identity;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>Environment of a <see cref="ClientCase"/>: the successive connections of the client. Not thread-safe.</summary>
/// <param name="arrivals">Connections of the client.</param>
/// <param name="deadline">Ends the case.</param>
/// <param name="key">Shared key of the client; null if none is required.</param>
internal sealed class ClientScene(ClientArrivals arrivals, CancellationToken deadline, SharedKey? key = null)
{
    private readonly List<SpecWire> _wires = [];

    /// <summary>Maximum number of settings that a case may have in its HELLO.</summary>
    public int RoomForSettings => key is null ? 64 : 63;

    public CancellationToken Deadline => deadline;

    /// <summary>The current step, for the message of a failure.</summary>
    public SpecStep Step { get; private set; } = SpecStep.Connecting;

    /// <summary>Frames received in the current step.</summary>
    public MeanwhileFrames Meanwhile { get; } = new();

    /// <param name="awaited">Required action of the client.</param>
    /// <param name="sent">Action of this side; empty for none.</param>
    /// <param name="isOpening">True if it is one of the calls that the client makes in every case.</param>
    public void Begin(string awaited, string sent = "", bool isOpening = false)
    {
        Step = new SpecStep(Step.Number + 1, sent, awaited) { IsOpening = isOpening };
        Meanwhile.Clear();
    }

    /// <summary>Gets the client's next connection, on which this side has sent nothing.</summary>
    public async Task<SpecWire> ConnectAsync()
    {
        var wire = await arrivals.NextAsync(deadline).ConfigureAwait(false);
        _wires.Add(wire);
        return wire;
    }

    /// <summary>Gets the client's next connection, after a handshake.</summary>
    /// <param name="settings">Settings of this side's HELLO.</param>
    /// <exception cref="SpecFailure">The client does not do its part.</exception>
    public Task<ClientConnection> AcceptAsync(params byte[][] settings) => AcceptAsync(0, settings);

    /// <inheritdoc cref="AcceptAsync(byte[][])"/>
    /// <param name="lifetime">Milliseconds after which the client's credential expires; 0 for never.</param>
    /// <param name="settings">Settings of this side's HELLO.</param>
    public async Task<ClientConnection> AcceptAsync(uint lifetime, byte[][] settings)
    {
        if (key is not null) settings = [.. settings, ClientLogin.Setting];
        var wire = await ConnectAsync().ConfigureAwait(false);
        Begin("the client's HELLO", "the preface and HELLO");
        await wire.SendAsync(Raw.Hello(1, 1, settings), deadline).ConfigureAwait(false);
        var hello = await wire.ReadAsync(deadline).ConfigureAwait(false) ?? throw new SpecFailure("the end of the connection before HELLO");
        if (hello.Kind != FrameKind.Hello) throw new SpecFailure($"{hello}");
        if (!HelloFrame.TryRead(hello.Payload, out var said, out var violation)) throw new SpecFailure($"a HELLO that breaks a rule: {violation!.Text}");
        if (!HelloFrame.TryRead(Raw.Hello(1, 1, settings).AsSpan(Preface.Size + FrameHeader.Size), out var own, out _))
        {
            throw new InvalidOperationException("The case's own HELLO breaks a rule.");
        }

        var login = key is null ? null : new ClientLogin(key, wire);
        if (login is not null) await AskForKeyAsync(login, wire, lifetime).ConfigureAwait(false);
        return new ClientConnection(this, wire, own!.Settings, said!.Settings, login);
    }

    private async Task AskForKeyAsync(ClientLogin login, SpecWire wire, uint lifetime)
    {
        Begin("the proof of the client's shared key", "a challenge", isOpening: true);
        await login.ChallengeAsync(deadline).ConfigureAwait(false);
        var credential = await wire.ReadAsync(deadline).ConfigureAwait(false) ?? throw new SpecFailure("the end of the connection instead of a credential");
        await login.AcceptAsync(credential, lifetime, deadline).ConfigureAwait(false);
    }

    public void Close()
    {
        foreach (var wire in _wires) wire.Close();
    }
}
