using Mux.Connections;
using Mux.Contracts;
using Mux.Identity;
using Mux.ProtocolCases.Cases;
using Mux.Transports;
using Mux.Wire;

namespace Mux.ProtocolCases.Running;

/// <summary>A server at an address, about which nothing is known before it is asked.</summary>
internal sealed class DialedTarget(ITransport transport, MuxAddress address, string echo, ICredentialProvider? credentials) : SpecTarget
{
    private static readonly (string Name, MethodShape Shape)[] s_methods =
    [
        (SpecMethods.Wait, MethodShape.Unary), (SpecMethods.Up, MethodShape.RequestStream), (SpecMethods.Down, MethodShape.ResponseStream), (SpecMethods.Both, MethodShape.Duplex),
        (SpecMethods.Decode, MethodShape.Unary),
    ];

    public override bool IsAccepting => true;

    public override string Echo => echo;

    public override ICredentialProvider? Credentials => credentials;

    /// <summary>Asks a server for its limits, and which of the methods it has.</summary>
    /// <param name="transport">Dials it.</param>
    /// <param name="address">Where it is.</param>
    /// <param name="echo">The name of its method that answers with what it is sent.</param>
    /// <param name="credentials">Who this side is, if the server asks; null for nobody in particular.</param>
    /// <param name="deadline">When to give up.</param>
    /// <exception cref="SpecFailure">It cannot be reached, does not speak this protocol, or does not let this side in.</exception>
    public static async Task<DialedTarget> AskAsync(ITransport transport, MuxAddress address, string echo, Credentials? credentials, CancellationToken deadline)
    {
        var provider = credentials is null ? null : new CredentialProvider(credentials, Timeout.InfiniteTimeSpan, TimeProvider.System); // every case has a deadline
        var target = new DialedTarget(transport, address, echo, provider);
        await target.AskAsync(deadline).ConfigureAwait(false);
        return target;
    }

    public override async Task<SpecSubject> OpenAsync(ConnectionOptions options, CancellationToken deadline)
    {
        var wire = new SpecWire(transport.CreateLink(address));
        try
        {
            if (await wire.ConnectAsync(deadline).ConfigureAwait(false)) return new SpecSubject(wire);
        }
        catch (OperationCanceledException)
        {
            wire.Close();
            throw;
        }

        throw new SpecFailure(wire.ConnectError!.Message) { IsUnreachable = true };
    }

    private async Task AskAsync(CancellationToken deadline)
    {
        var subject = await OpenAsync(new ConnectionOptions(), deadline).ConfigureAwait(false);
        try
        {
            var scene = new SpecScene(this, subject, deadline);
            var hello = await scene.ShakeHandsAsync().ConfigureAwait(false);
            if (!HelloFrame.TryRead(hello, out var said, out var violation)) throw new SpecFailure($"a HELLO that breaks a rule: {violation!.Text}");
            Settings = said!.Settings;
            (Methods, Denied) = await AskMethodsAsync(scene).ConfigureAwait(false);
        }
        finally
        {
            subject.Wire.Close();
        }
    }

    private async Task<(HashSet<string> Known, HashSet<string> Denied)> AskMethodsAsync(SpecScene scene)
    {
        var denied = new HashSet<string>(StringComparer.Ordinal);
        var known = new HashSet<string>(StringComparer.Ordinal);
        (string Name, MethodShape Shape)[] methods = [(echo, MethodShape.Unary), .. s_methods];
        for (int at = 0; at < methods.Length; at++)
        {
            var (name, shape) = methods[at];
            var id = new CallId(1, (uint)at + 1);
            var options = (shape & MethodShape.RequestStream) != 0 ? RequestOptions.Stream : RequestOptions.None;
            byte[] call = [.. Raw.Define((ushort)at, (byte)shape, name), .. Raw.Request(id.Slot, id.Generation, (ushort)at, options), .. Raw.Frame(FrameKind.Cancel, id, [0])];
            scene.Doing = $"the end of a call of {name}";
            await scene.Wire.SendAsync(call, scene.Deadline).ConfigureAwait(false);
            var end = (await scene.ReadUntilAsync(frame => frame.Id == id && SpecScene.IsTerminal(frame)).ConfigureAwait(false))[^1];
            var status = end.Kind == FrameKind.Fail && FailFrame.TryRead(end.Payload, out var fail, out _) ? (MuxStatus)fail.Status : MuxStatus.Ok;
            if (status is MuxStatus.Unauthenticated or MuxStatus.PermissionDenied) denied.Add(name);
            else if (status != MuxStatus.Unimplemented) known.Add(name);
        }

        return (known, denied);
    }
}
