using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>Queries a peer for its limits and for the methods that cases call.</summary>
/// <param name="target">The peer.</param>
internal sealed class SpecInterview(SpecTarget target)
{
    private static readonly (string Name, MethodShape Shape)[] s_methods =
    [
        (SpecMethods.Wait, MethodShape.Unary), (SpecMethods.Up, MethodShape.RequestStream), (SpecMethods.Down, MethodShape.ResponseStream),
            (SpecMethods.Both, MethodShape.Duplex),
        (SpecMethods.Decode, MethodShape.Unary),
    ];

    private readonly Queue<(string Name, MethodShape Shape)> _rest = new([(target.Echo, MethodShape.Unary), .. s_methods]);
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private readonly HashSet<string> _denied = new(StringComparer.Ordinal);

    /// <summary>Stores the answers in the target.</summary>
    /// <exception cref="SpecFailure">The peer cannot be reached, does not speak this protocol, or does not do its part.</exception>
    public async Task AskAsync(CancellationToken deadline)
    {
        do await AskSomeAsync(deadline).ConfigureAwait(false);
        while (_rest.Count > 0 && target.Settings is { MaxCalls: > 0, MaxOrdinals: > 0 });
        (target.Methods, target.Denied) = (_known, _denied);
    }

    /// <summary>Queries as many methods as the peer accepts definitions on one connection.</summary>
    private async Task AskSomeAsync(CancellationToken deadline)
    {
        var subject = await target.OpenAsync(new ConnectionOptions(), deadline).ConfigureAwait(false);
        try
        {
            var scene = new SpecScene(target, subject, deadline);
            var hello = await scene.ShakeHandsAsync().ConfigureAwait(false);
            if (!HelloFrame.TryRead(hello, out var said, out var violation)) throw new SpecFailure($"a HELLO that breaks a rule: {violation!.Text}");
            target.Settings = said!.Settings;
            if (!target.Settings.DemandsAuthentication && target.Credentials?.WhyNotUnasked is { } reason) throw new SpecFailure(reason.TrimEnd('.'));
            for (int at = 0; at < target.Settings.MaxOrdinals && target.Settings.MaxCalls > 0 && _rest.TryDequeue(out var method); at++)
            {
                var status = await AskAsync(scene, (ushort)at, method.Name, method.Shape, waits: method.Name == target.Echo).ConfigureAwait(false);
                if (status is MuxStatus.Unauthenticated or MuxStatus.PermissionDenied) _denied.Add(method.Name);
                else if (status != MuxStatus.Unimplemented) _known.Add(method.Name);
            }
        }
        finally
        {
            subject.Wire.Close();
        }
    }

    /// <summary>Calls a method, and gets how its call ends.</summary>
    /// <param name="scene">The connection.</param>
    /// <param name="ordinal">The ordinal to define.</param>
    /// <param name="name">The method.</param>
    /// <param name="shape">Its shape.</param>
    /// <param name="waits">True if its own end is awaited: all cases need the method that answers. The others are cancelled at once.</param>
    /// <exception cref="SpecFailure">The method that answers cannot be reached behind a gateway: each case would wait for it until its timeout.</exception>
    private static async Task<MuxStatus> AskAsync(SpecScene scene, ushort ordinal, string name, MethodShape shape, bool waits)
    {
        var id = new CallId(1, (uint)ordinal + 1);
        var options = (shape & MethodShape.RequestStream) != 0 ? RequestOptions.Stream : RequestOptions.None;
        byte[] call = [.. Raw.Define(ordinal, (byte)shape, name), .. Raw.Request(id.Slot, id.Generation, ordinal, options),
            .. waits ? [] : Raw.Frame(FrameKind.Cancel, id, [0])];
        scene.Begin($"the end of a call of {name}", waits ? "DEFINE and REQUEST" : "DEFINE, REQUEST and CANCEL");
        await scene.Wire.SendAsync(call, scene.Deadline).ConfigureAwait(false);
        var end = (await scene.ReadUntilAsync(frame => frame.Id == id && SpecScene.IsTerminal(frame)).ConfigureAwait(false))[^1];
        var status = end.Kind == FrameKind.Fail && FailFrame.TryRead(end.Payload, out var fail, out _) ? (MuxStatus)fail.Status : MuxStatus.Ok;
        if (status != MuxStatus.Unavailable || !waits) return status;
        throw new SpecFailure($"a good call of {name} fails with Unavailable. A gateway is tested with its service: start the service, or test the " +
            "service itself");
    }
}
